import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { configureEvent, createRace, db } from '../../testing/factories.ts';
import { request, testConfig } from '../../testing/harness.ts';
import { connect } from '../db/client.ts';
import { createGate } from '../gate/gate.ts';
import { consoleLog } from '../log.ts';
import { answerDocument } from './boards.ts';
import { DOCUMENT_MAX } from './documents.ts';
import { readNames } from './names.ts';

test('shows initials if the full names are too long a text', async () => {
  const { eventId } = await createRace();
  await configureEvent(eventId, { board_enabled: true, board_names: 'full' });
  // A letter of four bytes: few runners fill the document.
  const runners = Math.ceil(DOCUMENT_MAX / 690);
  await db.execute(sql`
    with runner as (
      insert into persons (id) select gen_random_uuid() from generate_series(1, ${runners}) returning id
    )
    insert into registrations (event_id, person_id, status, given_names, surnames, distance)
    select ${eventId}, id, 'PAID', repeat('𝔸', 100), repeat('𝔸', 64) || id, '10K' from runner`);
  const services = { db: connect(testConfig.DATABASE_URL), log: consoleLog, gate: createGate() };
  const answer = await answerDocument(services, { kind: 'names', eventId }, () => {});
  expect(answer.status).toBe(200);
  const { isFull, names, byId } = readNames(await answer.text());
  expect(isFull).toBe(false);
  expect(byId.size).toBe(runners);
  expect(names).toHaveLength(1);
  const data = await request(`/board/${eventId}/data`);
  expect(await data.json()).toMatchObject({ event: { board_names: 'initials' } });
});
