import type { Official } from '../official.ts';
import { heard, type Sender } from '../senders.ts';
import type { Live } from '../view.ts';

/** What `watch` knows beside the queue. Only `after` changes it. Times are of a clock that never jumps. */
type Watching = {
  /** Why the API cannot be reached; undefined while it can. */
  offline: string | undefined;
  isDiskFull: boolean;
  /** Undefined until the API has said it. */
  missing: number | undefined;
  /** Null if no version is official, undefined until the API has said it. */
  official: Official | null | undefined;
  keys: readonly Sender[];
  points: readonly Sender[];
  /** When a file has changed last. */
  changedMs: number;
  /** Whether something new is to be sent at once. */
  isUrgent: boolean;
  sendMs: number;
  /** When the API is asked next what it holds. */
  checkMs: number;
};

export const startedAt = (nowMs: number): Watching => ({
  offline: undefined,
  isDiskFull: false,
  missing: undefined,
  official: undefined,
  keys: [],
  points: [],
  changedMs: nowMs,
  isUrgent: true,
  sendMs: nowMs,
  checkMs: nowMs,
});

export type Happened =
  | { is: 'version_taken' }
  | { is: 'all_looked_at' }
  /** A person has decided something. */
  | { is: 'entry' }
  | { is: 'sending' }
  | { is: 'sent'; nextMs: number }
  | { is: 'online' }
  | { is: 'offline'; why: string }
  | { is: 'checked'; missing: number; nextMs: number }
  /** Runners have results who had none. */
  | { is: 'stored'; results: number }
  | { is: 'batches_read'; keys: readonly Sender[] }
  | { is: 'course_read'; points: readonly Sender[] }
  | { is: 'official_read'; official: Official | null }
  | { is: 'disk_full' };

export function after(before: Watching, happened: Happened, nowMs: number): Watching {
  switch (happened.is) {
    case 'version_taken': {
      const isUrgent = before.isUrgent || before.offline === undefined;
      return { ...before, changedMs: nowMs, isUrgent };
    }
    case 'all_looked_at':
      return { ...before, isDiskFull: false };
    case 'entry':
      return { ...before, isUrgent: true };
    case 'sending':
      return { ...before, isUrgent: false };
    case 'sent':
      return { ...before, sendMs: happened.nextMs };
    case 'online':
      return { ...before, offline: undefined };
    case 'offline':
      return { ...before, offline: happened.why };
    case 'checked':
      return { ...before, missing: happened.missing, checkMs: happened.nextMs };
    case 'stored': {
      const { missing } = before;
      const left = missing === undefined ? undefined : Math.max(0, missing - happened.results);
      return { ...before, missing: left };
    }
    case 'batches_read':
      return { ...before, keys: heard(before.keys, happened.keys) };
    case 'course_read':
      return { ...before, points: happened.points };
    case 'official_read':
      return { ...before, official: happened.official };
    case 'disk_full':
      return { ...before, isDiskFull: true };
  }
}

export const isSendDue = ({ isUrgent, sendMs }: Watching, nowMs: number): boolean =>
  isUrgent || nowMs >= sendMs;

/** What other commands and the page are told. */
export const liveOf = (watching: Watching, nowMs: number): Live => ({
  offline: watching.offline ?? null,
  missing: watching.missing ?? null,
  official: watching.official ?? null,
  senders: [...watching.points, ...watching.keys],
  unchangedMinutes: Math.floor((nowMs - watching.changedMs) / 60_000),
  isDiskFull: watching.isDiskFull,
});
