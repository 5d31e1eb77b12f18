import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from './context.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { Feed } from './feed.ts';
import { lockHolder } from './lock.ts';
import { waitMs } from './sender.ts';
import { leaveDecision, type NewDecision, type RaceState, readState } from './state.ts';

/** What became of a decision. */
type Delivered =
  /** It is done; of a `set`, the API has stored the row. */
  | { outcome: 'done' }
  | { outcome: 'rejected'; reason: string; code: string }
  /** It is kept in the state folder, and sent later. */
  | { outcome: 'waiting'; why: string };

const ATTEMPTS = 3;
/** A running `watch` takes a decision within a moment, and sends it with its next batch. */
const PATIENCE_MS = 15_000;
const LOOK_EVERY_MS = 250;

/**
 * Makes a decision: leaves it on the disk, and sends it. If another process is at work in the state folder,
 * that one sends it.
 * @throws CliError if the key or the event is refused; the decision is kept
 */
export async function deliver(context: Context, decision: NewDecision): Promise<Delivered> {
  const { stateDir } = context.settings;
  const { id } = await leaveDecision(stateDir, decision);
  const feed = await openIfFree(context);
  if (!feed) return awaitRunning(context, id, decision);
  try {
    return await sendAll(context, feed, decision);
  } finally {
    await feed.close();
  }
}

async function openIfFree(context: Context): Promise<Feed | undefined> {
  try {
    return await Feed.open(context, undefined);
  } catch (error) {
    if (error instanceof CliError && error.exitCode === EXIT.running) return undefined;
    throw error;
  }
}

async function sendAll({ signal }: Context, feed: Feed, decision: NewDecision): Promise<Delivered> {
  for (let failures = 0; ; ) {
    const delivered = outcomeOf(feed.state, decision);
    if (delivered) return delivered;
    const sent = await feed.send(signal);
    if (sent.kind === 'idle') return { outcome: 'done' };
    if (sent.kind === 'disk') return { outcome: 'waiting', why: sent.why };
    if (sent.kind === 'answered') continue;
    failures += 1;
    if (failures >= ATTEMPTS) return { outcome: 'waiting', why: sent.why };
    await wait(waitMs(failures - 1, sent.retryAfterSeconds), undefined, { signal });
  }
}

async function awaitRunning(
  { settings, signal }: Context,
  id: string,
  decision: NewDecision,
): Promise<Delivered> {
  const { stateDir } = settings;
  const endsAt = performance.now() + PATIENCE_MS;
  const holder = await lockHolder(stateDir);
  while (performance.now() < endsAt) {
    // Without decisions that still wait to be taken.
    const state = await readState(stateDir, 'journal');
    const delivered = state.decisions.has(id) ? outcomeOf(state, decision) : undefined;
    if (delivered) return delivered;
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
  const who = holder ? `process ${holder.pid}` : 'the running process';
  return { outcome: 'waiting', why: `${who} has the queue, and sends it as soon as it is online` };
}

/** @returns undefined as long as the row waits */
function outcomeOf(state: RaceState, decision: NewDecision): Delivered | undefined {
  if (decision.type !== 'set') return { outcome: 'done' };
  const bib = decision.row.bib_number;
  if (state.queue.has(bib) || state.flight?.rows.has(bib)) return undefined;
  const rejection = state.rejected.get(bib);
  return rejection
    ? { outcome: 'rejected', reason: rejection.reason, code: rejection.code }
    : { outcome: 'done' };
}
