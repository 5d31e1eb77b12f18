import { Worker } from 'node:worker_threads';
import type { Stream } from './output.ts';

/** Writes each text in the order of being sent. A terminal on Windows takes no accents through a file. */
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

/** A terminal that nobody reads gets no more than this until it goes on. */
const MOST_WAITING = 1 << 20;

/**
 * Output that never makes this process wait: a frozen terminal stops a thread that does nothing else.
 * @param streams are asked for their size and colours, and never written to
 */
export function openScreen({ stdout, stderr }: { stdout: Stream; stderr: Stream }) {
  const writer = new Worker(WRITER, { eval: true, execArgv: [] });
  let waiting = 0;
  writer.on('message', (length: number) => {
    waiting -= length;
  });
  // A listener keeps the process alive, so this comes after it.
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
    /** Waits until all is written, or for as long as a person needs to look up. */
    async end(patienceMs = 3_000): Promise<void> {
      const endsAt = performance.now() + patienceMs;
      while (waiting > 0 && performance.now() < endsAt) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
