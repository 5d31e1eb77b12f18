import type { Connection, Operation, RequestOptions } from './connection.ts';
import { ApiError } from './errors.ts';
import { request as participants } from './operations/export-event-participants.ts';
import { request as passings } from './operations/export-event-passings.ts';
import { request as results } from './operations/export-event-results.ts';
import { request as startList } from './operations/export-event-start-list.ts';
import type { ExportedPassing, ExportedResult, Participant, StartListEntry } from './types.ts';

/**
 * The lists to follow, with the type of the items. A result has only the result's own splits; no item has positions.
 */
export type FollowedLists = {
  participants: Participant;
  'start-list': StartListEntry;
  results: Omit<ExportedResult, `position_${string}` | 'rank_by'>;
  passings: Omit<ExportedPassing, `position_${string}`>;
};

const OPERATIONS: Record<keyof FollowedLists, Operation> = {
  participants,
  'start-list': startList,
  results,
  passings,
};

type Line<Item> = Item | { inscription_id: string; removed: true };

/** The changes of a copy. */
export type CopyChanges<Item> = { changed: Item[]; removed: Item[] };

/** A copy kept by a program between two runs. */
export type KeptCopy<Item> = { items: Map<string, Item>; cursor: string };

/** A copy of a list. Each `update` makes the copy equal to the list. */
export class Copy<List extends keyof FollowedLists> implements KeptCopy<FollowedLists[List]> {
  /** By `inscription_id`; passings by `inscription_id`, a blank and `point`. */
  readonly items: Map<string, FollowedLists[List]>;
  /** Keep the cursor with the items, to go on after a restart. Empty before the first update. */
  cursor: string;
  readonly #read: (since: string, options: RequestOptions) => ReturnType<Connection['changed']>;

  constructor(
    api: Connection,
    list: List,
    eventId: string,
    { items, cursor }: KeptCopy<FollowedLists[List]> = { items: new Map(), cursor: '' },
  ) {
    this.items = items;
    this.cursor = cursor;
    this.#read = (since, options) =>
      api.changed(OPERATIONS[list], {
        ...options,
        ids: [eventId],
        query: { changed_since: since },
      });
  }

  /**
   * Asks for the changes, with a small request. The whole list is read if the copy is new or incomplete, and once if
   * the API refuses the cursor, as after a restore of the database.
   * @returns the new or changed items, and the removed items
   */
  async update(options: RequestOptions = {}): Promise<CopyChanges<FollowedLists[List]>> {
    const read = await this.#read(this.cursor, options).catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status === 400 && this.cursor !== '';
      if (!isRefused) throw error;
      this.cursor = '';
      return this.#read('', options);
    });
    const next = merged(this.cursor === '' ? new Map() : new Map(this.items), read.lines);
    if (next.size === read.total) return this.#become(next, read.cursor);
    const whole = await this.#read('', options);
    return this.#become(merged(new Map(), whole.lines), whole.cursor);
  }

  #become(
    next: Map<string, FollowedLists[List]>,
    cursor: string,
  ): CopyChanges<FollowedLists[List]> {
    const changed = [...next].filter(
      ([key, item]) => JSON.stringify(this.items.get(key)) !== JSON.stringify(item),
    );
    const removed = [...this.items].filter(([key]) => !next.has(key));
    for (const [key] of removed) this.items.delete(key);
    for (const [key, item] of changed) this.items.set(key, item);
    this.cursor = cursor;
    return { changed: changed.map(([, item]) => item), removed: removed.map(([, item]) => item) };
  }
}

function merged<Item>(items: Map<string, Item>, lines: unknown[]): Map<string, Item> {
  for (const line of lines as Line<Item & { inscription_id: string; point?: string }>[]) {
    if ('removed' in line) items.delete(line.inscription_id);
    else items.set([line.inscription_id, line.point].filter(Boolean).join(' '), line);
  }
  return items;
}
