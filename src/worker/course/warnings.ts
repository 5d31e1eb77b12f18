import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { formatRaceTime } from '../../timing-files/read/race-time.ts';
import { DNS_MAX } from '../../timing-files/read/starts.ts';
import { notCompiled } from '../db/planned.ts';
import { type OfEvent, type Slots, statement } from '../db/statement.ts';
import { isOfAbsent } from '../db/statuses.ts';
import { endpoint } from '../http/endpoint.ts';
import { EventPath, eventNotFound } from '../http/validation.ts';
import { bySender, type SenderKind } from '../results/sender.ts';
import { BY_BIB } from '../results/sql.ts';
import { clocksOf } from '../results/upload/clocks.ts';
import { textArray } from '../results/upload/column.ts';
import { findMarks } from '../results/upload/find-marks.ts';
import type { EventWarnings } from './answer-schemas.ts';

const dnsRow = () =>
  z.strictObject({
    registration_id: z.guid(),
    bib_number: z.nullable(z.string()),
    point: z.string(),
    time_ms: z.int(),
  });

/** The runners who are DNS and have passed a point, each with the last passing. */
const findDnsWithPassing = bySender(({ ownEvent, kind }) =>
  statement(
    `findDnsWithPassing.${kind}`,
    dnsRow,
    ({ eventId }: Slots<OfEvent>) => sql`
    with event as materialized (${ownEvent(eventId)}),
    dns as materialized (
      select registration_id from results
      where event_id = (select id from event) and finish_time_ms is null and ${isOfAbsent(sql`status`)}
    )
    select registration_id, bib_number, point, time_ms::float8 as time_ms
    from dns cross join lateral (
      select point, time_ms from passings where passings.registration_id = dns.registration_id
      order by time_ms desc, point limit 1
    ) last
    join lateral (select bib_number from registrations where id = dns.registration_id offset 0) registration on true
    order by ${BY_BIB}, registration_id limit ${sql.raw(String(DNS_MAX))}`,
  ),
);

/** What a person should check in the stored times of an event. */
export const readingWarnings = (by: SenderKind) =>
  endpoint({
    weight: 'heavy',
    param: EventPath,
    statements: ({ param: { event_id: eventId } }) => [
      notCompiled(),
      findMarks[by]({ eventId, bibs: textArray([]) }),
      findDnsWithPassing[by]({ eventId }),
    ],
    answer: ([, [marks], dns], { c }) => {
      if (!marks) throw eventNotFound();
      const answer: EventWarnings = {
        clocks: clocksOf(marks),
        dns_with_passing: dns.map(({ registration_id, bib_number, point, time_ms }) => ({
          inscription_id: registration_id,
          bib_number,
          point,
          time: formatRaceTime(time_ms),
        })),
      };
      return c.json(answer);
    },
  });
