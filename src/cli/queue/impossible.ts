import type { RaceResultsClient } from '../../client/index.ts';
import { isRaceResultsError } from '../../client/index.ts';
import { parseRaceTime } from '../../timing-files/read/race-time.ts';
import { EXIT } from '../exit-codes.ts';
import { failureOf } from './api.ts';
import { passingIn, pointOf } from './item.ts';
import type { RaceState } from './state.ts';
import { csvOf } from './upload.ts';

/** After so many questions, all rows of which one is impossible count as such. */
const QUESTIONS_MAX = 100;
/** So many passings say how long a point takes. */
const PASSINGS_MIN = 5;

type Rows = readonly (readonly [key: string, text: string])[];

/**
 * Finds the results that nobody runs over their distance: halves are asked about, until one row is left.
 * @throws RaceResultsError
 */
export async function impossibleResults(
  client: RaceResultsClient,
  eventId: string,
  rows: Rows,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  const groups = [rows];
  let questions = 0;
  for (let group = groups.shift(); group; group = groups.shift()) {
    questions += 1;
    const isOver = questions > QUESTIONS_MAX;
    const texts = group.map(([, text]) => text);
    if (texts.length === 0 || !(isOver || (await hasImpossible(client, eventId, texts, signal)))) {
      continue;
    }
    const half = Math.ceil(group.length / 2);
    if (isOver || half === group.length) found.push(...group.map(([key]) => key));
    else groups.push(group.slice(0, half), group.slice(half));
  }
  return found;
}

async function hasImpossible(
  client: RaceResultsClient,
  eventId: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { csv, read } = csvOf(texts);
  try {
    const { warnings } = await client.previewEventResultsFile(eventId, csv, { read, signal });
    return warnings.some(({ code }) => code === 'implausible_for_distance');
  } catch (error) {
    // The upload says why these rows are refused.
    if (isRaceResultsError(error) && failureOf(error).exitCode === EXIT.unclear) return false;
    throw error;
  }
}

/** Passings in less than half the time of the fastest that is stored, as times of day are after midnight. */
export function impossiblePassings({ known }: RaceState, rows: Rows): string[] {
  const storedAt = (point: string | undefined) =>
    [...known].flatMap(([key, { stored }]) =>
      stored !== null && pointOf(key) === point ? [timeOf(stored)] : [],
    );
  const fastest = new Map<string | undefined, number>();
  for (const point of new Set(rows.map(([key]) => pointOf(key)))) {
    const times = storedAt(point);
    if (times.length >= PASSINGS_MIN) fastest.set(point, Math.min(...times));
  }
  return rows.flatMap(([key, text]) =>
    timeOf(text) * 2 < (fastest.get(pointOf(key)) ?? 0) ? [key] : [],
  );
}

const timeOf = (text: string): number => parseRaceTime(passingIn(text)?.time ?? '') ?? 0;
