import * as z from 'zod/mini';
import { later } from '../later.ts';

/** Arrivals of each race in a snapshot, latest first. */
export const ARRIVALS = 12;
/** Rows of each race's ranking, and of each group's. */
export const LEADERS = 10;
export const GROUP_LEADERS = 5;
/** Groups of each kind in a snapshot. An event with more groups shows the groups with the most finishers. */
export const GROUPS_MAX = 60;
/** Races in a snapshot. An event with more races shows the races with the most results. */
export const RACES_MAX = 100;
/** Limits of a snapshot: points of an event's course, and the first and the last passers at each point. */
export const POINTS_MAX = 60;
export const FIRST_PASSERS = 3;
export const LATEST_PASSERS = 8;
/** Rows of a page of the full list. */
export const PAGE_SIZE = 50;

/** A longer bib is not looked for. */
export const BIB_MAX = 40;

/** Characters of a distance, gender or category. */
export const GROUP_TEXT_MAX = 200;

/** Characters of a search. Further characters are not read. */
export const WANTED_MAX = 60;
/** Runners in the answer to a search. */
export const FOUND_MAX = 20;
/** Runners in the address of a page. */
export const FOLLOWED_MAX = 8;

/** Selects a page of the full list. */
export const BoardListQuery = later(() =>
  z.object({
    distance: z._default(z.string().check(z.maxLength(GROUP_TEXT_MAX)), ''),
    gender: z.optional(z.string().check(z.minLength(1), z.maxLength(GROUP_TEXT_MAX))),
    category: z.optional(z.string().check(z.minLength(1), z.maxLength(GROUP_TEXT_MAX))),
    page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1),
  }),
);

export type BoardListQuery = z.infer<ReturnType<typeof BoardListQuery>>;
