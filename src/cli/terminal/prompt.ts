import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { printable, say } from '../words.ts';

/** Asks the person at the terminal. Every question ends with the signal's reason after Ctrl-C. */
export type Prompter = {
  /** Whether there is a person to ask: input and output are a terminal, and the output is not JSON. */
  canAsk: boolean;
  /**
   * A blank answer means no.
   */
  confirm(question: string): Promise<boolean>;
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
  async function ask(question: string, { isSecret = false } = {}): Promise<string> {
    signal.throwIfAborted();
    const shown = printable(question);
    const lines = createInterface({
      input,
      output: isSecret ? silence() : output,
      terminal: true,
    });
    lines.on('SIGINT', interrupt).on('close', interrupt);
    let abort = () => {};
    try {
      return await new Promise<string>((resolve, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort);
        lines.question(isSecret ? '' : shown, resolve);
        if (isSecret) output.write(shown);
      });
    } finally {
      signal.removeEventListener('abort', abort);
      lines.off('close', interrupt).close();
      if (isSecret || signal.aborted) output.write('\n');
    }
  }

  return {
    canAsk: !isJson && input.isTTY === true && output.isTTY === true,
    async confirm(question) {
      const answer = await ask(`${question} ${say('y_n')} `);
      return /^(y|yes|s|si|sí)$/i.test(answer.trim());
    },
    async text(question, preset) {
      const answer = (await ask(preset ? `${question} [${preset}] ` : `${question} `)).trim();
      return answer || (preset ?? '');
    },
    async secret(question) {
      return (await ask(`${question} `, { isSecret: true })).trim();
    },
    async choose(question, lines) {
      output.write(lines.map((line, at) => `  ${at + 1}  ${printable(line)}\n`).join(''));
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
