import { foldedPoint, inToldOrder, isStartLine } from '../../timing-files/read/point.ts';
import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import { RANKS } from '../../timing-files/read/ranking-rule.ts';
import { startOf } from '../../timing-files/read/starts.ts';
import type { BoardResult } from './answer-schemas.ts';
import type { Course } from './course.ts';
import type { RunnerDetails } from './find-details.ts';
import {
  type Group,
  hasStarted,
  publicRunnerOf,
  type Row,
  runnerOf,
  type Shown,
} from './ranking.ts';
import { SPAN_MS } from './select-course.ts';

export function toResult(
  { ranking, names, course }: Shown,
  row: Row,
  details: RunnerDetails,
): BoardResult {
  const { splits, versions } = row.status === null ? withoutResult(details) : details;
  const { groups, rows, changedMs } = ranking;
  const { distance, gender, category } = row.group;
  const standing = (
    place: number | null,
    isIn: (group: Group) => boolean,
  ): BoardResult['overall'] =>
    place === null
      ? null
      : { place, of: groups.filter(isIn).reduce((sum, { finished }) => sum + finished, 0) };
  const ofRace = (group: Group) => group.distance === distance;
  const ofGender = (group: Group) => ofRace(group) && group.gender === gender;
  const ofCategory = (group: Group) => ofGender(group) && group.category === category;
  const bestMs = rows.find(({ group }) => group.distance === distance)?.finishMs ?? 0;
  // Where the gun time ranks, the runner's clock is the gun's.
  const isByGun = RANKS[ranking.event.rank_by].overall === 'gun';
  const delayMs = isByGun ? null : startDelayMs(row, splits);
  const runner = { bib: row.bib, distance: distance || null };
  const startsAt = startOf(ranking.event.starts, runner)?.starts_at ?? null;
  const byTime = merged(splits)
    .map((split) => {
      const isOfGun = isSinceGun(split, row.chipMs);
      return {
        name: split.name,
        time_ms: isOfGun ? split.time_ms - (delayMs ?? 0) : split.time_ms,
        passed_at: passedAt(startsAt, isOfGun ? 0 : delayMs, split),
        place: hasStarted(row) ? placeAtPoint(course, distance, split) : null,
      };
    })
    .filter(({ time_ms }) => time_ms > 0)
    .sort((one, other) => one.time_ms - other.time_ms);
  const shown = inToldOrder(toldPoints(course), distance || null, byTime, ({ name }) => name);
  return {
    ...(splits.length > 0 ? publicRunnerOf(row, names) : runnerOf(row, names)),
    distance: distance || null,
    status: row.status,
    rank_by: ranking.event.rank_by,
    chip_time: formatRaceTimeOrNull(row.chipMs),
    gun_time: formatRaceTimeOrNull(row.gunMs),
    gap: row.finishMs === null ? null : formatRaceTime(row.finishMs - bestMs),
    overall: standing(row.place, ofRace),
    in_gender: standing(row.genderPlace, ofGender),
    in_category: standing(row.categoryPlace, ofCategory),
    starts_at: startsAt,
    start_delay: formatRaceTimeOrNull(delayMs),
    splits: shown.map(({ time_ms, ...split }) => ({ ...split, time: formatRaceTime(time_ms) })),
    place_at_last_point: row.status === null ? (shown.at(-1)?.place ?? null) : null,
    history: toHistory(versions),
    changed_at: changedMs === 0 ? null : new Date(changedMs).toISOString(),
  };
}

type Split = RunnerDetails['splits'][number];

/** The ranking is older than the details if a result came between. The answer knows nothing of this result. */
const withoutResult = ({ splits, versions }: RunnerDetails): RunnerDetails => ({
  splits: splits.flatMap((split) =>
    split.passing_ms === null ? [] : { ...split, time_ms: split.passing_ms, is_passing: true },
  ),
  versions: versions.slice(0, versions.findLastIndex(({ status }) => status === null) + 1),
});

/** A sent split and a passing at one point are one split: the sent time counts, and the passing has the place. */
function merged(found: readonly Split[]): Split[] {
  const passings = new Map(
    found.flatMap((split) => (split.is_passing ? [[foldedPoint(split.name), split]] : [])),
  );
  const sent = new Set(
    found.flatMap(({ name, is_passing }) => (is_passing ? [] : [foldedPoint(name)])),
  );
  return found.flatMap((split) => {
    if (split.is_passing) return sent.has(foldedPoint(split.name)) ? [] : [split];
    const { passing_ms, before_in_span } = passings.get(foldedPoint(split.name)) ?? split;
    return [{ ...split, passing_ms, before_in_span }];
  });
}

/** The points that the organization told. */
const toldPoints = (course: Course) =>
  course
    .filter(({ passed }) => passed === 0)
    .map(({ point, distance, km }, order) => ({ name: point, distance, order, km }));

/** The place among the passings of the race at a point; null without a passing. */
function placeAtPoint(
  course: Course,
  distance: string,
  { name, passing_ms, before_in_span }: Split,
): number | null {
  const point = course.find(
    (one) =>
      one.distance === distance && one.passed > 0 && foldedPoint(one.point) === foldedPoint(name),
  );
  if (!point || passing_ms === null || before_in_span === null) return null;
  const own = Math.floor(passing_ms / SPAN_MS);
  const spans = point.spans.filter(([number]) => number < own);
  return 1 + spans.reduce((sum, [, passed]) => sum + passed, before_in_span);
}

/** The time from the gun to the start line; null if unknown. */
function startDelayMs({ chipMs, gunMs }: Row, splits: readonly Split[]): number | null {
  if (chipMs !== null && gunMs !== null && gunMs >= chipMs) return gunMs - chipMs;
  return splits.find(({ name }) => isStartLine(name))?.time_ms ?? null;
}

/** @param delayMs from the gun to the zero of the split's time; null if unknown */
function passedAt(startsAt: string | null, delayMs: number | null, { time_ms }: Split) {
  if (startsAt === null || delayMs === null) return null;
  return new Date(Date.parse(startsAt) + delayMs + time_ms).toISOString();
}

/** Passings count from the gun, and so does a split beyond the chip time. */
const isSinceGun = ({ time_ms, is_passing }: Split, chipMs: number | null): boolean =>
  is_passing || (chipMs !== null && time_ms > chipMs);

type Version = RunnerDetails['versions'][number];

/** The changes of a result. A version with a change of splits alone is left out. */
function toHistory(versions: readonly Version[]): BoardResult['history'] {
  const isTold = (version: Version, at: number) => {
    const before = versions[at - 1];
    return (
      !before ||
      version.status !== before.status ||
      version.chip_time_ms !== before.chip_time_ms ||
      version.gun_time_ms !== before.gun_time_ms
    );
  };
  return versions.filter(isTold).map(({ number, made_ms, is_revert, status, reason }) => ({
    what: is_revert
      ? 'reverted'
      : status === null
        ? 'removed'
        : number === 1
          ? 'sent'
          : 'corrected',
    at: made_ms === null ? null : new Date(made_ms).toISOString(),
    reason,
  }));
}
