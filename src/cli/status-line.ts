import pc from 'picocolors';
import type { Output } from './output.ts';

/** What `watch` says about itself, in one line. */
export type Status = {
  connection: 'online' | 'offline' | 'starting';
  /** The file that was read last: when it was written, and its rows. */
  file: { at: Date; rows: number } | undefined;
  added: number;
  changed: number;
  unchanged: number;
  queue: number;
  rejected: number;
  /** Some of the rejected bibs. */
  rejectedBibs: readonly string[];
  /** Undefined until the API has said it. */
  missing: number | undefined;
  held: number;
  /** Why the file is not read at this moment. */
  stopped: string | undefined;
};

/** The line reads without colour. */
export function statusText(status: Status, at: Date): string {
  const { file, added, changed, unchanged, rejected, rejectedBibs, stopped } = status;
  const bibs = rejectedBibs.length > 0 ? ` (bib ${rejectedBibs.join(', ')})` : '';
  return [
    `${clock(at)} ${status.connection}`,
    file ? `file ${clock(file.at)} ${file.rows} rows` : 'file -',
    `+${added} ~${changed} =${unchanged}`,
    `queue ${status.queue}`,
    `rejected ${rejected}${bibs}`,
    `missing ${status.missing ?? '-'}`,
    `held ${status.held}`,
    ...(stopped === undefined ? [] : [`file not read: ${stopped}`]),
  ].join('  ');
}

function clock(at: Date): string {
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

type Terminal = {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
};

export type StatusLine = {
  /** Prints other lines above the status line. */
  output: Output;
  show(status: Status): void;
  /** Leaves the last line as it is. */
  end(): void;
};

/** In a terminal one line that is drawn again; elsewhere a line whenever something has changed. */
export function createStatusLine(
  plain: Output,
  { isJson, isQuiet }: { isJson: boolean; isQuiet: boolean },
  terminal: Terminal,
): StatusLine {
  let last = '';
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
  return {
    output: {
      answer: above(plain.answer),
      progress: above(plain.progress),
      warning: above(plain.warning),
      error: above(plain.error),
    },
    show(status) {
      const text = statusText(status, new Date());
      if (isLive) {
        const line = text.slice(0, (terminal.columns ?? 80) - 1);
        if (isDrawn && line === last) return;
        last = line;
        clear();
        terminal.write(status.connection === 'offline' ? pc.yellow(line) : line);
        isDrawn = true;
        return;
      }
      const said = JSON.stringify(status);
      if (said === last) return;
      last = said;
      const { rejectedBibs: rejected_bibs, ...rest } = status;
      plain.progress(
        { type: 'status', at: new Date().toISOString(), ...rest, rejected_bibs },
        text,
      );
    },
    end() {
      if (isDrawn) terminal.write('\n');
      isDrawn = false;
    },
  };
}
