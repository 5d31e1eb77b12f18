import { type SQL, sql } from 'drizzle-orm';
import { callerKey } from '../auth/api-key/queries.ts';
import { memberUserId } from '../auth/panel/queries.ts';
import type { Slot, Statement } from '../db/statement.ts';
import { findManagedEvent, managedEventId } from '../events/panel-queries.ts';
import { findEvent, ownEventId } from '../events/queries.ts';

/** Who writes results, in SQL. */
export type Sender = {
  /** The id of the event; null if it is not theirs. */
  ownEvent: (eventId: Slot) => SQL;
  /** `id` and `key_prefix` of the key that a batch is recorded with: one row, or none if the key may not write. */
  key: SQL;
  userId: SQL;
};

export const KEY: Sender = {
  ownEvent: ownEventId,
  key: callerKey,
  userId: sql`null`,
};

/** A batch of a user of the panel has no key. */
export const MEMBER: Sender = {
  ownEvent: managedEventId,
  key: sql`(select null::uuid as id, null::text as key_prefix)`,
  userId: sql`${memberUserId}`,
};

export type SenderKind = 'key' | 'member';

type FindEvent = (values: { eventId: string }) => Statement<object[]>;

/** Finds an event; no row if it is not the sender's. */
export const findEventOf: Record<SenderKind, FindEvent> = {
  key: findEvent,
  member: findManagedEvent,
};

/** What differs between the senders. */
export const bySender = <T>(make: (sender: Sender) => T): Record<SenderKind, T> => ({
  key: make(KEY),
  member: make(MEMBER),
});
