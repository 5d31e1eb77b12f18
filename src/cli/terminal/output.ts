import pc from 'picocolors';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { isText, type Key, printable, printableJson, say, type Values } from '../words.ts';

/** A kind of line: `--quiet`, the stream and the colour depend on it. */
type Level = 'answer' | 'progress' | 'warning' | 'error';

/**
 * Prints the text of this name with its values, or with `--json` an object whose `type` is the name. A third
 * argument is a text that is written elsewhere; a blank one is for JSON alone.
 */
type Print = {
  (type: Key, values?: Values): void;
  (type: string, values: Values, text: string): void;
};

export type Output = {
  /** The answer that the command was run for. Printed under `--quiet` too. */
  answer: Print;
  /** Progress. Not printed under `--quiet`. */
  progress: Print;
  /** A warning. Yellow, on stderr. */
  warning: Print;
  /** A message that needs a person, or the reason why the command ends. Red, on stderr. */
  error: Print;
  /** Like `warning`, unless the last text about the same thing was the same. */
  once(thing: string, type: Key, values?: Values): void;
  /** @returns whether the last text about the thing was another one */
  isNew(thing: string, text: string): boolean;
  /** The thing is said again if it comes again. */
  forget(thing: string): void;
  /** The state of `watch`: in a terminal one line that is drawn again, elsewhere a line whenever it changes. */
  status(facts: Facts, at: Date): Shown;
  /** Leaves the last status line as it is. */
  end(): void;
};

type Stream = {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
};

const BELL = '\u0007';

/** Texts of files and servers cannot steer the terminal. */
export function createOutput(
  { isJson, isQuiet }: { isJson: boolean; isQuiet: boolean },
  { stdout, stderr }: { stdout: Stream; stderr: Stream },
): Output {
  const said = new Map<string, string>();
  const isLive = stdout.isTTY === true && !isJson && !isQuiet;
  let drawn = '';
  let last = '';
  let lastState = '';
  const clear = () => {
    if (drawn !== '') stdout.write('\r\u001b[2K');
    drawn = '';
  };
  const draw = (state: string, line: string) => {
    const needsPerson = state === 'STOPPED' || state === 'HELD BACK';
    if (needsPerson && state !== lastState) stdout.write(BELL);
    lastState = state;
    const fitting = printable(line).slice(0, (stdout.columns ?? 80) - 1);
    if (drawn === fitting) return;
    clear();
    const paint = needsPerson ? pc.red : state === 'OK' ? String : pc.yellow;
    stdout.write(paint(fitting));
    drawn = fitting;
  };
  const print = (level: Level, stream: Stream, colour: (text: string) => string = String) => {
    const paint = stream.isTTY ? colour : String;
    return (type: string, values: Values = {}, written?: string): void => {
      if (isQuiet && level === 'progress') return;
      clear();
      const text = written ?? (isText(type) ? say(type, values) : '');
      if (isJson) {
        const message = level === 'answer' ? undefined : text;
        stdout.write(`${printableJson({ type, ...values, level, message })}\n`);
      } else if (text !== '') {
        stream.write(`${paint(printable(text))}\n`);
      }
    };
  };
  const output: Output = {
    answer: print('answer', stdout),
    progress: print('progress', stdout),
    warning: print('warning', stderr, pc.yellow),
    error: print('error', stderr, pc.red),
    once(thing, type, values) {
      if (output.isNew(thing, say(type, values))) output.warning(type, values);
    },
    isNew(thing, text) {
      if (said.get(thing) === text) return false;
      said.set(thing, text);
      return true;
    },
    forget: (thing) => void said.delete(thing),
    status(facts, at) {
      const shown = shownState(facts);
      const line = statusLine(shown.text, facts, at);
      const now = JSON.stringify({ ...shown, ...facts });
      if (isLive) draw(shown.state, line);
      else if (now !== last) output.progress('status', { ...facts, ...shown }, line);
      last = now;
      return shown;
    },
    end() {
      if (drawn !== '') stdout.write('\n');
      drawn = '';
    },
  };
  return output;
}

/** The state of `watch`, as its status line and `status` show it. */
export type Facts = {
  /** Why a file is not read, in a few words; undefined if all are. */
  stopped: string | undefined;
  /** Rows that wait for a person, and why the first of them does. */
  heldBack: number;
  heldWhy: string;
  offline: string | undefined;
  /** Since when no file has changed. */
  unchangedMinutes: number;
  fileRows: number;
  queue: number;
  rejected: number;
  /** Undefined until the API has said it. */
  missing: number | undefined;
  held: number;
};

/** The first part of the status line, and its name for programs. */
type Shown = { state: string; text: string };

const UNCHANGED_MINUTES = 10;
const STATE_WIDTH = 60;

/** The state first: what needs a person comes before what mends itself. It fits into 60 columns. */
export function shownState(facts: Facts): Shown {
  const { stopped, heldBack, offline, unchangedMinutes } = facts;
  const shown = (state: string, key: Key): Shown => {
    const text = say(key, facts);
    const isLong = text.length > STATE_WIDTH;
    return { state, text: isLong ? `${text.slice(0, STATE_WIDTH - 1)}…` : text };
  };
  if (stopped !== undefined) return shown('STOPPED', 'state_stopped');
  if (heldBack > 0) return shown('HELD BACK', 'state_held_back');
  if (offline !== undefined) return shown('OFFLINE', 'state_offline');
  if (unchangedMinutes >= UNCHANGED_MINUTES) return shown('FILE UNCHANGED', 'state_unchanged');
  return shown('OK', 'state_ok');
}

/** The exit code of a state, for scripts. */
export const exitCodeOf = (state: string, rejected: number): ExitCode => {
  if (state === 'STOPPED' || state === 'HELD BACK') return EXIT.guard;
  if (state === 'OFFLINE') return EXIT.offline;
  return rejected > 0 ? EXIT.rejected : EXIT.done;
};

/** The line reads without colour. */
const statusLine = (state: string, { missing, ...facts }: Facts, at: Date): string =>
  say('status_line', { ...facts, state, clock: clock(at), missing: missing ?? '-' });

/** Rows as columns that line up. Numbers stand to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const isNumber = header.map((_, at) => rows.every((row) => /^[\d.:-]*$/.test(row[at] ?? '')));
  const cell = (text: string, width: number, at: number) =>
    isNumber[at] ? text.padStart(width) : text.padEnd(width);
  return all
    .map((row) =>
      widths
        .map((width, at) => cell(row[at] ?? '', width, at))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** An instant as the clock of this laptop shows it. */
export function localTime(instant: string): string {
  const at = new Date(instant);
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map(twoDigits).join('-');
  return `${day} ${clock(at)}`;
}

const clock = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');

const twoDigits = (value: number): string => String(value).padStart(2, '0');
