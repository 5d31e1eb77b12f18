import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { type Migration, OUTSIDE_A_TRANSACTION } from './migrate.ts';

const SQUAWK = join(import.meta.dirname, '../../../node_modules/squawk-cli/js/bin/squawk');

/** Rules of squawk about statements that stop a live database or break the deployed version. */
const RULES = [
  'require-concurrent-index-creation',
  'require-concurrent-index-deletion',
  'adding-foreign-key-constraint',
  'adding-not-nullable-field',
  'adding-required-field',
  'adding-serial-primary-key-field',
  'constraint-missing-not-valid',
  'disallowed-unique-constraint',
  'changing-column-type',
  'adding-field-with-default',
  'ban-drop-column',
  'ban-drop-table',
  'ban-drop-not-null',
  'ban-truncate-cascade',
  'renaming-column',
  'renaming-table',
  'syntax-error',
];
/** These statements are allowed behind a line with the version since which the object is unused. */
const CONTRACTING = 'ban-drop-column, ban-drop-table, renaming-column, renaming-table';
const UNUSED_SINCE = /^-- unused since \d+\.\d+\.\d+$/gm;

const OTHERS_TABLE =
  /(?:"?public"?\.)?"?(?:organizations|organization_members|events|persons|registrations)"?/;

/** A statement about a table of other systems. Grants and new views do not match. */
const ABOUT_OTHERS = new RegExp(
  '^(?:(?:alter|drop|truncate|lock) (?:table )?(?:if exists )?(?:only )?|insert into |update (?:only )?|' +
    String.raw`delete from (?:only )?|comment on table |create (?:unique )?index [^;]*?\bon (?:only )?|` +
    String.raw`(?:create|drop) (?:or replace |constraint )*(?:trigger|rule|policy) [^;]*?\b(?:on|to) )` +
    `${OTHERS_TABLE.source}(?:$|[ (;.])`,
  'i',
);

const Findings = z.array(z.object({ rule_name: z.string(), line: z.int(), message: z.string() }));

/** @returns a line for each statement that would break a live, shared database */
export function lintMigration({ name, text }: Pick<Migration, 'name' | 'text'>): string[] {
  const findings = squawk(text).filter(({ rule_name }) => RULES.includes(rule_name));
  const about = text
    .split(';')
    .map(plain)
    .filter((statement) => ABOUT_OTHERS.test(statement));
  return [
    ...findings.map(
      ({ rule_name, line, message }) => `${name}, line ${line + 1}: ${message} (${rule_name})`,
    ),
    ...about.map(
      (statement) =>
        `${name}: other systems write this table. A migration may only grant rights on it. A table of ours keeps what we add: ${statement}`,
    ),
  ];
}

/**
 * `npm run generate` numbers a migration by the last name. Two branches may still number their migrations alike.
 * @param made the names of the migrations in the order of their making
 * @returns a line for each name out of order
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

/** A statement without its comments, as a single line. */
const plain = (statement: string): string =>
  statement.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();

function squawk(text: string): z.infer<typeof Findings> {
  const isInside = !text.startsWith(OUTSIDE_A_TRANSACTION);
  const args = ['--reporter', 'json', '--pg-version', '15', '--stdin-filepath', 'migration.sql'];
  if (isInside) args.push('--assume-in-transaction');
  const input = text.replaceAll(UNUSED_SINCE, `-- squawk-ignore ${CONTRACTING}`);
  // squawk's exit code says whether squawk found problems.
  const { stdout } = spawnSync(process.execPath, [SQUAWK, ...args], { input, encoding: 'utf8' });
  return Findings.parse(JSON.parse(stdout));
}
