import { useState } from 'preact/hooks';
import { listOrganizationEvents } from '../../client/operations/list-organization-events.ts';
import { all, type OrganizationEvent } from '../api.ts';
import { type Session, useLatest } from '../kit.tsx';

/** The races that several views know. */
export interface Events {
  /** Nothing until they are loaded. */
  readonly items: readonly OrganizationEvent[] | undefined;
  /** Why they could not be loaded. */
  readonly message: string;
  reload(): Promise<void>;
  /** Takes a race as it is now. A list that was asked for before is out of date. */
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
