import type { Preview } from '../api.ts';
import { exactTime, isMoreInEnglish, sentenceOfWarning, textOfFile as text } from '../formats.ts';
import type { AnyPreview, AnyUpload } from './state.ts';
import { quotedIn, reasonOf } from './words.ts';

const FAILED_SHOWN = 10;

type Counts = Omit<AnyPreview['counts'], 'total_processed'>;

/** The outcome of the rows, or the expected outcome. */
export const figuresOf = ({
  uploaded,
  updated,
  unchanged,
  not_found,
  errors,
  duplicates,
  left,
}: Counts): (readonly [string, number])[] => [
  [text('figure.new'), uploaded],
  [text('figure.changed'), updated - unchanged],
  [text('figure.unchanged'), unchanged],
  [text('figure.notFound'), not_found],
  [text('figure.failed'), errors],
  ...(duplicates > 0 ? [[text('figure.duplicates'), duplicates] as const] : []),
  ...(left > 0 ? [[text('figure.left'), left] as const] : []),
];

/** The first failing rows, with their reasons. */
export function FailedRows({ failed }: { failed: AnyUpload['failed'] }) {
  const shown = failed.slice(0, FAILED_SHOWN);
  const rest = failed.length - shown.length;
  if (failed.length === 0) return null;
  return (
    <ul class="failed" aria-label={text('failedRows')}>
      {shown.map((one) => (
        <li key={one.row} title={one.reason}>
          <strong>{text('line', { row: one.row })}</strong> {reasonOf(one)}
        </li>
      ))}
      {rest > 0 && <li class="soft">{text('moreFailed', { count: rest })}</li>}
    </ul>
  );
}

/** The first rows in their stored form. A column without a value is left out. */
export function FirstRows({ rows }: { rows: readonly AnyPreview['rows'][number][] }) {
  if (rows.length === 0) return null;
  const splits = [
    ...new Set(rows.flatMap((row) => ('splits' in row ? Object.keys(row.splits) : []))),
  ];
  const isOfPoint = rows.some((row) => 'point' in row);
  const heads = isOfPoint
    ? [text('figure.point'), text('figure.time')]
    : [text('figure.status'), text('figure.chip_time'), text('figure.gun_time'), ...splits];
  const cells = rows.map((row) => cellsOf(row, splits));
  const isFilled = (_: unknown, column: number) => cells.some((ofRow) => ofRow[column]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls with the keyboard
    <section class="scroll" aria-label={text('previewTable')} tabIndex={0}>
      <table id="preview-table">
        <caption class="unseen">{text('previewTable')}</caption>
        <thead>
          <tr>
            {[text('failedFile.bib'), ...heads.filter(isFilled)].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${at} ${row.bib_number}`}>
              <th scope="row">
                {row.bib_number}
                {row.replaced_by !== null && (
                  <small class="soft"> {text('replacedBy', { row: row.replaced_by })}</small>
                )}
              </th>
              {cells[at]?.filter(isFilled).map((cell, column) => (
                <td key={heads.filter(isFilled)[column]}>{cell ? exactTime(cell) : '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const cellsOf = (row: AnyPreview['rows'][number], splits: readonly string[]) =>
  'point' in row
    ? [row.point, row.time]
    : [
        text(`status.${row.status}`),
        row.chip_time,
        row.gun_time,
        ...splits.map((name) => row.splits[name]),
      ];

/** A row of a reading in its stored form, in a few words. */
export const exampleOf = (row: AnyPreview['rows'][number]) =>
  text('example', {
    bib: row.bib_number,
    outcome: exactTime(
      'point' in row
        ? (row.time ?? '–')
        : (row.chip_time ?? row.gun_time ?? text(`status.${row.status}`)),
    ),
  });

/**
 * A warning, with its sentence in the language of the reader. A warning without such a sentence has the file's cells.
 * If the API says more in English, the reader can open the English sentence.
 */
export function Warning(warning: Preview['warnings'][number]) {
  const { code, detail, rows } = warning;
  const title = <strong>{text(`warning.${code}`)}</strong>;
  if (document.documentElement.lang === 'en') {
    return (
      <li>
        {title} {detail}
      </li>
    );
  }
  const lines =
    rows.length > 0 ? text('inLines', { count: rows.length, rows: rows.join(', ') }) : '';
  return (
    <li>
      {title} {[sentenceOfWarning(warning) ?? quotedIn(detail), lines].filter(Boolean).join(' · ')}
      {isMoreInEnglish(warning) && (
        <details>
          <summary>{text('apiSays')}</summary>
          <p lang="en">{detail}</p>
        </details>
      )}
    </li>
  );
}
