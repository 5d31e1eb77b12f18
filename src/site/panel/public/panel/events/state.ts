import { useState } from 'preact/hooks';
import { listOrganizationEvents } from '../../client/operations/list-organization-events.ts';
import { all, type OrganizationEvent } from '../api.ts';
import { type Session, useLatest } from '../kit.tsx';

/** The races for several views. */
export interface Events {
  /** Undefined before the first loading. */
  readonly items: readonly OrganizationEvent[] | undefined;
  /** The reason of a failed loading. */
  readonly message: string;
  reload(): Promise<void>;
  /** Takes a changed race. A list requested before is out of date. */
  replace(changed: OrganizationEvent): void;
}

export function useEvents({ run }: Pick<Session, 'run'>): Events {
  const [items, setItems] = useState<readonly OrganizationEvent[]>();
  const { latest, message, drop } = useLatest();
  return {
    items,
    message,
    reload: () =>
      latest(
        () => run(({ client, organization }) => all(listOrganizationEvents(client, organization))),
        setItems,
      ),
    replace(changed) {
      drop();
      setItems((known) => known?.map((one) => (one.id === changed.id ? changed : one)));
    },
  };
}
