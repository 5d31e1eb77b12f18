import * as z from 'zod';
import { RANKING_RULES } from '../../timing-files/read/ranking-rule.ts';
import { RESULT_STATUSES } from '../../timing-files/read/result-status.ts';

const Place = z.int().min(1);
const Instant = z.iso.datetime();

/** The public data of a runner: no document, no contact, no full surname. */
const Runner = z.object({
  bib_number: z.string().nullable(),
  /** A given name and the first letter of the surname, where the event shows names. */
  name: z.string().nullable(),
  gender: z.string().nullable(),
  category: z.string().nullable(),
});

export type Runner = z.infer<typeof Runner>;

/** A finisher in a list, with the place within the list's group of the race. */
export const BoardRunner = Runner.extend({
  /** The chip time, or the gun time without one, as `HH:MM:SS.mmm`. */
  time: z.string(),
  place: Place,
});

export type BoardRunner = z.infer<typeof BoardRunner>;

/** A finisher in the order of arrival: when the runner was first FINISHED. Corrections do not move it. */
const BoardArrival = BoardRunner.extend({ arrived_at: Instant });

/** A gender of a race, or a category of a gender, with its leaders. */
export const BoardGroup = z.object({
  gender: z.string().nullable(),
  /** Null for the whole gender. */
  category: z.string().nullable(),
  finished: z.int(),
  leaders: z.array(BoardRunner),
});

export type BoardGroup = z.infer<typeof BoardGroup>;

/** A runner at a point of the course. */
const BoardPassing = Runner.extend({
  /** Since the start, as `HH:MM:SS.mmm`. */
  time: z.string(),
});

export type BoardPassing = z.infer<typeof BoardPassing>;

/** A point before the finish. */
const BoardPoint = z.object({
  point: z.string(),
  /** How many have passed. */
  passed: z.int(),
  /** The fastest ones, and the slowest of those who have passed: the latest one first. */
  first: z.array(BoardPassing),
  latest: z.array(BoardPassing),
});

export type BoardPoint = z.infer<typeof BoardPoint>;

/** The race of one distance. */
export const BoardRace = z.object({
  /** Empty for registrations without a distance. */
  distance: z.string(),
  /** Runners who may arrive: all but those who did not start. */
  entered: z.int(),
  /** Results by status. A status without results is 0. */
  counts: z.record(z.enum(RESULT_STATUSES), z.int()),
  arrivals: z.array(BoardArrival),
  leaders: z.array(BoardRunner),
  genders: z.array(BoardGroup),
  categories: z.array(BoardGroup),
  /** In the order of the course. Empty if nobody is timed before the finish. */
  points: z.array(BoardPoint),
});

export type BoardRace = z.infer<typeof BoardRace>;

/** Everything that the board shows, read in one transaction. */
export const BoardSnapshot = z.object({
  event: z.object({
    name: z.string(),
    city: z.string(),
    event_date: Instant,
    /** The IANA time zone of the event's place, as its organization wrote it. */
    time_zone: z.string().nullable(),
    shows_names: z.boolean(),
    /** The rule that places follow. */
    rank_by: z.enum(RANKING_RULES),
    /** When a result was last written; later than the last arrival if somebody corrects results. */
    changed_at: Instant.nullable(),
    has_numeric_bibs: z.boolean(),
  }),
  /** The last official version of the results. Null while they are provisional. */
  official: z
    .object({
      version: z.int().min(1),
      made_at: Instant,
      state: z.enum(['official', 'changed_since']),
    })
    .nullable(),
  /** In the order of their distances. */
  races: z.array(BoardRace),
});

export type BoardSnapshot = z.infer<typeof BoardSnapshot>;

const Standing = z.object({ place: Place, of: z.int() });

/**
 * The answer to a search by bib. Until the result arrives, `status` is null. Until the runner has passed a point
 * of the course, only the bib and the distance are public.
 */
export const BoardResult = Runner.extend({
  distance: z.string().nullable(),
  status: z.enum(RESULT_STATUSES).nullable(),
  /** `HH:MM:SS.mmm` */
  /** The rule that places follow. */
  rank_by: z.enum(RANKING_RULES),
  chip_time: z.string().nullable(),
  gun_time: z.string().nullable(),
  /** The time behind the fastest of the race, as `HH:MM:SS.mmm`. */
  gap: z.string().nullable(),
  /** The place among the finishers of the race, of its gender, and of the category in this gender. */
  overall: Standing.nullable(),
  in_gender: Standing.nullable(),
  in_category: Standing.nullable(),
  /**
   * From the gun to the start line, as `HH:MM:SS.mmm`; null if nobody knows it. If it is known, all splits are since the
   * runner's own start. If not, those of passings are since the gun.
   */
  start_delay: z.string().nullable(),
  /** In order of time. `passed_at` is when the runner was there: null for a split that came with the result. */
  splits: z.array(z.object({ name: z.string(), time: z.string(), passed_at: Instant.nullable() })),
  /**
   * The changes of the result, the first one first. `reverted`: somebody took a batch back. It names no person and no
   * key; the reason is as its author wrote it. `at` is null for a removal whose batch was deleted.
   */
  history: z.array(
    z.object({
      what: z.enum(['sent', 'corrected', 'removed', 'reverted']),
      at: Instant.nullable(),
      reason: z.string().nullable(),
    }),
  ),
  /** As in the snapshot, so that a page knows whether both are of one moment. */
  changed_at: Instant.nullable(),
});

export type BoardResult = z.infer<typeof BoardResult>;

/**
 * The runners that a search by bib or name finds: that of the bib, then those with a result or on the course whose shown
 * name is alike, in the order of the ranking.
 */
export const BoardFound = z.object({
  runners: z.array(
    Runner.extend({
      distance: z.string().nullable(),
      status: z.enum(RESULT_STATUSES).nullable(),
      time: z.string().nullable(),
    }),
  ),
  total: z.int(),
  /** The board shows nobody with this name. These are the nearest: of the same given name, or one letter apart. */
  are_nearest: z.boolean(),
});

export type BoardFound = z.infer<typeof BoardFound>;

/** A page of all results of a race: finishers by time, then the others by status and bib. */
export const BoardList = z.object({
  /** Results of the race by gender and category, without the filter. */
  groups: z.array(
    z.object({ gender: z.string().nullable(), category: z.string().nullable(), results: z.int() }),
  ),
  rows: z.array(
    Runner.extend({
      status: z.enum(RESULT_STATUSES),
      time: z.string().nullable(),
      /** Among those that match the filter. */
      place: Place.nullable(),
    }),
  ),
  total: z.int(),
  page: z.int(),
  pages: z.int(),
});

export type BoardList = z.infer<typeof BoardList>;
