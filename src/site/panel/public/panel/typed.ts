import { useState } from 'preact/hooks';
import { inTab } from '../shared/storage.ts';

const KEPT = 'typed';

/** The reader's input, by the name of the field. */
let typed: Map<string, unknown> = new Map();

/** The author of the kept input, and the query of the author's address. */
interface Place {
  readonly organization: string;
  readonly userId: string;
  readonly address: string;
}

/** The state of a field. The state outlasts the session: after signing in again, the user finds the input. */
export function useTyped<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() =>
    typed.has(name) ? (typed.get(name) as Value) : initial,
  );
  return [
    value,
    (changed) => {
      typed.set(name, changed);
      setValue(() => changed);
    },
  ];
}

/** Keeps the input for this tab. The page keeps no part of the input. */
export function keepTyped(place: Place) {
  inTab((tab) => tab.setItem(KEPT, JSON.stringify({ ...place, typed: [...typed] })));
  typed = new Map();
}

export function forgetTyped() {
  inTab((tab) => tab.removeItem(KEPT));
  typed = new Map();
}

/**
 * Takes the input of this user of this organization. The input of another user is forgotten.
 * @returns the query of the address at the time of the input
 */
export function takeTyped(organization: string, userId: string): string | undefined {
  const kept: (Place & { typed: [string, unknown][] }) | null = JSON.parse(
    inTab((tab) => tab.getItem(KEPT)) ?? 'null',
  );
  forgetTyped();
  if (kept?.organization !== organization || kept.userId !== userId) return undefined;
  typed = new Map(kept.typed);
  return kept.address;
}
