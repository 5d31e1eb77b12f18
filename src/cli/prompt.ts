import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Asks the person at the terminal. Every question ends with the signal's reason after Ctrl-C. */
export type Prompter = {
  /** Whether there is a person to ask: input and output are a terminal, and the output is not JSON. */
  canAsk: boolean;
  /**
   * A blank answer means no.
   * @param until withdraws the question, which then counts as answered with no
   */
  confirm(question: string, until?: AbortSignal): Promise<boolean>;
  /** @param preset the answer that Enter alone gives */
  text(question: string, preset?: string): Promise<string>;
  /** The answer is not shown. */
  secret(question: string): Promise<string>;
  /** @returns the index of the chosen line */
  choose(question: string, lines: readonly string[]): Promise<number>;
};

type Terminal = {
  input: NodeJS.ReadableStream & { isTTY?: boolean | undefined };
  output: NodeJS.WritableStream & { isTTY?: boolean | undefined };
};

type Options = {
  isJson: boolean;
  signal: AbortSignal;
  /** Called at Ctrl-C and Ctrl-D: while a line is read, the terminal sends no signal. */
  interrupt(): void;
};

export function createPrompter(
  { isJson, signal, interrupt }: Options,
  { input, output }: Terminal,
): Prompter {
  async function ask(
    question: string,
    { isSecret = false, until }: { isSecret?: boolean; until?: AbortSignal | undefined } = {},
  ): Promise<string> {
    signal.throwIfAborted();
    const lines = createInterface({
      input,
      output: isSecret ? silence() : output,
      terminal: true,
    });
    lines.on('SIGINT', interrupt).on('close', interrupt);
    let abort = () => {};
    let withdraw = () => {};
    try {
      return await new Promise<string>((resolve, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort);
        withdraw = () => resolve('');
        until?.addEventListener('abort', withdraw);
        lines.question(isSecret ? '' : question, resolve);
        if (isSecret) output.write(question);
      });
    } finally {
      signal.removeEventListener('abort', abort);
      until?.removeEventListener('abort', withdraw);
      lines.off('close', interrupt).close();
      if (isSecret || signal.aborted || until?.aborted) output.write('\n');
    }
  }

  return {
    canAsk: !isJson && input.isTTY === true && output.isTTY === true,
    async confirm(question, until) {
      return /^y(es)?$/i.test((await ask(`${question} [y/N] `, { until })).trim());
    },
    async text(question, preset) {
      const answer = (await ask(preset ? `${question} [${preset}] ` : `${question} `)).trim();
      return answer || (preset ?? '');
    },
    async secret(question) {
      return (await ask(`${question} `, { isSecret: true })).trim();
    },
    async choose(question, lines) {
      output.write(lines.map((line, at) => `  ${at + 1}  ${line}\n`).join(''));
      for (;;) {
        const answer = (await ask(`${question} [1-${lines.length}] `)).trim();
        const chosen = /^\d+$/.test(answer) ? Number(answer) : 0;
        if (chosen >= 1 && chosen <= lines.length) return chosen - 1;
      }
    },
  };
}

const silence = (): Writable =>
  new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
