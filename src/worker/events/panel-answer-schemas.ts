import * as z from 'zod';
import { BATCH_SOURCES, BOARD_NAMES, PRIZES } from '../db/sql.ts';
import { count, field, instant, instantOrNull, textOrNull } from '../http/answer-schemas.ts';
import { Event, rankBy, timeZone } from './answer-schemas.ts';

const BatchRunner = z
  .object({
    bib_number: textOrNull('Bib number.', '17'),
    given_names: textOrNull('Given names, as registered.', 'Ana'),
    surnames: textOrNull('Surnames, as registered.', 'Ejemplo'),
  })
  .meta({ id: 'BatchRunner', description: 'A runner whose result a batch changed.' });

export const batchRunners = field(
  z.array(BatchRunner),
  'The runners, if a person decided the batch and the batch has one row or two. Empty otherwise.',
  [],
);

export const isSwap = field(
  z.boolean(),
  'Whether the batch exchanged the results of two runners.',
  false,
);

const LatestBatch = z
  .object({
    source: field(z.enum(BATCH_SOURCES), 'How the batch came, as in `ResultBatch`.', 'csv'),
    user_id: textOrNull('The user who made the batch in the panel. Null for a key.', null),
    file_name: textOrNull('Name of the file. Null if the client sent no name.', 'finish.csv'),
    total_processed: count('Rows processed.', 3),
    received_at: instant('Time of the request.', '2027-05-09T14:01:22.480Z'),
    runners: batchRunners,
    is_swap: isSwap,
  })
  .meta({ id: 'LatestBatch', description: 'The latest batch of an event.' });

/** The settings of an event's board, in answers and in requests. */
export const BOARD_ENABLED = field(
  z.boolean(),
  'Whether everybody can open the live board of the event.',
  true,
);
export const boardNames = field(
  z.enum(BOARD_NAMES),
  'How much of the names the board shows. `none`: only bibs. `initials`: the given name and the initial of the ' +
    'surname. `full`: the whole names, before the start too. Very many long names become initials.',
  'initials',
);

export const boardCode = textOrNull(
  'The short address of the board: `/b/` and these characters lead to the board. Case and hyphen do not count. ' +
    'Null until the board is first switched on.',
  'kd7w-x9f2',
);

export const prizes = field(
  z.enum(PRIZES),
  'Which places have a prize. `all`: each place. `overall_leaves_category`: the first three of a distance and of ' +
    'each gender leave the prizes of their category to the next runners. Places stay.',
  'all',
);

/** An event for the panel. */
export const OrganizationEvent = Event.extend({
  time_zone: timeZone,
  first_start_at: instantOrNull(
    'When the first gun of the event goes off. Null until somebody sends the starts.',
    '2027-05-09T07:00:00.000Z',
  ),
  board_enabled: BOARD_ENABLED,
  board_names: boardNames,
  board_code: boardCode,
  paid_inscriptions: count('Registrations that are paid and not cancelled.', 3),
  total_results: count('Stored results.', 2),
  ranking_rule: rankBy,
  prizes,
  latest_batch: field(
    LatestBatch.nullable(),
    'The latest upload, revert or deletion. Null if there was none.',
    {
      source: 'csv',
      user_id: null,
      file_name: 'finish.csv',
      total_processed: 3,
      received_at: '2027-05-09T14:01:22.480Z',
      runners: [],
      is_swap: false,
    },
  ),
  latest_change_at: instantOrNull(
    'When a user last changed the event, as `listEventChanges` lists the changes. Null if nobody has.',
    '2027-05-09T13:40:02.115Z',
  ),
}).meta({
  id: 'OrganizationEvent',
  description: 'An event of the organization with its counts and the settings of its live board.',
});

export type OrganizationEvent = z.infer<typeof OrganizationEvent>;
