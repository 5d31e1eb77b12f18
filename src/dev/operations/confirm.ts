import { createInterface } from 'node:readline/promises';
import { isLocal, targetOf } from '../stack/listen.ts';

/**
 * Asks before a command writes to a database that is not on this machine.
 * @param isSure nobody is asked
 * @throws Error unless somebody answers yes. Nobody can where there is no terminal
 */
export async function confirm(
  what: string,
  databaseUrl: string,
  isSure: boolean | undefined,
): Promise<void> {
  if (isSure || isLocal(databaseUrl)) return;
  const target = targetOf(databaseUrl);
  if (process.stdin.isTTY && (await answersYes(`${what} in ${target}?`))) return;
  throw new Error(`Nothing was written to ${target}. Answer y, or pass --yes.`);
}

async function answersYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
