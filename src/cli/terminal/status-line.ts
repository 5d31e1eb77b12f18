import pc from 'picocolors';
import * as z from 'zod/mini';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable, rows, say } from '../words.ts';
import { clock, type Output } from './output.ts';

/** What `watch` knows about itself. */
export type Facts = {
  /** Why a file is not read, in a few words; undefined if all are. */
  stopped: string | undefined;
  /** Rows that wait for a person, and why the first of them does. */
  heldBack: number;
  heldWhy: string;
  offline: string | undefined;
  /** Since when no file has changed; undefined before the first row. */
  unchangedMinutes: number | undefined;
  fileRows: number;
  queue: number;
  rejected: number;
  /** Undefined until the API has said it. */
  missing: number | undefined;
  held: number;
};

const STATES = ['STOPPED', 'HELD BACK', 'FILE UNCHANGED', 'OFFLINE', 'OK'] as const;

/** The line of `watch`, as `status` reads it. */
export const Shown = z.object({ state: z.enum(STATES), text: z.string(), at: z.string() });
export type Shown = z.infer<typeof Shown>;

const UNCHANGED_MINUTES = 10;
const STATE_WIDTH = 60;

/** The state first: what needs a person comes before what mends itself. It fits into 60 columns. */
export function shownState(facts: Facts, at: Date): Shown {
  const { stopped, heldBack, heldWhy, offline, unchangedMinutes = 0, queue } = facts;
  const shown = (state: Shown['state'], text: string): Shown => ({
    ...{ state, at: at.toISOString() },
    text: text.length > STATE_WIDTH ? `${text.slice(0, STATE_WIDTH - 1)}…` : text,
  });
  if (stopped !== undefined) return shown('STOPPED', `${say('stopped')}: ${stopped}`);
  if (heldBack > 0) {
    const held = `${say('held_back')} ${rows(heldBack)}`;
    return shown('HELD BACK', `${held}: ${heldWhy}`);
  }
  if (offline !== undefined) {
    const wait = say('wait', { rows: rows(queue) });
    return shown('OFFLINE', `${say('offline')}, ${wait}: ${offline}`);
  }
  if (unchangedMinutes < UNCHANGED_MINUTES) return shown('OK', say('ok'));
  const minutes = say('file_unchanged_for_min', { unchangedMinutes });
  return shown('FILE UNCHANGED', minutes);
}

/** The exit code of a state, for scripts. */
export const exitCodeOf = (state: Shown['state'], rejected: number): ExitCode => {
  if (state === 'STOPPED' || state === 'HELD BACK') return EXIT.guard;
  if (state === 'OFFLINE') return EXIT.offline;
  return rejected > 0 ? EXIT.rejected : EXIT.done;
};

const needsPerson = ({ state }: Shown): boolean => state === 'STOPPED' || state === 'HELD BACK';

/** The line reads without colour. */
function statusText({ text }: Shown, facts: Facts, at: Date): string {
  const { fileRows, queue, rejected, missing, held } = facts;
  return [
    text,
    clock(at),
    rows(fileRows),
    `${say('queue')} ${queue}`,
    `${say('rejected')} ${rejected}`,
    `${say('missing')} ${missing ?? '-'}`,
    `${say('held')} ${held}`,
  ].join('  ');
}

type Terminal = {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
};

export type StatusLine = {
  /** Prints other lines above the status line. */
  output: Output;
  /** @returns whether the state has changed */
  show(facts: Facts, at: Date): Shown;
  /** Leaves the last line as it is. */
  end(): void;
};

const BELL = '\u0007';

/** In a terminal one line that is drawn again; elsewhere a line whenever something has changed. */
export function createStatusLine(
  plain: Output,
  { isJson, isQuiet }: { isJson: boolean; isQuiet: boolean },
  terminal: Terminal,
): StatusLine {
  let last = '';
  let lastState: Shown['state'] | undefined;
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) terminal.write('\r\u001b[2K');
    isDrawn = false;
  };
  const isLive = terminal.isTTY === true && !isJson && !isQuiet;
  const above =
    (print: Output[keyof Output]): Output[keyof Output] =>
    (event, text) => {
      clear();
      print(event, text);
    };
  const draw = (shown: Shown, facts: Facts, at: Date) => {
    const line = printable(statusText(shown, facts, at)).slice(0, (terminal.columns ?? 80) - 1);
    if (isDrawn && line === last) return;
    last = line;
    clear();
    const paint = needsPerson(shown) ? pc.red : shown.state === 'OK' ? String : pc.yellow;
    terminal.write(paint(line));
    isDrawn = true;
  };
  return {
    output: {
      answer: above(plain.answer),
      progress: above(plain.progress),
      warning: above(plain.warning),
      error: above(plain.error),
    },
    show(facts, at) {
      const shown = shownState(facts, at);
      if (isLive && needsPerson(shown) && shown.state !== lastState) terminal.write(BELL);
      lastState = shown.state;
      if (isLive) {
        draw(shown, facts, at);
        return shown;
      }
      const said = JSON.stringify({ ...facts, state: shown.state });
      if (said === last) return shown;
      last = said;
      plain.progress({ type: 'status', ...shown, ...facts }, statusText(shown, facts, at));
      return shown;
    },
    end() {
      if (isDrawn) terminal.write('\n');
      isDrawn = false;
    },
  };
}
