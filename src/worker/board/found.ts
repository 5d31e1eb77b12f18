import { formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardFound } from './answer-schemas.ts';
import { namesLike } from './names.ts';
import { publicRunnerOf, type Row, rowOfBib, runnerOf, type Shown } from './ranking.ts';
import { BIB_MAX, FOUND_MAX } from './schemas.ts';

/** The runners that a typed text may mean. Names hidden from the board are not found. */
export function toFound({ ranking, names }: Shown, wanted: string): BoardFound {
  const ofBib = wanted.length > BIB_MAX ? undefined : rowOfBib(ranking, wanted);
  const isShown = ({ id, status }: Row) =>
    names.isFull || status !== null || names.onCourse.has(id);
  const findable = new Set(
    names.isFull ? [] : ranking.rows.filter(isShown).map(({ id }) => names.byId.get(id) ?? ''),
  );
  const alike = namesLike(names, wanted, (name) => findable.has(name));
  const named = (row: Row) => isShown(row) && alike.names.has(names.byId.get(row.id) ?? '');
  const isLater = ({ id }: Row) => !alike.likeliest.has(names.byId.get(id) ?? '');
  const rows = ranking.rows
    .filter((row) => row !== ofBib && named(row))
    .toSorted((one, other) => Number(isLater(one)) - Number(isLater(other)));
  const all = ofBib ? [ofBib, ...rows] : rows;
  return {
    runners: all.slice(0, FOUND_MAX).map((row) => ({
      ...(names.onCourse.has(row.id) ? publicRunnerOf(row, names) : runnerOf(row, names)),
      distance: row.group.distance || null,
      status: row.status,
      time: formatRaceTimeOrNull(row.finishMs),
    })),
    total: all.length,
    are_nearest: alike.areNearest && !ofBib && all.length > 0,
  };
}
