import * as z from 'zod/mini';
import type { RaceResultsClient } from '../../client/index.ts';
import { formatRaceTime, formatRaceTimeOrNull } from '../../timing-files/read/race-time.ts';
import type { Result } from '../../timing-files/read/result.ts';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';
import { checked } from './api.ts';

const time = z.nullable(z.string());

/** A result as the API answers it: statuses spelled out, times as `HH:MM:SS.mmm`. */
export const ResultRow = z.object({
  bib_number: z.string(),
  status: z.enum(RESULT_STATUSES),
  chip_time: time,
  gun_time: time,
  splits: z.record(z.string(), z.string()),
});
export type ResultRow = z.infer<typeof ResultRow>;

export const rowOf = (result: Result): ResultRow => ({
  bib_number: result.bib,
  status: result.status,
  chip_time: formatRaceTimeOrNull(result.chipTimeMs),
  gun_time: formatRaceTimeOrNull(result.gunTimeMs),
  splits: Object.fromEntries(
    result.splitNames.map((name, at) => [name, formatRaceTime(result.splitTimesMs[at] ?? 0)]),
  ),
});

/** Equal texts are equal results: the order of the splits says nothing. */
export function textOf({ bib_number, status, chip_time, gun_time, splits }: ResultRow): string {
  const sorted = Object.entries(splits).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify({
    bib_number,
    status,
    chip_time,
    gun_time,
    splits: Object.fromEntries(sorted),
  });
}

/** Only for texts of `textOf`. */
export const rowIn = (text: string): ResultRow => JSON.parse(text);

/** `FINISHED 01:28:03.000`, `DSQ`: a result for people. */
export function shortResult({ status, chip_time, gun_time }: ResultRow): string {
  const finish = chip_time ?? gun_time;
  return finish === null ? status : `${status} ${finish}`;
}

export const shortText = (text: string | undefined | null): string =>
  text == null ? '-' : shortResult(rowIn(text));

const Exported = z.extend(ResultRow, { bib_number: time, distance: time });

/** All results that the API holds: their texts by bib, and their distances. @throws RaceResultsError */
export async function readHeldResults(
  client: RaceResultsClient,
  eventId: string,
  signal: AbortSignal,
) {
  const held = { texts: new Map<string, string>(), distances: new Set<string>() };
  for await (const one of client.exportEventResults(eventId, {}, { signal })) {
    const { distance, bib_number, ...row } = checked(Exported, one, 'exportEventResults');
    if (distance !== null) held.distances.add(distance);
    if (bib_number !== null) held.texts.set(bib_number, textOf({ ...row, bib_number }));
  }
  return held;
}
