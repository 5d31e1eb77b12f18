import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { printable, say } from '../words.ts';

/** Asks the person at the terminal. Every question ends with the signal's reason after Ctrl-C. */
export type Prompter = {
  /** Whether there is a person to ask: input and output are a terminal, and the output is not JSON. */
  canAsk: boolean;
  /** A blank answer means no. */
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
  async function ask(question: string, isSecret = false): Promise<string> {
    signal.throwIfAborted();
    // A secret is echoed to nobody.
    const echo = isSecret ? new PassThrough().resume() : output;
    const lines = createInterface({ input, output: echo, terminal: true });
    lines.on('SIGINT', interrupt).on('close', interrupt);
    try {
      const answer = lines.question(isSecret ? '' : printable(question), { signal });
      if (isSecret) output.write(printable(question));
      return (await answer).trim();
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      lines.off('close', interrupt).close();
      if (isSecret || signal.aborted) output.write('\n');
    }
  }

  return {
    canAsk: !isJson && input.isTTY === true && output.isTTY === true,
    confirm: async (question) =>
      /^(y|yes|s|si|sí)$/i.test(await ask(`${question} ${say('ask_yes_or_no')} `)),
    text: async (question, preset = '') =>
      (await ask(preset ? `${question} [${preset}] ` : `${question} `)) || preset,
    secret: (question) => ask(`${question} `, true),
    async choose(question, lines) {
      output.write(lines.map((line, at) => `  ${at + 1}  ${printable(line)}\n`).join(''));
      for (;;) {
        const chosen = Number(await ask(`${question} [1-${lines.length}] `));
        if (lines[chosen - 1] !== undefined) return chosen - 1;
      }
    },
  };
}
