import * as z from 'zod';
import { BATCH_SOURCES } from '../db/sql.ts';
import {
  count,
  field,
  id,
  idOrNull,
  instant,
  instantOrNull,
  text,
  textOrNull,
} from '../http/answer-schemas.ts';
import { LEFT_PREVIEWED } from '../results/left-reasons.ts';
import {
  bibOrNull,
  inscriptionId,
  positions,
  runnerGroups,
} from '../results/read/answer-schemas.ts';
import {
  failedRows,
  LEFT,
  leftCount,
  leftRow,
  PreviewWarning,
  senderOrNull,
  uploadCounts,
} from '../results/upload/answer-schemas.ts';
import {
  leftNames,
  PreviewRow,
  ResultsFilePreview,
} from '../results/upload/preview-answer-schemas.ts';

const UPLOAD = 'c0000000-0000-4000-8000-000000000001';
const REVERT = 'c0000000-0000-4000-8000-000000000002';

const point = text('Name of the point.', 'Km 10');

const LeftPassing = leftRow(
  field(
    z.object({ time: text('Time since the start, as `HH:MM:SS.mmm`.', '00:41:28.000') }).nullable(),
    'The stored passing. Null if there is none.',
    { time: '00:41:28.000' },
  ),
).meta({ id: 'LeftPassing', description: 'A row that was left to a person.' });

export type LeftPassing = z.infer<typeof LeftPassing>;

/** The answer of uploadEventPassings. */
export const PassingsUploadOut = z
  .object({
    upload_id: id('Id of this upload.', UPLOAD),
    ...uploadCounts('passing'),
    warnings: field(
      z.array(PreviewWarning).optional(),
      'The warnings that a person should look at. The answer to a file always has the list, and the answer to ' +
        'JSON only with a warning.',
      [],
    ),
    left: field(z.array(LeftPassing), LEFT, []),
    failed: failedRows,
  })
  .meta({
    id: 'PassingsUploadOut',
    description:
      'The outcome of an upload of passings. `uploaded`, `updated`, `not_found`, `errors`, `duplicates` and the ' +
      'number of rows in `left` add up to `total_processed`.',
  });

export type PassingsUploadOut = z.infer<typeof PassingsUploadOut>;

const PassingPreviewRow = z
  .object({
    ...PreviewRow.pick({ row: true, bib_number: true, replaced_by: true }).shape,
    point,
    time: textOrNull('Time since the start, `HH:MM:SS.mmm`.', '00:41:28.000'),
  })
  .meta({ id: 'PassingPreviewRow', description: 'A row of the file as it is read.' });

/** The answer to a preview of a file of passings. */
export const PassingsFilePreview = ResultsFilePreview.omit({ changes: true })
  .extend({
    counts: z.object({ ...uploadCounts('passing'), left: leftCount }).meta({
      id: 'PassingPreviewCounts',
      description: 'The counts that the upload would answer with.',
    }),
    rows: z.array(PassingPreviewRow).meta({
      description:
        'The first rows, at most 10, and both rows of the first 5 bibs that stand twice.',
    }),
    left: field(
      z.array(LeftPassing),
      `The first rows that the upload would leave to a person, at most ${LEFT_PREVIEWED}.`,
      [],
    ),
  })
  .meta({
    id: 'PassingsFilePreview',
    description:
      'How a file would be read as the passings of one point. If an upload with these parameters would refuse the ' +
      'file, `columns`, `counts`, `rows` and `failed` are those of the suggestion.',
  });

/** The preview in the panel. */
export const OrganizationPassingsFilePreview = PassingsFilePreview.extend({
  left: field(
    z.array(
      LeftPassing.extend(leftNames).meta({
        id: 'OrganizationLeftPassing',
        description: 'A row that would be left to a person, as the panel shows such a row.',
      }),
    ),
    PassingsFilePreview.shape.left.description ?? '',
    [],
  ),
}).meta({
  id: 'OrganizationPassingsFilePreview',
  description: 'How a file of passings would be read, as the panel shows the preview.',
});

export type OrganizationPassingsFilePreview = z.infer<typeof OrganizationPassingsFilePreview>;

export type PassingsFilePreview = z.infer<typeof PassingsFilePreview>;

/** The passing of a runner at a point. Only the registration and the bib identify the runner. */
export const Passing = z
  .object({
    inscription_id: inscriptionId,
    bib_number: bibOrNull,
    point,
    time: text('Time since the start, as `HH:MM:SS.mmm`.', '00:41:28.000'),
    ...runnerGroups,
    ...positions('at the point, among all passed runners who are'),
    received_at: instant('Time at which the passing was last stored.', '2027-05-09T13:12:04.120Z'),
    upload_id: id('The upload that stored the passing, as `listPassingUploads` has it.', UPLOAD),
    key_name: textOrNull('Name of the key that sent the upload. Null for a user.', 'Timing'),
    sender: senderOrNull,
  })
  .meta({
    id: 'Passing',
    description:
      'A runner at a point, with the positions at the point. A passing contains no personal data.',
  });

export type Passing = z.infer<typeof Passing>;

/**
 * An item of exportEventPassings. The texts about the upload stand in the list of uploads: a copy would keep a sender's
 * name after the runner behind the name is forgotten.
 */
export const ExportedPassing = Passing.omit({ key_name: true, sender: true })
  .extend({
    time_ms: field(z.int().min(1), 'Time since the start in milliseconds.', 2_488_000),
  })
  .meta({
    id: 'ExportedPassing',
    description: 'A passing with its positions, and its time also in milliseconds.',
  });

export type ExportedPassing = z.infer<typeof ExportedPassing>;

/** A point of the course. */
export const PassingPoint = z
  .object({
    point,
    total: count('Runners who have passed the point.', 214),
    fastest_time: text('The fastest time at the point, as `HH:MM:SS.mmm`.', '00:31:02.000'),
  })
  .meta({
    id: 'PassingPoint',
    description: 'A point of the course, with the number of passed runners.',
  });

export type PassingPoint = z.infer<typeof PassingPoint>;

/** The answer of deleteEventPassings. */
export const PassingDeletion = z
  .object({
    upload_id: idOrNull(
      'The upload of the deletion. Revert this upload to bring the passings back. Null if nothing was deleted.',
      REVERT,
    ),
    point,
    dry_run: field(z.boolean(), 'Whether nothing was deleted.', false),
    removed: count('Deleted passings. For a dry run, passings that would be deleted.', 214),
  })
  .meta({ id: 'PassingDeletion', description: 'The effect of taking a point back.' });

export type PassingDeletion = z.infer<typeof PassingDeletion>;

/** An upload of passings, a revert or a deletion of a point. */
export const PassingUpload = z
  .object({
    id: id('Id of the upload.', UPLOAD),
    source: field(
      z.enum(BATCH_SOURCES),
      'How the upload came: as JSON or CSV, as a revert of an upload, or as the deletion of a point.',
      'json',
    ),
    received_at: instant(
      'Time of the request. The list is in the order in which uploads took effect.',
      '2027-05-09T13:12:04.120Z',
    ),
    key_name: text(
      'Name of the key that sent the upload. Empty for a user of the panel.',
      'Timing',
    ),
    key_prefix: text(
      'First 12 characters of the key at the time of the upload. Empty without a `key_name`.',
      'er_live_a1B2',
    ),
    user_id: textOrNull('The user who sent the upload in the panel. Null for a key.', null),
    sender: senderOrNull,
    file_name: textOrNull('Name of the file. Null if the client sent no name.', null),
    deleted_point: textOrNull('The point that a deletion took away.', null),
    ...uploadCounts('passing'),
    removed: count(
      'Passings taken away: by a deletion, or by a revert of the upload that had created the passings.',
      0,
    ),
    left: leftCount,
    reverts: idOrNull(
      'The upload that this upload reverts. Null if this upload is no revert.',
      null,
    ),
    reverted_at: instantOrNull(
      'When the upload was reverted. Null without a revert, or if the revert was reverted.',
      null,
    ),
    reverted_by: idOrNull('The upload that reverted this upload.', null),
  })
  .meta({
    id: 'PassingUpload',
    description:
      'An upload of passings, a revert or a deletion of a point. `uploaded`, `updated`, `removed`, `not_found`, ' +
      '`errors`, `duplicates` and `left` add up to `total_processed`.',
  });

export type PassingUpload = z.infer<typeof PassingUpload>;

/** The answer of revertPassingUpload. */
export const PassingUploadReversal = z
  .object({
    upload_id: idOrNull(
      'The new upload that the revert is. Null for a dry run, and if there was nothing to revert.',
      REVERT,
    ),
    reverts: id('The upload that was reverted.', UPLOAD),
    dry_run: field(z.boolean(), 'Whether nothing was written.', false),
    restored: count('Passings that returned to their content before the upload.', 2),
    removed: count('Passings taken away, because the upload had created them.', 1),
    reinstated: count('Passings brought back that a deletion or a revert had taken away.', 0),
    already_reverted: count('Passings that an earlier revert of this upload took back.', 0),
    kept: count('Passings left alone, because a later upload had replaced them.', 1),
  })
  .meta({ id: 'PassingUploadReversal', description: 'What a revert did, or would do.' });

export type PassingUploadReversal = z.infer<typeof PassingUploadReversal>;
