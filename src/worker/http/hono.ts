import type { Env } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * An app with the only router that accepts a name and a parameter at the same position of a path. The app of the
 * package `hono` tries another router first, which refuses such paths.
 */
export class Hono<E extends Env> extends HonoBase<E> {
  constructor() {
    super({ router: new TrieRouter() });
  }
}
