import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import * as z from 'zod';
import { malformedVariables, misnamedVariables, variableNames } from '../../worker/config.ts';
import { ifStarted } from '../stack/script.ts';

/** As `wrangler secret list` prints them. */
const Listed = z.array(z.object({ name: z.string() }));

/**
 * Checks variables of the Worker before they are set, as the Worker will.
 * @param present the names of those that the Worker has already
 * @returns the names that the Worker will still lack
 * @throws Error that names every variable that would break the Worker, and shows no value
 */
function checkVariables(
  values: Readonly<Record<string, string>>,
  present: readonly string[],
): string[] {
  const names = variableNames();
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  const misnamed = misnamedVariables([...present, ...Object.keys(values)]);
  const problems = [
    ...unknown.map((name) => `${name}: the Worker has no variable of this name`),
    ...[...malformedVariables(values), ...misnamed.filter(({ kind }) => kind === 'conflict')].map(
      ({ name, problem }) => `${name}: ${problem}`,
    ),
  ];
  if (problems.length > 0) throw new Error(`Nothing was set: ${problems.join('; ')}.`);
  return misnamed.filter(({ kind }) => kind === 'missing').map(({ name }) => name);
}

/** The variables of a file such as `.dev.vars.example`, or of a folder with a file for each. */
function readVariables(file: string | undefined, folder: string | undefined) {
  if (file !== undefined) {
    const parsed = Object.entries(parseEnv(readFileSync(file, 'utf8')));
    return Object.fromEntries(parsed.map(([name, value]) => [name, value ?? '']));
  }
  if (folder === undefined) return {};
  const names = readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/**
 * Checks variables, prints the names that the Worker still lacks, and writes the values as JSON, which wrangler takes
 * as it is.
 */
async function main(): Promise<void> {
  const { values: given } = parseArgs({
    options: {
      file: { type: 'string' },
      folder: { type: 'string' },
      present: { type: 'string', default: '[]' },
      output: { type: 'string' },
    },
  });
  const present = Listed.parse(JSON.parse(given.present)).map(({ name }) => name);
  const values = readVariables(given.file, given.folder);
  const missing = checkVariables(values, present);
  if (given.output !== undefined) {
    writeFileSync(given.output, JSON.stringify(values), { mode: 0o600 });
  }
  console.log(missing.join(' '));
}

ifStarted(import.meta.filename, main);
