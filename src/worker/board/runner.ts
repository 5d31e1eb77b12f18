import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import { RANKS } from '../../timing-files/read/ranking-rule.ts';
import { startOf } from '../../timing-files/read/starts.ts';
import type { BoardResult } from './answer-schemas.ts';
import type { Course } from './course.ts';
import { type RunnerDetails, SPAN_MS } from './queries.ts';
import { type Group, publicRunnerOf, type Row, runnerOf, type Shown } from './ranking.ts';

export function toResult(
  { ranking, names, course }: Shown,
  row: Row,
  { splits, versions, before_in_span }: RunnerDetails,
): BoardResult {
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
    splits: splits
      .map((split) => {
        const isOfGun = isSinceGun(split, row.chipMs);
        return {
          name: split.name,
          time_ms: isOfGun ? split.time_ms - (delayMs ?? 0) : split.time_ms,
          passed_at: passedAt(startsAt, isOfGun ? 0 : delayMs, split),
        };
      })
      .filter(({ time_ms }) => time_ms > 0)
      .sort((one, other) => one.time_ms - other.time_ms)
      .map(({ time_ms, ...split }) => ({ ...split, time: formatRaceTime(time_ms) })),
    place_at_last_point: placeAtPoint(course, distance, splits.at(-1), before_in_span),
    history: toHistory(versions),
    changed_at: changedMs === 0 ? null : new Date(changedMs).toISOString(),
  };
}

type Split = RunnerDetails['splits'][number];

/** @param beforeInSpan the number of runners earlier in the same span; null if the runner has a result or no passing */
function placeAtPoint(
  course: Course,
  distance: string,
  last: Split | undefined,
  beforeInSpan: number | null,
): number | null {
  const point = course.find((one) => one.distance === distance && one.point === last?.name);
  if (!last || !point || beforeInSpan === null) return null;
  const own = Math.floor(last.time_ms / SPAN_MS);
  const spans = point.spans.filter(([number]) => number < own);
  return 1 + spans.reduce((sum, [, passed]) => sum + passed, beforeInSpan);
}

/** A point at the start line: its time since the gun is the delay of the start. */
const AT_START = /^(start|salida|largada|départ|partenza|km\.?\s*0)$/i;

/** The time from the gun to the start line; null if unknown. */
function startDelayMs({ chipMs, gunMs }: Row, splits: readonly Split[]): number | null {
  if (chipMs !== null && gunMs !== null && gunMs >= chipMs) return gunMs - chipMs;
  return splits.find(({ name }) => AT_START.test(name.trim()))?.time_ms ?? null;
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
