import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS_FOLDER, type Migration, readMigrations } from './migrate.ts';

/** The migrations of all releases: a SHA-256 and a name on each line, as `sha256sum` writes them. */
const RELEASED = join(MIGRATIONS_FOLDER, 'RELEASED');

type Released = Pick<Migration, 'name' | 'hash'>;

/** @returns the released migrations, oldest first */
export const readReleased = (): Released[] =>
  readFileSync(RELEASED, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [hash = '', file = ''] = line.split(/ +/);
      return { name: file.replace(/\.sql$/, ''), hash };
    });

/** @returns a line for each released migration that is gone or has another text: a live database has applied it */
export function changedSinceRelease(
  migrations: readonly Released[],
  released: readonly Released[],
): string[] {
  const hashes = new Map(migrations.map(({ name, hash }) => [name, hash]));
  return released
    .filter(({ name, hash }) => hashes.get(name) !== hash)
    .map(
      ({ name }) =>
        `${name} has changed since its release, and live databases have applied it. Restore its text, and write ` +
        'what is new into a new migration: npm run generate -- --name what_it_does',
    );
}

/**
 * drizzle-kit numbers a migration by how many there are, which is too low once a number was left out.
 * @param made the names of the migrations in the order in which they were made
 * @returns a line for each one whose name does not follow
 */
export const namedTooEarly = (made: readonly string[]): string[] =>
  made.flatMap((name, at) => {
    const latest = made.slice(0, at).sort().at(-1) ?? '';
    if (name > latest) return [];
    const number = String(Number(latest.slice(0, 4)) + 1).padStart(4, '0');
    return (
      `${name} is newer than ${latest}, but would run before it. Give its file, its snapshot in migrations/meta and its tag ` +
      `in migrations/meta/_journal.json the number ${number}.`
    );
  });

/**
 * Adds the new migrations to the released ones.
 * @throws Error if a released one has changed
 */
function keepMigrations(): void {
  const migrations = readMigrations();
  const changed = changedSinceRelease(migrations, readReleased());
  if (changed.length > 0) throw new Error(changed.join('\n'));
  writeFileSync(RELEASED, migrations.map(({ name, hash }) => `${hash}  ${name}.sql\n`).join(''));
}

if (import.meta.main) keepMigrations();
