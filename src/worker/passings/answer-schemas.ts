import * as z from 'zod';
import { count, field, instant, text, textOrNull } from '../http/answer-schemas.ts';
import {
  bibOrNull,
  inscriptionId,
  positions,
  runnerGroups,
} from '../results/read/answer-schemas.ts';
import { failedRows, PreviewWarning, uploadCounts } from '../results/upload/answer-schemas.ts';
import { PreviewRow, ResultsFilePreview } from '../results/upload/preview-answer-schemas.ts';

const point = text('Name of the point.', 'Km 10');

/** The answer of uploadEventPassings. */
export const PassingsUploadOut = z
  .object({
    ...uploadCounts('passing'),
    warnings: field(
      z.array(PreviewWarning).optional(),
      'The warnings that a person should look at. The answer to a file always has this list. The answer to JSON never has it.',
      [],
    ),
    failed: failedRows,
  })
  .meta({
    id: 'PassingsUploadOut',
    description:
      'The outcome of an upload of passings. `uploaded`, `updated`, `not_found`, `errors` and ' +
      '`duplicates` add up to `total_processed`.',
  });

export type PassingsUploadOut = z.infer<typeof PassingsUploadOut>;

const PassingPreviewRow = z
  .object({
    ...PreviewRow.pick({ row: true, bib_number: true }).shape,
    point,
    time: textOrNull('Time since the start, `HH:MM:SS.mmm`.', '00:41:28.000'),
  })
  .meta({ id: 'PassingPreviewRow', description: 'A row of the file as it is read.' });

/** The answer to a preview of a file of passings. */
export const PassingsFilePreview = ResultsFilePreview.omit({ changes: true })
  .extend({
    counts: z.object(uploadCounts('passing')).meta({
      id: 'PassingPreviewCounts',
      description: 'The counts that the upload would answer with.',
    }),
    rows: z.array(PassingPreviewRow).meta({ description: 'The first rows, at most 10.' }),
  })
  .meta({
    id: 'PassingsFilePreview',
    description:
      'How a file would be read as the passings of one point. If an upload with these parameters would refuse the ' +
      'file, `columns`, `counts`, `rows` and `failed` are those of the suggestion.',
  });

export type PassingsFilePreview = z.infer<typeof PassingsFilePreview>;

/** What a point saw of a runner. Only the registration and the bib identify the runner. */
export const Passing = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibOrNull,
    point,
    time: text('Time since the start, as `HH:MM:SS.mmm`.', '00:41:28.000'),
    ...runnerGroups,
    ...positions('at the point, among all that have passed it and are'),
    received_at: instant('Time at which the passing was last stored.', '2027-05-09T13:12:04.120Z'),
  })
  .meta({
    id: 'Passing',
    description: 'A runner at a point, with the positions there. It contains no personal data.',
  });

export type Passing = z.infer<typeof Passing>;

/** An item of exportEventPassings. */
export const ExportedPassing = Passing.extend({
  time_ms: field(z.int().min(1), 'Time since the start in milliseconds.', 2_488_000),
}).meta({
  id: 'ExportedPassing',
  description: 'A passing with its positions, and its time in milliseconds too.',
});

export type ExportedPassing = z.infer<typeof ExportedPassing>;

/** A point of the course. */
export const PassingPoint = z
  .object({
    point,
    total: count('Runners that have passed the point.', 214),
    fastest_time: text('The fastest time at the point, as `HH:MM:SS.mmm`.', '00:31:02.000'),
  })
  .meta({ id: 'PassingPoint', description: 'A point of the course and how many have passed it.' });

export type PassingPoint = z.infer<typeof PassingPoint>;

/** The answer of deleteEventPassings. */
export const PassingDeletion = z
  .object({
    point,
    dry_run: field(z.boolean(), 'Whether nothing was deleted.', false),
    removed: count('Passings that were deleted, or would be.', 214),
  })
  .meta({ id: 'PassingDeletion', description: 'A point that was taken back, or would be.' });

export type PassingDeletion = z.infer<typeof PassingDeletion>;
