import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateMethods } from './client-methods.ts';
import { generateTypes } from './client-types.ts';

export const CLIENT = join(import.meta.dirname, '../client');

/** The generated files of the client, by their paths. */
export const generateClient = async (): Promise<Map<string, string>> =>
  generateMethods().set('types.ts', await generateTypes());

if (import.meta.main) {
  const generated = await generateClient();
  const operations = join(CLIENT, 'operations');
  rmSync(operations, { recursive: true, force: true });
  mkdirSync(operations);
  for (const [path, code] of generated) writeFileSync(join(CLIENT, path), code);
}
