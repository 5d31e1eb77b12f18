import { styleText } from 'node:util';
import {
  isText,
  type Key,
  localTime,
  printable,
  printableJson,
  say,
  type Values,
} from '../words.ts';
import { lineOf, needsPerson, type View } from './view.ts';

/** The kind of a line sets the stream and the colour. */
type Level = 'answer' | 'progress' | 'warning' | 'error';

/**
 * Prints the text of a key with the values, or with `--json` an object with the key as `type`. A third argument
 * replaces the text; with a blank text, only JSON prints the line.
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

type Colour = 'red' | 'yellow';

/** Only where the terminal has colours: `hasColors` reads NO_COLOR and TERM. */
const painted = (text: string, stream: Stream, colour: Colour | undefined): string =>
  colour && stream.hasColors?.() ? styleText(colour, text, { validateStream: false }) : text;

const textOf = (type: string, values: Values): string => (isText(type) ? say(type, values) : '');

const BELL = '\u0007';
const LONGEST_LINE = 200;
const CLEAR_LINE = '\r\u001b[2K';

/** Makes texts of files and servers harmless to the terminal. */
export function createOutput(
  { isJson }: { isJson: boolean },
  { stdout, stderr }: { stdout: Stream; stderr: Stream },
) {
  const said = new Map<string, string>();
  const isLive = stdout.isTTY === true && !isJson;
  let drawn = '';
  let last = '';
  let lastState = '';
  let lastStopped = 0;
  const clear = () => {
    if (drawn !== '') stdout.write(CLEAR_LINE);
    drawn = '';
  };
  const draw = ({ state, facts }: View, line: string) => {
    // A further stopped file rings too.
    const stopped = facts.stopped + facts.unread;
    const isRinging = needsPerson(state) && (state !== lastState || stopped > lastStopped);
    [lastState, lastStopped] = [state, stopped];
    const fitting = printable(line);
    if (drawn === fitting) return;
    const colour = state === 'STOPPED' ? 'red' : 'yellow';
    const painting = painted(fitting, stdout, state === 'OK' ? undefined : colour);
    stdout.write((drawn === '' ? '' : CLEAR_LINE) + painting + (isRinging ? BELL : ''));
    drawn = fitting;
  };
  const print =
    (level: Level, stream: Stream, colour?: Colour): Print =>
    (type: string, values: Values = {}, written?: string) => {
      clear();
      const text = written ?? textOf(type, values);
      const message = level === 'answer' ? undefined : text;
      if (isJson) stdout.write(`${printableJson({ type, ...values, level, message })}\n`);
      else if (text !== '') stream.write(`${painted(printable(text), stream, colour)}\n`);
    };
  const progress = print('progress', stdout);
  const warning = print('warning', stderr, 'yellow');
  /** @returns whether the text about the thing has changed */
  const isNew = (thing: string, text: string): boolean => {
    const isOther = said.get(thing) !== text;
    said.set(thing, text);
    return isOther;
  };
  return {
    /** The command's answer. */
    answer: print('answer', stdout),
    progress,
    warning,
    /** A message for a person, or the reason of the command's end. */
    error: print('error', stderr, 'red'),
    isNew,
    /** Like `warning`, unless the text repeats the last text about the thing. */
    once(thing: string, type: string, values: Values, text = textOf(type, values)): void {
      if (isNew(thing, text)) warning(type, values, text);
    },
    /** Lets `once` repeat the text about a thing. */
    forget: (thing: string) => void said.delete(thing),
    /** The state of `watch`. A terminal shows a single line, drawn again; elsewhere, each change prints a line. */
    status(view: View, at: Date): void {
      const { state, why, facts } = view;
      const columns = isLive ? (stdout.columns ?? 80) - 1 : LONGEST_LINE;
      const line = lineOf(view, localTime(at).slice(-8), columns);
      const now = JSON.stringify([state, why, facts]);
      if (isLive) draw(view, line);
      else if (now !== last) progress('status', { state, why, ...facts }, line);
      last = now;
    },
    /** Leaves the last status line as it is. */
    end(): void {
      if (drawn !== '') stdout.write('\n');
      drawn = '';
    },
  };
}

/** Rows as aligned columns. */
export function table(titles: string, rows: readonly (readonly string[])[]): string {
  const header = titles.split('|');
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const lines = all.map((row) => widths.map((width, at) => (row[at] ?? '').padEnd(width)));
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n');
}
