import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { EventPoints, EventStarts } from '../../client/index.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { codeOf, ownFolder, readLines, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { say } from '../words.ts';
import { systemText } from './api.ts';
import type { Acknowledged, Decision, Given } from './difference.ts';

/** A request without an answer. The request is repeated unchanged under the id. */
export type Request = {
  id: string;
  file: string;
  isOfPassings: boolean;
  isByHand: boolean;
  leaves: boolean;
  /** By key. */
  rows: [string, string][];
};

type Owner = {
  event: string;
  /** The folder's name for the API. */
  sender: string;
  /** The path and the user of the folder. A copy has another path. */
  place: string;
};

/** The facts that the API told for a clock. While the API cannot be reached, the last facts count. */
export type Told = Pick<EventStarts, 'starts'> &
  Pick<EventPoints, 'points'> & {
    read_at: string;
    /** The distance of each bib. */
    distances: [bib: string, distance: string | null][];
  };

type Values = {
  owner: Owner;
  acknowledged: Acknowledged;
  decision: Decision;
  given: Given;
  request: Request;
  /** A file without results or a rightly shorter list, named by a person. */
  ignored: true;
  told: Told;
};

/** A line of the state. The last line about a key counts; null removes the key. A single value has a blank key. */
export type Line = {
  [Kind in keyof Values]: [kind: Kind, key: string, value: Values[Kind] | null];
}[keyof Values];

/** The disk takes no more. */
export class DiskError extends CliError {}

const NAME = 'state.log';
/** The number of earlier values kept for each key. */
const EARLIER_KEPT = 8;
/** The number of stale lines before the file is written anew. */
const STALE_KEPT = 1_000;

/** Runs a write. @throws DiskError if the system refuses the write */
async function onDisk(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new DiskError(EXIT.usage, say('disk', { why: systemText(error) }));
  }
}

/** The state of a folder: the acknowledged values, the request without an answer, and the answers of people. */
export class Store {
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly decisions = new Map<string, Decision>();
  readonly given = new Map<string, Given>();
  readonly ignored = new Map<string, true>();
  readonly #owners = new Map<string, Owner>();
  readonly #requests = new Map<string, Request>();
  readonly #told = new Map<string, Told>();
  readonly #tables: Readonly<Record<Line[0], Map<string, unknown>>> = {
    owner: this.#owners,
    acknowledged: this.acknowledged,
    decision: this.decisions,
    given: this.given,
    request: this.#requests,
    ignored: this.ignored,
    told: this.#told,
  };
  /** The number of lines damaged by the disk. */
  damaged = 0;
  readonly #path: string;
  #isTorn = false;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string) {
    this.#path = path;
  }

  get owner(): Owner | undefined {
    return this.#owners.get('');
  }

  get request(): Request | undefined {
    return this.#requests.get('');
  }

  get told(): Told | undefined {
    return this.#told.get('');
  }

  /** Reads the state. An unfinished last line is left out. */
  static async read(folder: string): Promise<Store> {
    const store = new Store(join(folder, NAME));
    await store.#read();
    return store;
  }

  async #read(): Promise<number> {
    let count = 0;
    const rest = await readLines(this.#path, (line) => {
      count += 1;
      const found = unsealed(`${line}\n`);
      if (this.#isLine(found)) this.#apply(found);
      else this.damaged += 1;
    });
    this.#isTorn = rest !== '';
    return count;
  }

  #isLine = (found: unknown): found is Line =>
    Array.isArray(found) && Object.hasOwn(this.#tables, String(found[0]));

  /** Reads the state for the writing process, and shortens the file. @throws CliError for a link */
  static async open(folder: string): Promise<Store> {
    await ownFolder(folder);
    const store = new Store(join(folder, NAME));
    const count = await store.#read();
    const live = Object.entries(store.#tables).flatMap(([kind, table]) =>
      [...table].map((entry) => [kind, ...entry]),
    );
    if (count > 2 * live.length + STALE_KEPT || store.damaged > 0 || store.#isTorn) {
      await onDisk(() => replaceOwn(store.#path, live.map(sealedLine).join('')));
    }
    return store;
  }

  /** Writes lines to the disk first, then takes the lines into memory. @throws DiskError */
  write(lines: readonly Line[]): Promise<void> {
    const writing = this.#writing.then(async () => {
      if (lines.length === 0) return;
      await onDisk(() => append(this.#path, lines));
      for (const line of lines) this.#apply(line);
    });
    this.#writing = writing.catch(() => {});
    return writing;
  }

  #apply([kind, key, value]: Line): void {
    if (value === null) this.#tables[kind].delete(key);
    else this.#tables[kind].set(key, value);
  }
}

const sealedLine = (line: unknown): string => sealed(JSON.stringify(line));

/** A link is no file of ours. Windows lacks the flag. */
const APPENDING =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

const LINES_AT_ONCE = 1_000;

/** A full disk may take a part of the lines. The part is cut off again. */
async function append(path: string, lines: readonly Line[]): Promise<void> {
  const file = await open(path, APPENDING, 0o600);
  try {
    const { size } = await file.stat();
    try {
      for (let at = 0; at < lines.length; at += LINES_AT_ONCE) {
        await file.appendFile(
          lines
            .slice(at, at + LINES_AT_ONCE)
            .map(sealedLine)
            .join(''),
        );
      }
      await file.sync();
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
  } finally {
    await file.close();
  }
}

/**
 * The facts about a key after the API took a value.
 * @param over other values of older files
 */
export const acknowledge = (
  known: Acknowledged | undefined,
  { text, file, id }: { text: string; file: string; id: string | null },
  over: readonly string[] = [],
): Acknowledged => {
  const before = known?.text != null && known.text !== text ? [known.text] : [];
  const earlier = new Set([...(known?.earlier ?? []), ...over, ...before]);
  earlier.delete(text);
  return { text, file, id, answer: null, earlier: [...earlier].slice(-EARLIER_KEPT) };
};

/** Such as `laptop-3 7f2a`: two computers may share a name. */
export const newSender = (): string =>
  `${hostname().split('.')[0]?.slice(0, 40) || 'laptop'} ${crypto.randomUUID().slice(0, 4)}`;
