import * as z from 'zod';
import { CLOCKS_AT, EVIDENCE_OF_CLOCKS } from '../../timing-files/judge/clocks.ts';
import { DNS_MAX, PODIUMS_MAX } from '../../timing-files/read/starts.ts';
import { starts } from '../events/answer-schemas.ts';
import { count, field, idOrNull, text, textOrNull } from '../http/answer-schemas.ts';
import { bibOrNull, inscriptionId } from '../results/read/answer-schemas.ts';

const distance = textOrNull('The distance. Null: runners of any distance.', '10K');

const version = count(
  'The version, which rises with each change. A change names the version before the change.',
  3,
);

/** The answer of getEventStarts. */
export const EventStarts = z
  .object({ version, starts })
  .meta({ id: 'EventStarts', description: 'The starts of an event.' });

export type EventStarts = z.infer<typeof EventStarts>;

/** The first three of a group that a shift would change. */
const ChangedPodium = z
  .object({
    distance: textOrNull('The distance. Null: runners without a distance.', '10K'),
    gender: textOrNull('The gender. Null: all.', null),
    category: textOrNull('The category within the gender. Null: all.', null),
    before: field(z.array(bibOrNull), 'The first three bibs now; more of them in a tie.', ['17']),
    after: field(z.array(bibOrNull), 'The first three bibs after the shift.', ['18']),
  })
  .meta({
    id: 'ChangedPodium',
    description: 'The first three of a group, before and after a shift.',
  });

/** What a shift of a start did, or would do. */
const StartShift = z
  .object({
    batch_id: idOrNull(
      'The batch of the shift. `revertResultBatch` takes the shift back. Null if nothing was written.',
      'b0000000-0000-4000-8000-000000000001',
    ),
    dry_run: field(
      z.boolean(),
      'Whether nothing was written because the request only asked.',
      false,
    ),
    seconds: field(
      z.number(),
      'How much later the start is. Times since the gun shrink by as much.',
      30,
    ),
    runners: count('Runners of the start.', 120),
    results: count('Results whose gun time or splits move.', 80),
    passings: count('Passings that move.', 240),
    podiums: z.array(ChangedPodium).meta({
      description: `The podiums that would change, the first ${PODIUMS_MAX}. Only in a dry run.`,
    }),
    official_version: field(
      z.int().nullable(),
      'The newest official version, if results move: the results differ from this version. Null without a version.',
      null,
    ),
  })
  .meta({ id: 'StartShift', description: 'The shift of a start.' });

/** The answer of putEventStarts. */
export const EventStartsStored = z
  .object({
    version,
    starts,
    runners_without_start: count(
      'Registered runners without a start. Cancelled runners do not count.',
      0,
    ),
    shift: field(StartShift.nullable(), 'The effect of `shift=true`. Null without `shift`.', null),
  })
  .meta({ id: 'EventStartsStored', description: 'The starts of an event after a change.' });

export type EventStartsStored = z.infer<typeof EventStartsStored>;

export const EventPoint = z
  .object({
    name: text('Name of the point, as in passings.', 'Km 10'),
    distance,
    order: field(z.int().min(1), 'Place of the point on the course, from 1.', 2),
    km: field(
      z.number().positive().nullable(),
      'Kilometres from the start. Null if neither the organizer nor the name states the kilometres.',
      10,
    ),
  })
  .meta({ id: 'EventPoint', description: 'A timing point before the finish.' });

export type EventPoint = z.infer<typeof EventPoint>;

/** The answer of getEventPoints and putEventPoints. */
export const EventPoints = z
  .object({
    version,
    points: z.array(EventPoint).meta({
      description:
        'The points in the order of the course. Until somebody sends the points, the list has the points with ' +
        'passings, in the order of their fastest times, with the kilometres in their names.',
    }),
  })
  .meta({ id: 'EventPoints', description: 'The timing points of an event.' });

export type EventPoints = z.infer<typeof EventPoints>;

const WrongClock = z
  .object({
    at: field(
      z.enum(CLOCKS_AT),
      'Whose clock: of a point, of the finish, or of a told start.',
      'point',
    ),
    point: textOrNull('Name of the point. Null for the start and the finish.', 'Km 10'),
    minutes: field(
      z.int(),
      'How many whole minutes the clock seems ahead; negative: behind. For a start: how much too late the start ' +
        'was told.',
      60,
    ),
    against: field(
      z.enum(EVIDENCE_OF_CLOCKS),
      'The evidence: the clock of the server, or the times of the same runners at the other points.',
      'points',
    ),
    runners: count('The runners behind the evidence: some of the runners at the point.', 41),
  })
  .meta({ id: 'WrongClock', description: 'A clock that seems wrong.' });

const DnsWithPassing = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibOrNull,
    point: text('The last point that saw the runner.', 'Km 5'),
    time: text('The time there since the start, as `HH:MM:SS.mmm`.', '00:25:10.000'),
  })
  .meta({ id: 'DnsWithPassing', description: 'A runner who is DNS and has passed a point.' });

/** The answer of getEventWarnings. */
export const EventWarnings = z
  .object({
    clocks: z.array(WrongClock).meta({
      description: 'The clocks that seem wrong, by the first and the last runners at each point.',
    }),
    dns_with_passing: z.array(DnsWithPassing).meta({
      description: `The runners who are DNS and have passed a point, the first ${DNS_MAX}: was the DNS wrong?`,
    }),
  })
  .meta({ id: 'EventWarnings', description: 'What a person should check in the stored times.' });

export type EventWarnings = z.infer<typeof EventWarnings>;
