import { Worker } from 'node:worker_threads';
import type { Stream } from './output.ts';

/** Writes the texts in the order of sending. A terminal on Windows loses accents in writes through a file. */
const WRITER = `
const { parentPort } = require('node:worker_threads');
const { isatty, WriteStream } = require('node:tty');
const { writeSync } = require('node:fs');
const terminals = [1, 2].map((fd) => isatty(fd) && new WriteStream(fd));
const pause = new Int32Array(new SharedArrayBuffer(4));
const writeAll = (fd, bytes) => {
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      if (error.code !== 'EAGAIN') return;
      Atomics.wait(pause, 0, 0, 20);
    }
  }
};
parentPort.on('message', ([fd, text]) => {
  const terminal = terminals[fd - 1];
  if (terminal) terminal.write(text);
  else writeAll(fd, Buffer.from(text));
  parentPort.postMessage(text.length);
});`;

/** The limit of waiting characters for a frozen terminal. Further texts are dropped. */
const MOST_WAITING = 1 << 20;

/**
 * Output without waiting: a frozen terminal only stops the writing thread.
 * @param streams are asked for size and colours, and never written to
 */
export function openScreen({ stdout, stderr }: { stdout: Stream; stderr: Stream }) {
  const writer = new Worker(WRITER, { eval: true, execArgv: [] });
  let waiting = 0;
  writer.on('message', (length: number) => {
    waiting -= length;
  });
  // A new listener keeps the process alive, so `unref` comes after the listener.
  writer.unref();
  const screenOf = (fd: number, stream: Stream): Stream => ({
    write(text) {
      if (waiting > MOST_WAITING) return;
      waiting += text.length;
      writer.postMessage([fd, text]);
    },
    isTTY: stream.isTTY,
    get columns() {
      return stream.columns;
    },
    hasColors: () => stream.hasColors?.() === true,
  });
  return {
    stdout: screenOf(1, stdout),
    stderr: screenOf(2, stderr),
    /** Waits until all texts are written, at most for `patienceMs`. */
    async end(patienceMs = 3_000): Promise<void> {
      const endsAt = performance.now() + patienceMs;
      while (waiting > 0 && performance.now() < endsAt) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
