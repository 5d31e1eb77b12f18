import { basename } from 'node:path';
import type { PassingUpload, ResultBatch } from '../../client/index.ts';
import { say } from '../words.ts';
import type { courseOf } from './course.ts';

/** A sender to the event: a key or the panel with the last batch of results, or a point with the point's passings. */
export type Sender = { from: string; what: string; at: string };

/** @param batches the newest first */
export function sendersOf(batches: readonly ResultBatch[]): Sender[] {
  const senders = new Map<string, Sender>();
  for (const batch of batches) {
    const { received_at: at, total_processed: count } = batch;
    const from = senderOf(batch);
    const what = `${sourceOf(batch)}, ${say('count_rows', { count })}`;
    if (!senders.has(from)) senders.set(from, { from, what, at });
  }
  return [...senders.values()];
}

/** Passings do not name the key, so the list shows the points instead of the senders. */
export const pointsOf = ({ points }: ReturnType<typeof courseOf>): Sender[] =>
  [...points].map(([from, { passings, received_at }]) => ({
    from,
    what: say('passings', { count: passings }),
    at: received_at,
  }));

/** Merges known senders with new senders. */
export function heard(before: readonly Sender[], now: readonly Sender[]): Sender[] {
  const all = new Map([...before, ...now].map((one) => [one.from, one]));
  return [...all.values()];
}

type Batch = ResultBatch | PassingUpload;

/** The sender of a batch: the name and the key of the laptop. */
export function senderOf({ sender, key_name, key_prefix }: Batch): string {
  const key = key_name === '' ? say('source_panel') : `${key_name} (${key_prefix})`;
  return sender === null ? key : `${sender}, ${key}`;
}

/** The file of a batch, or the key if the batch names no file. */
export function sourceOf({ source, file_name, key_name, reverts }: Batch): string {
  if (source === 'revert') return say('source_undo', { id: reverts?.slice(0, 8) });
  if (file_name !== null) return basename(file_name);
  return key_name === '' ? say('source_panel') : say('source_key', { name: key_name });
}
