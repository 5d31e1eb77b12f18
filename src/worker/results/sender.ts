import { type SQL, sql } from 'drizzle-orm';
import { callerKeyId } from '../auth/api-key/queries.ts';
import { memberUserId } from '../auth/panel/queries.ts';
import type { Slot, Statement } from '../db/statement.ts';
import { findManagedEvent, managedEventId, managedTarget } from '../events/panel-queries.ts';
import { findEvent, ownEventId, ownTarget } from '../events/queries.ts';

/** The sender of results, in SQL. */
export type Sender = {
  kind: SenderKind;
  /** The id of the event; null if the event is not the sender's. */
  ownEvent: (eventId: Slot) => SQL;
  /**
   * Locks the event of a write and the key in its record against deletion: `event_id`, `api_key_id` and `key_prefix`,
   * or no row if the sender may not write to the event.
   */
  target: (eventId: Slot) => SQL;
  userId: SQL;
  /** The id of the key; null of a user of the panel. */
  keyId: SQL;
};

export const KEY: Sender = {
  kind: 'key',
  ownEvent: ownEventId,
  target: ownTarget,
  userId: sql`null`,
  keyId: callerKeyId,
};

/** A batch of a user of the panel has no key. */
export const MEMBER: Sender = {
  kind: 'member',
  ownEvent: managedEventId,
  target: managedTarget(),
  userId: sql`${memberUserId}`,
  keyId: sql`null::uuid`,
};

export type SenderKind = 'key' | 'member';

type FindEvent = (values: { eventId: string }) => Statement<object[]>;

/** Finds an event; no row if the event is not the sender's. */
export const findEventOf: Record<SenderKind, FindEvent> = {
  key: findEvent,
  member: findManagedEvent,
};

/** The differences between the senders. */
export const bySender = <T>(make: (sender: Sender) => T): Record<SenderKind, T> => ({
  key: make(KEY),
  member: make(MEMBER),
});
