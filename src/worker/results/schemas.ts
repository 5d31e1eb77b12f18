import * as z from 'zod/mini';
import { TIME_OF_DAY } from '../../timing-files/read/parameters.ts';
import { REASON_MAX, SENDER_MAX } from '../db/sql.ts';
import { nameOf, oneText, undefinedIfBlank } from '../http/validation.ts';
import { later } from '../later.ts';

export const trueOrFalse = () =>
  z.pipe(oneText(), z.enum(['true', 'false'], { error: 'expected true or false' }));

/** How many bibs without a registration a batch keeps, and how many characters of each. */
export const NOT_FOUND_BIBS_MAX = 100;

/** The reason of a change. A blank reason counts as not sent. */
export const reason = () => z.optional(z.pipe(nameOf(REASON_MAX), z.transform(undefinedIfBlank)));

/** The name of the sender, such as a laptop. A blank name counts as not sent. */
const senderName = () => z.optional(z.pipe(nameOf(SENDER_MAX), z.transform(undefinedIfBlank)));

/** Which rows an upload leaves to a person. */
export const LEAVE_RULES = ['decided', 'impossible', 'others', 'many'] as const;

export type LeaveRule = (typeof LEAVE_RULES)[number];

const LEAVE_EXPECTED = { error: `expected ${LEAVE_RULES.join(', ')}` };

/** The query of an upload, of results or of passings. */
export const SenderQuery = later(() =>
  z.object({
    sender: senderName(),
    leave: z.optional(
      z.pipe(
        z.transform((sent) => [sent].flat()),
        z.array(z.pipe(oneText(), z.enum(LEAVE_RULES, LEAVE_EXPECTED))),
      ),
    ),
  }),
);

/** How the times of a JSON upload are written. */
export const TimesQuery = later(() =>
  z.object({
    time_format: z.optional(
      z.pipe(
        oneText(),
        z.enum(['clock', TIME_OF_DAY], { error: `expected clock or ${TIME_OF_DAY}` }),
      ),
    ),
  }),
);

/** The maximum of kept rows in the list of a revert. */
export const KEPT_ROWS_MAX = 1_000;

/** The query of a write with a batch. */
export const ReasonQuery = later(() => z.object({ reason: reason() }));

/** The maximum of listed results that changed since an official version. */
export const CHANGED_MAX = 50;
