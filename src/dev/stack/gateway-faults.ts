import { z } from 'zod';

const target = { for: z.string().min(1), times: z.int().positive().optional() };

/**
 * What goes wrong for the requests that carry the tag `for`:
 * delay: wait `ms` first · refuse: hang up at once · tear-before: read the request, then hang up ·
 * tear-after: execute it, then hang up without answering · garbage: 200 and no JSON, nothing
 * executed · sqlstate: answer that SQLSTATE, nothing executed. Without `times`, until cleared.
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
  /** A second fault for the same tag replaces the first. */
  set(fault: Fault): void;
  clear(tag: string): void;
  /** Returns the fault for the next request of this tag, and counts it as used. */
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
