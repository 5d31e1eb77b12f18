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

type Removed = { inscription_id: string; removed: true };

/** The changes of a copy. */
export type CopyChanges<Item> = { changed: Item[]; removed: Item[] };

/** A copy kept by a program between two runs. */
export type KeptCopy<Item> = { items: Map<string, Item>; cursor: string };

/** A copy of a list. Each `update` makes the copy equal to the list. */
export class Copy<List extends keyof FollowedLists, Kept = FollowedLists[List]>
  implements KeptCopy<Kept>
{
  /** By `inscription_id`; passings by `inscription_id`, a blank and `point`. */
  readonly items: Map<string, Kept>;
  /** Keep the cursor with the items, to go on after a restart. Empty before the first update. */
  cursor: string;
  readonly #read: (since: string, options: RequestOptions) => Promise<Read<Kept>>;

  constructor(
    api: Connection,
    list: List,
    eventId: string,
    { items, cursor }: KeptCopy<Kept> = { items: new Map(), cursor: '' },
    keep?: (item: FollowedLists[List]) => Kept,
  ) {
    this.items = items;
    this.cursor = cursor;
    const entryOf = (line: (FollowedLists[List] & { point?: string }) | Removed): Entry<Kept> => {
      if ('removed' in line) return [line.inscription_id, undefined];
      const key = [line.inscription_id, line.point].filter(Boolean).join(' ');
      return [key, (keep ? keep(line) : line) as Kept];
    };
    this.#read = async (since, options) => {
      const call = { ...options, ids: [eventId], query: { changed_since: since } };
      const { lines, ...facts } = await api.changed(OPERATIONS[list], call, entryOf);
      return { ...facts, entries: new Map(lines) };
    };
  }

  /**
   * Asks for the changes, with a small request. The whole list is read if the copy is new or incomplete, and once if
   * the API refuses the cursor, as after a restore of the database.
   * @returns the new or changed items, and the removed items
   */
  async update(options: RequestOptions = {}): Promise<CopyChanges<Kept>> {
    const read = await this.#read(this.cursor, options).catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status === 400 && this.cursor !== '';
      if (!isRefused) throw error;
      this.cursor = '';
      return this.#read('', options);
    });
    const isWhole = this.cursor === '';
    if (this.#sizeAfter(read, isWhole) === read.total) return this.#take(read, isWhole);
    return this.#take(await this.#read('', options), true);
  }

  #sizeAfter({ entries }: Read<Kept>, isWhole: boolean): number {
    let size = isWhole ? 0 : this.items.size;
    for (const [key, item] of entries) {
      if (item !== undefined) size += 1;
      if (!isWhole && this.items.has(key)) size -= 1;
    }
    return size;
  }

  /** Compares the read items alone: a copy may have 100 000 items, and an answer a few. */
  #take({ entries, cursor }: Read<Kept>, isWhole: boolean): CopyChanges<Kept> {
    const found: CopyChanges<Kept> = { changed: [], removed: [] };
    for (const key of isWhole ? this.items.keys() : []) {
      if (!entries.has(key)) entries.set(key, undefined);
    }
    for (const [key, item] of entries) {
      const before = this.items.get(key);
      if (item === undefined) {
        if (before !== undefined) found.removed.push(before);
        this.items.delete(key);
      } else if (before === undefined || JSON.stringify(before) !== JSON.stringify(item)) {
        found.changed.push(item);
        this.items.set(key, item);
      }
    }
    this.cursor = cursor;
    return found;
  }
}

/** A line of an answer. A removed item has no value. */
type Entry<Kept> = [key: string, item: Kept | undefined];
type Read<Kept> = { entries: Map<string, Kept | undefined>; cursor: string; total: number };
