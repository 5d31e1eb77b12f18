import * as z from 'zod';
import { EVENT_CHANGE_KINDS } from '../db/sql.ts';
import { rankBy } from '../events/answer-schemas.ts';
import { count, field, instant, textOrNull } from '../http/answer-schemas.ts';

export const EventRanking = z
  .object({
    rank_by: rankBy,
    finishers_without_chip_time: count('Finishers without a chip time, ranked by gun time.', 0),
    finishers_without_gun_time: count('Finishers without a gun time, ranked by chip time.', 38),
    runners: count('Finishers with a changed place within the distance.', 12),
    podiums: field(
      z.array(
        z.object({
          distance: textOrNull('The distance. Null: the runners without a distance.', '10K'),
          gender: textOrNull(
            'The gender. Null: runners of all genders, or a category of runners without a gender.',
            'F',
          ),
          category: textOrNull(
            'The category within the gender, or null for a group of all categories.',
            null,
          ),
          runners: field(
            z.array(
              z.object({
                bib_number: textOrNull('Bib number.', '17'),
                given_names: textOrNull('Given names, as registered.', 'Ana'),
                surnames: textOrNull('Surnames, as registered.', 'Ejemplo'),
                before: count('The place under the present rule.', 2),
                after: count('The place under the different rule.', 1),
              }),
            ),
            'The first runners of the group with a changed place among the first three, by the new place.',
            [],
          ),
        }),
      ),
      'The groups in which the first three change.',
      [{ distance: '10K', gender: 'F', category: null, runners: [] }],
    ),
  })
  .meta({
    id: 'EventRanking',
    description: 'The rule of an event, and the effect of a different rule.',
  });

export type EventRanking = z.infer<typeof EventRanking>;

/** An entry of the history of an event. */
export const EventChange = z
  .object({
    kind: field(
      z.enum(EVENT_CHANGE_KINDS),
      'The kind of change. `ranking_rule`: the rule of ranking. `prizes`: which places have a prize. ' +
        '`board_enabled` and `board_names`: a setting of the board. `board_code`: the short address of the board. ' +
        '`hidden_name` and `hidden_distance`: a name, or the names of a distance, on the board. ' +
        '`official_version`: the results were made official. `starts` and `points`: the starts and the timing ' +
        'points, as JSON.',
      'ranking_rule',
    ),
    before: textOrNull('The value before.', 'chip'),
    after: textOrNull('The value since.', 'gun'),
    user_id: textOrNull('The user of the change. Null for a key.', 'user-7'),
    key_prefix: textOrNull('The beginning of the key of the change. Null for a user.', null),
    reason: textOrNull(
      'The reason, in the words of the user.',
      'The federation asks for gun times.',
    ),
    changed_at: instant('When.', '2027-05-09T14:01:22.480Z'),
  })
  .meta({ id: 'EventChange', description: 'A change of an event in the panel.' });

export type EventChange = z.infer<typeof EventChange>;
