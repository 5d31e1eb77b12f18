import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { CliError, EXIT } from '../exit-codes.ts';
import { codeOf, ownFolder, readOwn, replaceOwn, sealed, unsealed } from '../own-files.ts';
import { say } from '../words.ts';
import { systemText } from './api.ts';
import { Acknowledged, Decision, Given } from './difference.ts';

const text = z.string();

/** A request without an answer. The request is repeated unchanged under the id. */
export const Request = z.object({
  id: text,
  file: text,
  isOfPassings: z.boolean(),
  isByHand: z.boolean(),
  leaves: z.boolean(),
  /** By key. */
  rows: z.array(z.tuple([text, text])),
});
export type Request = z.infer<typeof Request>;

const Owner = z.object({
  event: text,
  /** The folder's name for the API. */
  sender: text,
  /** The path and the user of the folder. A copy has another path. */
  place: text,
});
type Owner = z.infer<typeof Owner>;

/** A line of the state. The last line about a key counts; null removes the key. */
const Line = z.union([
  z.tuple([z.literal('owner'), Owner]),
  z.tuple([z.literal('acknowledged'), text, z.nullable(Acknowledged)]),
  z.tuple([z.literal('decision'), text, z.nullable(Decision)]),
  z.tuple([z.literal('given'), text, z.nullable(Given)]),
  z.tuple([z.literal('request'), z.nullable(Request)]),
  z.tuple([z.literal('ignored'), z.array(text)]),
]);
export type Line = z.infer<typeof Line>;

/** The disk takes no more. */
export class DiskError extends CliError {}

const NAME = 'state.log';
/** The number of earlier values kept for each key. */
const EARLIER_KEPT = 8;
/** The number of stale lines before the file is written anew. */
const STALE_KEPT = 1_000;

/** The state of a folder: the acknowledged values, the request without an answer, and the answers of people. */
export class Store {
  readonly acknowledged = new Map<string, Acknowledged>();
  readonly decisions = new Map<string, Decision>();
  readonly given = new Map<string, Given>();
  request: Request | null = null;
  /** Files without results and rightly shorter lists, named by a person. */
  ignored: readonly string[] = [];
  owner: Owner | undefined;
  /** The number of lines damaged by the disk. */
  damaged = 0;
  readonly #path: string;
  #isTorn = false;
  #writing: Promise<void> = Promise.resolve();

  private constructor(path: string) {
    this.#path = path;
  }

  /** Reads the state. An unfinished last line is left out. */
  static async read(folder: string): Promise<Store> {
    const store = new Store(join(folder, NAME));
    await store.#read();
    return store;
  }

  async #read(): Promise<number> {
    const lines = ((await readOwn(this.#path)) ?? '').split('\n');
    // The last line has no line end.
    this.#isTorn = lines.pop() !== '';
    for (const line of lines) {
      const found = z.safeParse(Line, unsealed(`${line}\n`)).data;
      if (found) this.#apply(found);
      else this.damaged += 1;
    }
    return lines.length;
  }

  /** Reads the state for the writing process, and shortens the file. @throws CliError for a link */
  static async open(folder: string): Promise<Store> {
    await ownFolder(folder);
    const store = new Store(join(folder, NAME));
    const count = await store.#read();
    const { acknowledged, decisions, given } = store;
    const live = acknowledged.size + decisions.size + given.size;
    if (count > 2 * live + STALE_KEPT || store.damaged > 0 || store.#isTorn) {
      await store.#guarded(() => replaceOwn(store.#path, store.#lines().map(lineOf).join('')));
    }
    return store;
  }

  #lines(): Line[] {
    const keyed = <Value>(name: 'acknowledged' | 'decision' | 'given', map: Map<string, Value>) =>
      [...map].map(([key, value]) => [name, key, value] as Line);
    return [
      ...(this.owner ? [['owner', this.owner] satisfies Line] : []),
      ...keyed('acknowledged', this.acknowledged),
      ...keyed('decision', this.decisions),
      ...keyed('given', this.given),
      ['request', this.request],
      ['ignored', [...this.ignored]],
    ];
  }

  /** Writes lines to the disk first, then takes the lines into memory. @throws DiskError */
  write(lines: readonly Line[]): Promise<void> {
    const writing = this.#writing.then(async () => {
      if (lines.length === 0) return;
      await this.#guarded(() => append(this.#path, lines.map(lineOf).join('')));
      for (const line of lines) this.#apply(line);
    });
    this.#writing = writing.catch(() => {});
    return writing;
  }

  async #guarded(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      throw new DiskError(EXIT.usage, say('disk', { why: systemText(error) }));
    }
  }

  #apply(line: Line): void {
    const put = <Value>(map: Map<string, Value>, key: string, value: Value | null) =>
      value === null ? map.delete(key) : map.set(key, value);
    switch (line[0]) {
      case 'owner':
        this.owner = line[1];
        return;
      case 'acknowledged':
        put(this.acknowledged, line[1], line[2]);
        return;
      case 'decision':
        put(this.decisions, line[1], line[2]);
        return;
      case 'given':
        put(this.given, line[1], line[2]);
        return;
      case 'request':
        this.request = line[1];
        return;
      case 'ignored':
        this.ignored = line[1];
    }
  }
}

const lineOf = (line: Line): string => sealed(JSON.stringify(line));

/** A link is no file of ours. Windows lacks the flag. */
const APPENDING =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/** A full disk may take a part of the lines. The part is cut off again. */
async function append(path: string, lines: string): Promise<void> {
  const file = await open(path, APPENDING, 0o600);
  try {
    const { size } = await file.stat();
    try {
      await file.appendFile(lines);
      await file.sync();
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
  } finally {
    await file.close();
  }
}

/** The facts about a key after the API took a value. */
export const acknowledge = (
  known: Acknowledged | undefined,
  {
    text,
    file,
    id,
    over = [],
  }: { text: string; file: string; id: string | null; over?: readonly string[] | undefined },
): Acknowledged => {
  const before = known?.text != null && known.text !== text ? [known.text] : [];
  const earlier = new Set([...(known?.earlier ?? []), ...over, ...before]);
  earlier.delete(text);
  return { text, file, id, answer: null, earlier: [...earlier].slice(-EARLIER_KEPT) };
};

/** Such as `laptop-3 7f2a`: two computers may share a name. */
export const newSender = (): string =>
  `${hostname().split('.')[0]?.slice(0, 40) || 'laptop'} ${crypto.randomUUID().slice(0, 4)}`;
