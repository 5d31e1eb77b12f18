import { setTimeout as sleep } from 'node:timers/promises';
import type { RaceResultsClient } from '../../client/index.ts';

/** The most rows of the wrong upload. */
const ROWS_MAX = 100;
const WRONG_TIME = '00:00:01.000';

/** A wrong upload that was reverted. */
export type Mistake = { rows: number; restored: number; removed: number; kept: number };

type Making = {
  client: RaceResultsClient;
  eventId: string;
  bibs: readonly string[];
  afterMs: number;
  signal: AbortSignal;
};

/**
 * Uploads a wrong time for some bibs during the race, and reverts the upload.
 * @returns undefined if the signal comes first
 */
export async function makeMistake(making: Making): Promise<Mistake | undefined> {
  const { client, eventId, afterMs, signal } = making;
  const isOver = await sleep(afterMs, false, { signal }).catch(() => true);
  if (isOver) return undefined;
  const bibs = making.bibs.slice(0, ROWS_MAX);
  const results = bibs.map((bib_number) => ({ bib_number, chip_time: WRONG_TIME }));
  const wrong = await client.uploadEventResults(eventId, { results });
  const reversal = await client.revertResultBatch(eventId, wrong.batch_id);
  const { restored, removed, kept } = reversal;
  return { rows: bibs.length, restored, removed, kept };
}
