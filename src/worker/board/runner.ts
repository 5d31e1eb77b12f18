import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { BoardResult } from './answer-schemas.ts';
import type { RunnerDetails } from './queries.ts';
import { type Group, publicRunnerOf, type Row, runnerOf, type Shown } from './ranking.ts';

export function toResult(
  { ranking, names }: Shown,
  row: Row,
  { splits, versions }: RunnerDetails,
): BoardResult {
  const { groups, rows, changedMs } = ranking;
  const { distance, gender, category } = row.group;
  function standing(isIn: (group: Group) => boolean): BoardResult['overall'] {
    if (row.finishMs === null) return null;
    const matches = new Set<Group>(groups.filter(isIn));
    let place = 1;
    for (const { finishMs, group } of rows) {
      if (finishMs === null || finishMs >= row.finishMs) break;
      if (matches.has(group)) place += 1;
    }
    return { place, of: groups.filter(isIn).reduce((sum, { finished }) => sum + finished, 0) };
  }
  const ofRace = (group: Group) => group.distance === distance;
  const ofGender = (group: Group) => ofRace(group) && group.gender === gender;
  const ofCategory = (group: Group) => ofGender(group) && group.category === category;
  const bestMs = rows.find(({ group }) => group.distance === distance)?.finishMs ?? 0;
  return {
    ...(splits.length > 0 ? publicRunnerOf(row, names) : runnerOf(row, names)),
    distance: distance || null,
    status: row.status,
    chip_time: formatRaceTimeOrNull(row.chipMs),
    gun_time: formatRaceTimeOrNull(row.gunMs),
    gap: row.finishMs === null ? null : formatRaceTime(row.finishMs - bestMs),
    overall: standing(ofRace),
    in_gender: gender ? standing(ofGender) : null,
    in_category: category ? standing(ofCategory) : null,
    splits: splits.map(({ name, time_ms, passed_ms }) => ({
      name,
      time: formatRaceTime(time_ms),
      passed_at: passed_ms === null ? null : new Date(passed_ms).toISOString(),
    })),
    history: toHistory(versions),
    changed_at: changedMs === 0 ? null : new Date(changedMs).toISOString(),
  };
}

type Version = RunnerDetails['versions'][number];

/** The changes of a result. A version that changes splits alone is left out. */
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
