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

export type Output = ReturnType<typeof createOutput>;

export type Stream = {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
  hasColors?(): boolean;
};

const COLOURS = { red: 31, yellow: 33 } as const;
type Colour = keyof typeof COLOURS;

/** Only where the terminal has colours: `hasColors` reads NO_COLOR and TERM. */
const painted = (text: string, stream: Stream, colour: Colour | undefined): string =>
  colour && stream.hasColors?.() ? `\u001b[${COLOURS[colour]}m${text}\u001b[39m` : text;

const BELL = '\u0007';
const CLEAR_LINE = '\r\u001b[2K';

/** Texts of files and servers cannot steer the terminal. */
export function createOutput(
  { isJson, isQuiet }: { isJson: boolean; isQuiet: boolean },
  { stdout, stderr }: { stdout: Stream; stderr: Stream },
) {
  const said = new Map<string, string>();
  const isLive = stdout.isTTY === true && !isJson && !isQuiet;
  let drawn = '';
  let last = '';
  let lastState = '';
  const clear = () => {
    if (drawn !== '') stdout.write(CLEAR_LINE);
    drawn = '';
  };
  const draw = (state: string, line: string) => {
    const needsPerson = isForPerson(state);
    if (needsPerson && state !== lastState) stdout.write(BELL);
    lastState = state;
    const fitting = printable(line).slice(0, (stdout.columns ?? 80) - 1);
    if (drawn === fitting) return;
    clear();
    const colour = needsPerson ? 'red' : 'yellow';
    stdout.write(painted(fitting, stdout, state === 'OK' ? undefined : colour));
    drawn = fitting;
  };
  const print =
    (level: Level, stream: Stream, colour?: Colour): Print =>
    (type: string, values: Values = {}, written?: string) => {
      if (isQuiet && level === 'progress') return;
      clear();
      const text = written ?? (isText(type) ? say(type, values) : '');
      const message = level === 'answer' ? undefined : text;
      if (isJson) stdout.write(`${printableJson({ type, ...values, level, message })}\n`);
      else if (text !== '') stream.write(`${painted(printable(text), stream, colour)}\n`);
    };
  const progress = print('progress', stdout);
  const warning = print('warning', stderr, 'yellow');
  /** @returns whether the last text about the thing was another one */
  const isNew = (thing: string, text: string): boolean => {
    const isOther = said.get(thing) !== text;
    said.set(thing, text);
    return isOther;
  };
  return {
    /** The answer that the command was run for. Printed under `--quiet` too. */
    answer: print('answer', stdout),
    /** Not printed under `--quiet`. */
    progress,
    warning,
    /** A message that needs a person, or the reason why the command ends. */
    error: print('error', stderr, 'red'),
    isNew,
    /** Like `warning`, unless the last text about the same thing was the same. */
    once(thing: string, type: Key, values?: Values): void {
      if (isNew(thing, say(type, values))) warning(type, values);
    },
    /** The thing is said again if it comes again. */
    forget: (thing: string) => void said.delete(thing),
    /** The state of `watch`: in a terminal one line that is drawn again, elsewhere a line whenever it changes. */
    status(facts: Facts, at: Date): Shown {
      const shown = shownState(facts);
      const [missing, clock] = [facts.missing ?? '-', localTime(at).slice(-8)];
      const line = say('status_line', { ...facts, state: shown.text, clock, missing });
      const now = JSON.stringify(facts);
      if (isLive) draw(shown.state, line);
      else if (now !== last) progress('status', { ...facts, ...shown }, line);
      last = now;
      return shown;
    },
    /** Leaves the last status line as it is. */
    end(): void {
      if (drawn !== '') stdout.write('\n');
      drawn = '';
    },
  };
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

const isForPerson = (state: string): boolean => state === 'STOPPED' || state === 'HELD BACK';

/** The exit code of a state, for scripts. */
export const exitCodeOf = (state: string, rejected: number): ExitCode => {
  if (isForPerson(state)) return EXIT.guard;
  if (state === 'OFFLINE') return EXIT.offline;
  return rejected > 0 ? EXIT.rejected : EXIT.done;
};

/** Rows as columns that line up. */
export function table(titles: string, rows: readonly (readonly string[])[]): string {
  const header = titles.split('|');
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const lines = all.map((row) => widths.map((width, at) => (row[at] ?? '').padEnd(width)));
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}

/** An instant as the clock of this laptop shows it: `2026-05-03 14:03:22`. */
export function localTime(instant: string | Date): string {
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}
