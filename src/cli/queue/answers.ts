import * as z from 'zod/mini';
import type { Answers } from '../../client/index.ts';

/** No text of the API is longer. A cell of a workbook has at most 32 767 characters. */
const TEXT_MAX = 100_000;
const COUNT_MAX = 1_000_000_000;

/** Only a server that repeats the request knows a whole key. The API names the first 12 characters. */
const isKeyless = z.refine<string>((text) => !/_live_[\w-]{20}/.test(text));
const text = z.string().check(z.maxLength(TEXT_MAX), isKeyless);
const name = z.nullable(text);
const instant = text.check(z.refine((at) => !Number.isNaN(Date.parse(at))));
const integer = z.int().check(z.minimum(-COUNT_MAX), z.maximum(COUNT_MAX));
const count = z.int().check(z.nonnegative(), z.maximum(COUNT_MAX));
const counts = <Names extends string>(...names: Names[]) =>
  z.object(Object.fromEntries(names.map((one) => [one, count])) as Record<Names, typeof count>);

const Event = z.object({ id: text, name: text, event_date: instant, status: text, city: text });

const Start = z.object({
  name: text,
  distance: name,
  bib_from: z.nullable(z.number()),
  bib_to: z.nullable(z.number()),
  starts_at: instant,
});
const Starts = z.object({ version: z.int(), starts: z.array(Start) });
const Podium = z.object({
  distance: name,
  gender: name,
  category: name,
  before: z.array(name),
  after: z.array(name),
});
const Shift = z.extend(counts('results', 'passings', 'runners'), {
  seconds: integer,
  podiums: z.array(Podium),
  official_version: z.nullable(count),
});
const Point = z.object({
  name: text,
  distance: name,
  order: z.number(),
  km: z.nullable(z.number()),
});

const content = { status: text, chip_time: name, gun_time: name, splits: z.record(text, text) };
const Result = z.object({ inscription_id: text, bib_number: name, distance: name, ...content });
const Passing = z.object({
  inscription_id: text,
  bib_number: name,
  point: text,
  time: text,
  distance: name,
  received_at: instant,
});
const Removed = z.object({ inscription_id: text, removed: z.literal(true) });
const runner = { distance: name, category: name, gender: name };
const StartListEntry = z.object({
  ...{ inscription_id: text, bib_number: name, chip: name, given_names: name, surnames: name },
  ...{ ...runner, kit_status: name },
});

const upload = {
  id: text,
  source: text,
  received_at: instant,
  key_name: text,
  key_prefix: text,
  sender: name,
  file_name: name,
  reverts: name,
  reverted_at: z.nullable(instant),
};
const landed = ['total_processed', 'uploaded', 'updated', 'not_found', 'errors'] as const;
const Upload = z.extend(counts(...landed, 'unchanged', 'removed', 'left'), upload);
const reversal = counts('restored', 'removed', 'reinstated', 'kept');

const Left = z.object({
  row: count,
  bib_number: text,
  reason_code: text,
  sender: name,
  at: z.nullable(instant),
});
const Failure = z.object({ row: count, bib_number: name, reason: text, reason_code: text });
const outcome = { left: z.array(Left), failed: z.array(Failure) };
const Outcome = z.extend(counts(...landed, 'duplicates'), outcome);

const reading = z.object({ query: text, why: text });
const Warning = z.object({
  code: text,
  detail: text,
  values: z.record(text, z.union([text, z.number(), z.array(text)])),
  rows: z.array(count),
  choices: z.optional(z.array(reading)),
});
const Column = z.object({
  name: text,
  meaning: name,
  why: text,
  samples: z.array(text),
});
const preview = {
  ...outcome,
  // An API without `left` is too old, and gets an error of its own.
  left: z.optional(outcome.left),
  encoding: text,
  delimiter: text,
  header_line: count,
  columns: z.array(Column),
  warnings: z.array(Warning),
  suggestion: z.nullable(reading),
};
const previewed = [...landed, 'duplicates', 'unchanged'] as const;
const PreviewRow = z.object({ row: count, bib_number: text });
const ResultsPreview = z.object({
  ...preview,
  counts: z.extend(counts(...previewed, 'changed', 'new'), { statuses: z.record(text, count) }),
  rows: z.array(z.extend(PreviewRow, { ...content, splits: z.record(text, z.nullable(text)) })),
});
const PassingsPreview = z.object({
  ...preview,
  counts: counts(...previewed),
  rows: z.array(z.extend(PreviewRow, { point: text, time: name })),
});

/** The compiler compares each schema with the generated type: no schema refuses an answer of the API. */
const acceptingAll = <Schemas extends Partial<Record<keyof Answers, z.ZodMiniType>>>(
  schemas: Schemas & {
    [Id in keyof Schemas & keyof Answers]: Answers[Id] extends z.input<Schemas[Id]>
      ? unknown
      : never;
  },
): Schemas => schemas;

/** The facts that a command reads. A list and an export have the facts of an item. */
const ANSWERS: Partial<Record<keyof Answers, z.ZodMiniType>> = acceptingAll({
  listEvents: Event,
  getEvent: Event,
  getEventStarts: Starts,
  putEventStarts: z.extend(Starts, { shift: z.nullable(Shift) }),
  getEventPoints: z.object({ points: z.array(Point) }),
  getEventWarnings: z.object({
    clocks: z.array(z.object({ at: text, point: name, minutes: integer })),
  }),
  exportEventStartList: z.union([StartListEntry, Removed]),
  exportEventResults: z.union([Result, Removed]),
  exportEventPassings: z.union([Passing, Removed]),
  listEventResults: Result,
  listMissingResults: z.object({ bib_number: text, ...runner }),
  listOfficialResults: z.object({ version: count, state: text, made_at: instant }),
  listResultBatches: Upload,
  listPassingUploads: Upload,
  listResultBatchChanges: z.object({ bib_number: name, replaced_by: name }),
  revertResultBatch: z.extend(reversal, {
    batch_id: name,
    kept_rows: z.array(z.object({ bib_number: name })),
  }),
  revertPassingUpload: z.extend(reversal, { upload_id: name }),
  deleteEventResult: z.object({ batch_id: text }),
  previewEventResultsFile: ResultsPreview,
  previewEventPassingsFile: PassingsPreview,
  uploadEventResults: z.extend(Outcome, { batch_id: text }),
  uploadEventResultsFile: z.extend(Outcome, { batch_id: text }),
  uploadEventPassings: z.extend(Outcome, { upload_id: text }),
});

const Refusal = z.object({ code: text, detail: text });

/**
 * Whether a command can rely on an answer: any server may answer any JSON.
 * @param body the body of an error, the body of an answer, or an item of a list or an export
 */
export const isAnswer = (operation: keyof Answers, body: unknown, isError: boolean): boolean =>
  z.safeParse((isError ? Refusal : ANSWERS[operation]) ?? z.never(), body).success;
