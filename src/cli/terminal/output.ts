import pc from 'picocolors';
import { printable, printableJson } from '../words.ts';

/** A machine's view of a line: `type` says which one. */
export type Event = { type: string } & Record<string, unknown>;

/** What `--quiet` lets through, and which stream and colour a line has. */
type Level = 'answer' | 'progress' | 'warning' | 'error';

export type Output = {
  /** What the command was asked for. Printed under `--quiet` too. */
  answer(event: Event, text: string): void;
  /** What is going on. Not printed under `--quiet`. */
  progress(event: Event, text: string): void;
  /** What a person should know. Yellow, on stderr. */
  warning(event: Event, text: string): void;
  /** A message that needs a person, or the reason why the command ends. Red, on stderr. */
  error(event: Event, text: string): void;
};

type Stream = { write(text: string): unknown; isTTY?: boolean | undefined };
type Streams = { stdout: Stream; stderr: Stream };

/**
 * Lines for people, or with `isJson` one object a line, all of them on stdout. A blank text is for JSON alone.
 * Texts of files and servers cannot steer the terminal.
 */
export function createOutput(
  { isJson, isQuiet }: { isJson: boolean; isQuiet: boolean },
  { stdout, stderr }: Streams,
): Output {
  const paint: Record<Level, (text: string) => string> = {
    answer: String,
    progress: String,
    warning: stderr.isTTY ? pc.yellow : String,
    error: stderr.isTTY ? pc.red : String,
  };
  const print =
    (level: Level) =>
    (event: Event, text: string): void => {
      if (isQuiet && level === 'progress') return;
      if (isJson) {
        const message = level === 'answer' ? undefined : text;
        stdout.write(`${printableJson({ ...event, level, message })}\n`);
      } else if (text !== '') {
        const stream = level === 'answer' || level === 'progress' ? stdout : stderr;
        stream.write(`${paint[level](printable(text))}\n`);
      }
    };
  return {
    answer: print('answer'),
    progress: print('progress'),
    warning: print('warning'),
    error: print('error'),
  };
}

/** Rows as columns that line up. Numbers stand to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  const isNumber = header.map((_, at) => rows.every((row) => /^[\d.:-]*$/.test(row[at] ?? '')));
  return all
    .map((row) =>
      widths
        .map((width, at) =>
          isNumber[at] ? (row[at] ?? '').padStart(width) : (row[at] ?? '').padEnd(width),
        )
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

export const clock = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');

const twoDigits = (value: number): string => String(value).padStart(2, '0');
