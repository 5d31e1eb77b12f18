import * as z from 'zod/mini';
import type { RaceResultsClient } from '../../client/index.ts';
import { checked } from './api.ts';
import { ResultRow, textOf } from './result-row.ts';

const Exported = z.extend(ResultRow, {
  bib_number: z.nullable(z.string()),
  distance: z.nullable(z.string()),
});

/** All results that the API holds: their texts by bib, and their distances. */
type HeldResults = { texts: Map<string, string>; distances: Set<string> };

/** @throws RaceResultsError, or the signal's reason */
export async function readHeldResults(
  client: RaceResultsClient,
  eventId: string,
  signal: AbortSignal,
): Promise<HeldResults> {
  const held: HeldResults = { texts: new Map(), distances: new Set() };
  for await (const one of client.exportEventResults(eventId, {}, { signal })) {
    const { distance, ...row } = checked(Exported, one, 'exportEventResults');
    if (distance !== null) held.distances.add(distance);
    const { bib_number } = row;
    if (bib_number !== null) held.texts.set(bib_number, textOf({ ...row, bib_number }));
  }
  return held;
}
