import type { Live, Stop } from '../view.ts';

/** What `watch` knows beside the queue. Only `after` changes it. Times are of a clock that never jumps. */
type Watching = {
  /** Why the API cannot be reached; undefined while it can. */
  offline: string | undefined;
  isDiskFull: boolean;
  /** Versions that are not sent, by file. */
  stops: ReadonlyMap<string, Stop & { isQuiet: boolean }>;
  /** Undefined until the API has said it. */
  missing: number | undefined;
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
  stops: new Map(),
  missing: undefined,
  changedMs: nowMs,
  isUrgent: true,
  sendMs: nowMs,
  checkMs: nowMs,
});

export type Happened =
  | { is: 'version_taken'; file: string }
  /** There is nothing in the file, or it is not there any more. */
  | { is: 'version_passed'; file: string }
  | { is: 'version_stopped'; stop: Stop; isQuiet: boolean }
  | { is: 'all_looked_at' }
  /** A person has decided something. */
  | { is: 'entry' }
  | { is: 'sending' }
  | { is: 'sent'; nextMs: number }
  | { is: 'online' }
  | { is: 'offline'; why: string }
  | { is: 'checked'; missing: number; nextMs: number }
  | { is: 'disk_full' };

export function after(before: Watching, happened: Happened, nowMs: number): Watching {
  switch (happened.is) {
    case 'version_passed':
      return { ...before, stops: without(before.stops, happened.file) };
    case 'version_taken': {
      const isUrgent = before.isUrgent || before.offline === undefined;
      const stops = without(before.stops, happened.file);
      return { ...before, stops, changedMs: nowMs, isUrgent };
    }
    case 'version_stopped': {
      const { stop, isQuiet } = happened;
      return { ...before, stops: new Map(before.stops).set(stop.file, { ...stop, isQuiet }) };
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
    case 'disk_full':
      return { ...before, isDiskFull: true };
  }
}

const without = (stops: Watching['stops'], file: string): Watching['stops'] =>
  new Map([...stops].filter(([other]) => other !== file));

export const isSendDue = ({ isUrgent, sendMs }: Watching, nowMs: number): boolean =>
  isUrgent || nowMs >= sendMs;

/** What other commands and the page are told. */
export const liveOf = (watching: Watching, nowMs: number): Live => ({
  stops: [...watching.stops.values()].filter(({ isQuiet }) => !isQuiet),
  offline: watching.offline ?? null,
  missing: watching.missing ?? null,
  unchangedMinutes: Math.floor((nowMs - watching.changedMs) / 60_000),
  isDiskFull: watching.isDiskFull,
});
