import * as z from 'zod';
import { RESULT_STATUSES } from '../../../timing-files/read/result-status.ts';
import { rankBy } from '../../events/answer-schemas.ts';
import { field, id, instant, text, textOrNull } from '../../http/answer-schemas.ts';

/** The positions of a runner. @param among the runners behind the position, up to `of the whole event` */
export const positions = (among: string) => {
  const position = (group: string, example: number) =>
    field(
      z.int().min(1).nullable(),
      `Position ${among} ${group}. Equal times share a position (1, 2, 2, 4).`,
      example,
    );
  return {
    position_overall: position('of the whole event', 12),
    position_gender: position('of the same gender in the whole event', 3),
    position_category: position('of the same category in the whole event', 2),
    position_distance: position('of the same distance', 9),
    position_distance_gender: position('of the same distance and gender', 2),
    position_distance_category: position(
      'of the same distance, gender and category. Runners without a gender count among themselves',
      1,
    ),
  };
};

export const resultStatus = field(z.enum(RESULT_STATUSES), 'Outcome of the race.', 'FINISHED');

export const splitTimes = field(
  z.record(z.string(), z.string()),
  'Split times by split name, as `HH:MM:SS.mmm`.',
  { 'Km 10': '00:41:50.000' },
);

/** The `inscription_id` of participants. */
export const inscriptionId = id(
  'Id of the registration. It stays when the bib changes.',
  'a0000000-0000-4000-8000-000000000017',
);

export const bibOrNull = textOrNull('Bib number. Null if the registration has lost its bib.', '17');

const gender = textOrNull('Registered gender.', 'F');
const category = textOrNull('Registered category.', 'Open');
const distance = textOrNull('Registered distance.', '21K');

/** The groups of a registration. */
export const runnerGroups = { gender, category, distance };

/** A result. Only the registration and the bib identify the runner. */
export const Result = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibOrNull,
    status: resultStatus,
    chip_time: textOrNull(
      'Net time, from start line to finish, as `HH:MM:SS.mmm`.',
      '01:28:03.512',
    ),
    gun_time: textOrNull('Gross time, from gun to finish, as `HH:MM:SS.mmm`.', '01:28:40.000'),
    splits: splitTimes,
    ...runnerGroups,
    ...positions('among the finishers'),
    rank_by: rankBy,
    updated_at: instant('Time at which the result was last stored.', '2027-05-09T14:01:22.480Z'),
  })
  .meta({
    id: 'Result',
    description: 'A result with its positions. It contains no personal data.',
  });

export type Result = z.infer<typeof Result>;

const timeMs = (description: string, example: number) =>
  field(z.int().min(0).nullable(), description, example);

/** An item of exportEventResults. */
export const ExportedResult = Result.extend({
  chip_time_ms: timeMs('Net time in milliseconds.', 5_283_512),
  gun_time_ms: timeMs('Gross time in milliseconds.', 5_320_000),
}).meta({
  id: 'ExportedResult',
  description: 'A result with its positions, and its times also in milliseconds.',
});

export type ExportedResult = z.infer<typeof ExportedResult>;

/** A registration without a result. */
export const MissingResult = z
  .object({
    inscription_id: inscriptionId,
    bib_number: text('Bib number.', '17'),
    distance,
    category,
    gender,
  })
  .meta({
    id: 'MissingResult',
    description:
      'A paid registration with a bib and without a result. It contains no personal data.',
  });

export type MissingResult = z.infer<typeof MissingResult>;
