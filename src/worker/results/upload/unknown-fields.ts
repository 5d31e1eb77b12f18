import {
  createMarkedColumn,
  type MarkedColumn,
} from '../../../timing-files/judge/marked-column.ts';
import { markFindings } from '../../../timing-files/judge/marks.ts';
import { worded } from '../../../timing-files/judge/sentences.ts';
import { type Warning, withoutWeight } from '../../../timing-files/judge/warning.ts';
import { byContract } from '../../../timing-files/read/columns.ts';
import { addLine, noLines } from '../../../timing-files/read/lines.ts';
import { MEANINGS } from '../../../timing-files/read/parameters.ts';
import { RowError } from '../../../timing-files/read/reason-codes.ts';
import type { Result } from '../../../timing-files/read/result.ts';
import { cutTo, quoted } from '../../../timing-files/read/text.ts';
import { nearestOf } from '../../http/known-inputs.ts';
import { later } from '../../later.ts';
import { ResultIn } from './schemas.ts';

const knownFields = later((): ReadonlySet<string> => new Set(Object.keys(ResultIn().shape)));
const MEANT = { bib: 'bib_number', chipTime: 'chip_time', gunTime: 'gun_time', status: 'status' };

const FIELDS_MAX = 20;
const TEXT_MAX = 100;

/** The unread fields of JSON rows, and the marks in their values, such as a status. In bounded memory. */
export function createUnknownFields() {
  const fields = new Map<string, MarkedColumn>();
  const lines = noLines();
  let isMore = false;

  function fieldOf(sent: string): MarkedColumn | undefined {
    const name = cutTo(TEXT_MAX, sent);
    const known = fields.get(name);
    if (known) return known;
    isMore ||= fields.size === FIELDS_MAX;
    if (isMore) return undefined;
    const field = createMarkedColumn(name, fields.size, false);
    fields.set(name, field);
    return field;
  }

  return {
    /** @param item the row as sent; undefined if the row is no object */
    add(row: number, item: Record<string, unknown> | undefined, judged: Result | RowError): void {
      let hasUnknown = false;
      for (const name in item) {
        if (knownFields().has(name)) continue;
        hasUnknown = true;
        const field = fieldOf(name);
        const value = item[name];
        if (typeof value !== 'string' || value.length > TEXT_MAX) continue;
        const isFailing = judged instanceof RowError;
        if (isFailing ? judged.code !== 'missing_time' : judged.status !== 'FINISHED') continue;
        const isSaid = typeof item['status'] === 'string' && item['status'] !== '';
        field?.add(value, { row, isFailing, isSaid, isPlaced: false, timeMs: 0 });
      }
      if (hasUnknown) addLine(lines, row);
    },

    warnings(): Warning[] {
      const names = Array.from(fields.keys(), (name) => {
        const meant = nearestField(name);
        return meant ? `${quoted(name)} (did you mean ${meant}?)` : quoted(name);
      });
      const why = `${names.join(', ')}${isMore ? ', and others' : ''}`;
      const values = { count: lines.count, why };
      return [
        ...markFindings([...fields.values()], 'field').map(withoutWeight),
        ...(lines.count > 0
          ? [
              {
                ...worded('unknown_fields', values, { fields: [...fields.keys()] }),
                rows: lines.rows,
              },
            ]
          : []),
      ];
    },
  };
}

/** The field behind a name: by the contract's names of columns, or else by the fewest typing errors. */
function nearestField(name: string): string | undefined {
  const columns = byContract([name]);
  const meaning = MEANINGS.find((one) => columns[one].length > 0);
  return meaning ? MEANT[meaning] : nearestOf(name, [...knownFields()]);
}
