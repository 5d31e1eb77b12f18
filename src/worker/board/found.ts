import { formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardFound } from './answer-schemas.ts';
import { namesLike } from './names.ts';
import { type Row, rowOfBib, runnerOf, type Shown } from './ranking.ts';
import { BIB_MAX, FOUND_MAX } from './schemas.ts';

/** The runners that somebody who types a text may mean. Names that the board does not show are not found. */
export function toFound({ ranking, names }: Shown, wanted: string): BoardFound {
  const ofBib = wanted.length > BIB_MAX ? undefined : rowOfBib(ranking, wanted);
  const alike = namesLike(names, wanted);
  const named = (row: Row) => row.status !== null && alike.has(names.byId.get(row.id) ?? '');
  const rows = ranking.rows.filter((row) => row !== ofBib && named(row));
  const all = ofBib ? [ofBib, ...rows] : rows;
  return {
    runners: all.slice(0, FOUND_MAX).map((row) => ({
      ...runnerOf(row, names),
      distance: row.group.distance || null,
      status: row.status,
      time: formatRaceTimeOrNull(row.finishMs),
    })),
    total: all.length,
  };
}
