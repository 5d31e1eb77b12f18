import { readFileSync, writeFileSync } from 'node:fs';
import { readMigrations } from './migrate.ts';

type Journal = { entries: { idx: number; tag: string }[] };

/**
 * drizzle-kit adds 1 to the number in the last entry of its journal, which is too low after a skipped number. This
 * writes the number of the last migration into the entry.
 */
function numberByLastName(folder: string): void {
  const file = `${folder}/meta/_journal.json`;
  const journal: Journal = JSON.parse(readFileSync(file, 'utf8'));
  const entry = journal.entries.at(-1);
  const last = readMigrations(folder).at(-1);
  if (!entry || !last) return;
  entry.idx = Number.parseInt(last.name, 10);
  writeFileSync(file, `${JSON.stringify(journal, null, 2)}\n`);
}

numberByLastName('migrations');
