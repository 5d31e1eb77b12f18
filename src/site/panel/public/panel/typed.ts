import { useState } from 'preact/hooks';
import { inTab } from '../shared/storage.ts';

const KEPT = 'typed';

/** What the reader has typed, by the name of the field. */
let typed: Map<string, unknown> = new Map();

/** Whose text is kept, and the query of the address where it was typed. */
interface Place {
  readonly organization: string;
  readonly userId: string;
  readonly address: string;
}

/** The state of a field. It outlasts the session: the same user finds it again after signing in again. */
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

/** Keeps what is typed for this tab. Nothing of it stays in the page. */
export function keepTyped(place: Place) {
  inTab((tab) => tab.setItem(KEPT, JSON.stringify({ ...place, typed: [...typed] })));
  typed = new Map();
}

export function forgetTyped() {
  inTab((tab) => tab.removeItem(KEPT));
  typed = new Map();
}

/**
 * Takes what this user of this organization has typed. What another user has typed is forgotten.
 * @returns the query of the address where it was typed
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
