import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodyOf } from '../../client/answer.ts';
import { CliError, EXIT, failure } from '../exit-codes.ts';
import { digestOf, ownFolder, replaceOwn } from '../own-files.ts';
import { causeOf } from '../queue/api.ts';
import { type Key, say } from '../words.ts';

const BYTES_MAX = 16 << 20;
const PATIENCE_MS = 10_000;
const REDIRECTS_MAX = 5;
/** Names of this computer. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export const isAddress = (operand: string): boolean => /^https?:\/\//i.test(operand);

/** The reason to refuse a list. */
export class ListProblem extends CliError {
  /** A person may say that a shorter list is right. */
  isShorter = false;
}

/**
 * A results list that timing software publishes at an address, as a file on this computer. Neither an error page nor a
 * list of less than half the length replaces the file.
 */
export class PublishedList {
  readonly path: string;
  /** The server of the list. The address may hold a secret, and is never shown. */
  readonly host: string;
  readonly #url: URL;
  readonly #folder: string;
  readonly #patienceMs: number;
  #etag: string | undefined;

  /** @throws CliError for an address without https, except on this computer */
  constructor(address: string, stateDir: string, patienceMs = PATIENCE_MS) {
    this.#patienceMs = patienceMs;
    this.#url = new URL(address);
    this.host = this.#url.host;
    if (!isSafe(this.#url)) throw failure(EXIT.usage, 'list_insecure', { host: this.host });
    this.#folder = join(stateDir, 'lists');
    const name = `${this.#url.hostname}-${digestOf(address).slice(0, 6)}.csv`;
    this.path = join(this.#folder, name);
  }

  get isThere(): boolean {
    return existsSync(this.path);
  }

  /**
   * Asks for the list, once.
   * @param isShorterRight whether a person has said that a shorter list is right
   * @throws ListProblem for a refused list; an error of the disk, or the signal's reason
   */
  async update(signal: AbortSignal, isShorterRight: boolean): Promise<void> {
    const found = await this.#fetch(
      AbortSignal.any([signal, AbortSignal.timeout(this.#patienceMs)]),
    ).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ListProblem) throw error;
      throw this.#problem('list_unreachable', causeOf(error));
    });
    if (!found) return;
    const before = this.isThere ? await readFile(this.path) : new Uint8Array();
    if (found.bytes.length * 2 < before.length && !isShorterRight) {
      throw Object.assign(this.#problem('list_shorter'), { isShorter: true });
    }
    await ownFolder(this.#folder);
    if (digestOf(before) !== digestOf(found.bytes)) await replaceOwn(this.path, found.bytes);
    this.#etag = found.etag;
  }

  #problem = (key: Key, why = ''): ListProblem =>
    new ListProblem(EXIT.unclear, say(key, { host: this.host, why }));

  /** @returns undefined if the list is as before */
  async #fetch(signal: AbortSignal) {
    let url = this.#url;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const isKnown = this.#etag !== undefined && this.isThere;
      const headers = isKnown ? { 'If-None-Match': this.#etag ?? '' } : {};
      const response = await fetch(url, { headers, redirect: 'manual', signal });
      const { status } = response;
      if (status === 200) return this.#read(response);
      await response.body?.cancel();
      if (status === 304) return undefined;
      const location = status >= 300 && status < 400 ? response.headers.get('Location') : null;
      if (location === null) throw this.#problem('list_answers', `${status}`);
      const next = new URL(location, url);
      if (!isSafe(next) || next.protocol !== url.protocol)
        throw this.#problem('list_redirects', next.protocol);
      url = next;
    }
    throw this.#problem('list_redirects', `${REDIRECTS_MAX}`);
  }

  /** @throws ListProblem for a body over the limit, and for a web page */
  async #read(response: Response) {
    const body = await bodyOf(response, BYTES_MAX).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw this.#problem('list_too_large', `${BYTES_MAX >> 20}`);
    });
    const start = (await body.slice(0, 100).text()).replace(/^\uFEFF/, '').trimStart();
    if (body.type.includes('text/html') || /^[<{[]/.test(start))
      throw this.#problem('list_is_page');
    return {
      bytes: new Uint8Array(await body.arrayBuffer()),
      etag: response.headers.get('ETag') ?? undefined,
    };
  }
}

const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || LOOPBACK.test(hostname);
