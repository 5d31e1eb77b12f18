import * as z from 'zod';
import { RESULT_STATUSES } from '../db/schema.ts';

/** Arrivals that a snapshot carries, latest first. */
export const ARRIVALS = 20;
/** Rows of the whole event's ranking, and of each gender's, category's and distance's. */
export const LEADERS = 10;
export const GROUP_LEADERS = 5;
/** Of each kind; an event with more shows those with the most finishers. */
export const GROUPS_MAX = 40;

const Place = z.int().min(1);

/** A runner as everybody may see them: no document, no contact, never a whole surname. */
const Runner = z.object({
  bib_number: z.string().nullable(),
  /** A given name and the first letter of the surname, where the event shows names. */
  name: z.string().nullable(),
  gender: z.string().nullable(),
  category: z.string().nullable(),
  distance: z.string().nullable(),
  status: z.enum(RESULT_STATUSES),
  /** `HH:MM:SS.mmm` */
  chip_time: z.string().nullable(),
  gun_time: z.string().nullable(),
});

/** One in a list; their place is that of the group which the list is of. */
export const BoardRunner = Runner.extend({ place: Place });

export type BoardRunner = z.infer<typeof BoardRunner>;

/** Those of one gender, category or distance, and the first of them. */
export const BoardGroup = z.object({
  name: z.string(),
  finished: z.int(),
  leaders: z.array(BoardRunner),
});

export type BoardGroup = z.infer<typeof BoardGroup>;

/** Everything that the board shows of an event, in its state at one version. */
export const BoardSnapshot = z.object({
  event: z.object({ name: z.string(), city: z.string(), event_date: z.iso.datetime() }),
  /** Results by status; one that nobody has is 0. */
  counts: z.record(z.enum(RESULT_STATUSES), z.int()),
  arrivals: z.array(BoardRunner),
  leaders: z.array(BoardRunner),
  genders: z.array(BoardGroup),
  categories: z.array(BoardGroup),
  /** Empty where all run the same. */
  distances: z.array(BoardGroup),
});

export type BoardSnapshot = z.infer<typeof BoardSnapshot>;

/** One runner, as the search by bib finds them; without a finish there are no positions. */
export const BoardResult = Runner.extend({
  position_overall: Place.nullable(),
  position_gender: Place.nullable(),
  position_category: Place.nullable(),
  /** In the order in which they were run. */
  splits: z.array(z.object({ name: z.string(), time: z.string() })),
});

export type BoardResult = z.infer<typeof BoardResult>;
