import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { EXIT, failure } from '../exit-codes.ts';
import { printable, say } from '../words.ts';

/** Asks the person at the terminal. Every question ends with the signal's reason after Ctrl-C. */
export type Prompter = ReturnType<typeof createPrompter>;

export type Input = NodeJS.ReadableStream & { isTTY?: boolean | undefined };
type Terminal = { input: Input; output: NodeJS.WritableStream & { isTTY?: boolean | undefined } };

type Options = {
  isJson: boolean;
  signal: AbortSignal;
  /** Called at Ctrl-C and Ctrl-D: the terminal sends no signal while reading a line. */
  interrupt(): void;
};

export function createPrompter(
  { isJson, signal, interrupt }: Options,
  { input, output }: Terminal,
) {
  async function ask(question: string, isSecret = false): Promise<string> {
    signal.throwIfAborted();
    // A secret is not echoed.
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

  /** Whether a person can answer: input and output are a terminal, and the output is not JSON. */
  const canAsk = !isJson && input.isTTY === true && output.isTTY === true;
  /** A blank answer means no. */
  const confirm = async (question: string): Promise<boolean> =>
    /^(y|yes|s|si|sí)$/i.test(await ask(`${question} ${say('ask_yes_or_no')} `));
  return {
    canAsk,
    confirm,
    /** @param isYes whether the command was given --yes. @throws CliError without a yes */
    async requireYes(question: string, isYes: boolean): Promise<void> {
      if (isYes) return;
      if (!canAsk) throw failure(EXIT.usage, 'needs_yes', { question });
      if (!(await confirm(question))) throw failure(EXIT.guard, 'refused');
    },
    /** @param preset the answer of a bare Enter */
    text: async (question: string, preset = ''): Promise<string> =>
      (await ask(preset ? `${question} [${preset}] ` : `${question} `)) || preset,
    /** The answer is not shown. */
    secret: (question: string): Promise<string> => ask(`${question} `, true),
    /** @returns the index of the chosen line */
    async choose(question: string, lines: readonly string[]): Promise<number> {
      output.write(lines.map((line, at) => `  ${at + 1}  ${printable(line)}\n`).join(''));
      for (;;) {
        const chosen = Number(await ask(`${question} [1-${lines.length}] `));
        if (lines[chosen - 1] !== undefined) return chosen - 1;
      }
    },
  };
}
