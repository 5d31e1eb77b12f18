import { z } from 'zod';

const target = { for: z.string().min(1), times: z.int().positive().optional() };

/**
 * A fault of the requests that carry the tag `for`, a number of `times` or until it is cleared.
 * - delay: waits `ms` before it executes
 * - refuse: hangs up at once
 * - tear-before: reads the request, then hangs up
 * - tear-after: executes the request, then hangs up
 * - garbage: answers 200 and HTML, executes nothing
 * - sqlstate: answers that SQLSTATE, executes nothing
 */
export const faultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...target, kind: z.literal('delay'), ms: z.int().min(0).max(60_000) }),
  z.strictObject({
    ...target,
    kind: z.literal('sqlstate'),
    sqlstate: z.string().regex(/^[0-9A-Z]{5}$/),
  }),
  z.strictObject({ ...target, kind: z.enum(['refuse', 'tear-before', 'tear-after', 'garbage']) }),
]);

export type Fault = z.infer<typeof faultSchema>;

export type Faults = {
  /** Replaces an earlier fault of the same tag. */
  set(fault: Fault): void;
  clear(tag: string): void;
  /** Returns the fault of the next request with this tag, and counts it. */
  take(tag: string): Fault | undefined;
};

export function createFaults(): Faults {
  const byTag = new Map<string, { fault: Fault; left: number }>();
  return {
    set: (fault) => void byTag.set(fault.for, { fault, left: fault.times ?? Infinity }),
    clear: (tag) => void byTag.delete(tag),
    take(tag) {
      const entry = byTag.get(tag);
      if (!entry) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) byTag.delete(tag);
      return entry.fault;
    },
  };
}
