import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ifStarted } from '../stack/script.ts';
import { confirm } from './confirm.ts';
import { forget } from './personal-data.ts';

/** `npm run forget`: forgets a person at one organization, and prints the events whose boards are to be purged. */
async function main(databaseUrl = ''): Promise<void> {
  const { values } = parseArgs({
    options: {
      organization: { type: 'string' },
      'keep-results': { type: 'boolean', default: false },
      everything: { type: 'boolean', default: false },
      yes: { type: 'boolean' },
    },
  });
  const organization = z.uuid().safeParse(values.organization);
  const { everything, 'keep-results': keepsResults } = values;
  if (!databaseUrl || !organization.success || everything === keepsResults) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://… npm run forget -- --organization ID --keep-results|--everything [--yes]. ' +
        'The id of the person comes from standard input, so that no list of commands keeps it.',
    );
  }
  const person = z.uuid().safeParse((await text(process.stdin)).trim());
  if (!person.success) throw new Error('Standard input has no id of a person, which is a UUID.');
  await confirm('Forget a person', databaseUrl, values.yes);
  const forgotten = await forget(databaseUrl, person.data, organization.data, everything);
  console.error(`Registrations: ${forgotten.registrations}, texts: ${forgotten.texts}`);
  for (const eventId of forgotten.eventIds) console.log(eventId);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
