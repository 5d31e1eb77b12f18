import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { registrations } from '../db/schema.ts';
import { columnsOf, fieldsOf } from '../db/sql.ts';
import type { RowSchema, Slots } from '../db/statement.ts';
import { streamedStatement } from '../db/streamed-statement.ts';
import { findEvent } from '../events/queries.ts';
import type { ExportedFile } from '../http/export.ts';
import { fieldNames, type ItemFields, itemsWith } from '../http/item-fields.ts';
import type { StartListEntry } from './answer-schemas.ts';
import { registrationsSince } from './copy.ts';
import { participantRow } from './queries.ts';

/** The columns that timing programs import, and no more. */
const startListRow = () =>
  z.pick(participantRow(), {
    inscription_id: true,
    bib_number: true,
    chip: true,
    given_names: true,
    surnames: true,
    gender: true,
    distance: true,
    category: true,
    kit_status: true,
  });

startListRow satisfies RowSchema<StartListEntry>;

const copiedRow = () => z.extend(startListRow(), { is_removed: z.boolean() });

type CopiedRow = z.output<ReturnType<typeof copiedRow>>;

const columns = () => {
  const plain = fieldsOf(z.omit(startListRow(), { inscription_id: true }));
  return sql`id as inscription_id, ${columnsOf<typeof registrations>(...plain)}`;
};

/** Every runner without a cancellation may start, paid or not. */
const readStartList = streamedStatement(
  'readStartList',
  copiedRow,
  (slots: Slots<{ eventId: string; since?: string }>) =>
    registrationsSince(slots, columns(), sql`status <> 'CANCELLED'`),
  { since: true },
);

const FIELDS: ItemFields<StartListEntry, [CopiedRow]> = {
  inscription_id: (row) => row.inscription_id,
  bib_number: (row) => row.bib_number,
  chip: (row) => row.chip,
  given_names: (row) => row.given_names,
  surnames: (row) => row.surnames,
  gender: (row) => row.gender,
  distance: (row) => row.distance,
  category: (row) => row.category,
  kit_status: (row) => row.kit_status,
};

const toEntry = itemsWith(FIELDS);

const WHAT = 'start list';

export const startList = {
  event: findEvent,
  rows: readStartList,
  file: (): ExportedFile<CopiedRow> => ({
    fields: fieldNames(FIELDS),
    toItems: (rows) => rows.map((row) => toEntry(row)),
    what: WHAT,
  }),
};

export const startListCopy = {
  list: 'start-list' as const,
  event: findEvent,
  rows: readStartList,
  fields: () => fieldNames(FIELDS),
  toItem: toEntry,
  what: WHAT,
};
