import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { targetOf } from '../stack/listen.ts';
import { ifStarted } from '../stack/script.ts';
import { holdingsOf } from './personal-data.ts';

/** `npm run access`: writes what an organization holds about a person into a file. */
async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: { organization: { type: 'string' }, output: { type: 'string' } },
  });
  const organization = z.uuid().safeParse(values.organization);
  if (!databaseUrl || !organization.success || !values.output) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run access -- --organization ID --output FILE. ' +
        'The id of the person comes from standard input, so that no list of commands keeps it.',
    );
  }
  const person = z.uuid().safeParse((await text(process.stdin)).trim());
  if (!person.success) throw new Error('Standard input has no id of a person, which is a UUID.');
  const holdings = await holdingsOf(databaseUrl, person.data, organization.data);
  if (holdings['registrations']?.length === 0) {
    throw new Error(
      `${targetOf(databaseUrl)}: the person has no registration at this organization. Nothing was written.`,
    );
  }
  // A file that is there is kept, and nobody else on this machine may read the new one.
  await writeFile(values.output, `${JSON.stringify(holdings, null, 2)}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
  const counts = Object.entries(holdings).map(([table, rows]) => `${table} ${rows.length}`);
  console.log(`${values.output}: ${counts.join(', ')}`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
