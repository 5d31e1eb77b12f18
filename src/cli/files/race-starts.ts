import * as z from 'zod/mini';
import { instantIn, isZone } from '../../timing-files/read/race-clock.ts';
import type { Start } from '../../timing-files/read/starts.ts';

const WALL = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** When the gun of each distance went off, as the clocks of a zone showed it. */
export const Starts = z.object({
  zone: z.string().check(z.refine(isZone, 'no zone such as Europe/Madrid')),
  times: z.record(z.string(), z.string().check(z.regex(WALL))),
});
export type Starts = z.infer<typeof Starts>;

/** The zone and the starts as a clock needs them. */
export const raceOf = ({ zone, times }: Starts): { zone: string; starts: Start[] } => ({
  zone,
  starts: Object.entries(times).flatMap(([name, wall]) => {
    const instant = instantIn(zone, wall);
    if (instant === undefined) return [];
    const distance = name || null;
    const starts_at = new Date(instant).toISOString();
    return [{ name, distance, bib_from: null, bib_to: null, starts_at }];
  }),
});
