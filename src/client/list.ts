import type { PageQuery } from './types.ts';

/** Where a page stands in its list. */
export interface Meta {
  page: number;
  page_size: number;
  total: number;
  total_pages: number;
}

export interface Page<Item> {
  data: Item[];
  meta: Meta;
}

/** As many as the API gives. */
const LARGEST_PAGE = 100;

/**
 * What a list operation gives: awaited, it is one page; iterated, it is every item from that page on.
 * Nothing is sent before.
 */
export class List<Item, OnePage extends Page<Item> = Page<Item>>
  implements PromiseLike<OnePage>, AsyncIterable<Item>
{
  readonly #query: PageQuery;
  readonly #load: (query: PageQuery) => Promise<OnePage>;
  #page: Promise<OnePage> | undefined;

  /** @param load sends one request */
  constructor(query: PageQuery, load: (query: PageQuery) => Promise<OnePage>) {
    this.#query = query;
    this.#load = load;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list is awaited as the page that was asked for.
  then<Fulfilled = OnePage, Rejected = never>(
    onFulfilled?: ((page: OnePage) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#page ??= this.#load(this.#query);
    return this.#page.then(onFulfilled, onRejected);
  }

  /** Every item, page by page as they are read. What moves between two pages meanwhile may be missed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Every page, in pages of 100 unless `page_size` says otherwise. */
  async *pages(): AsyncGenerator<OnePage, void, undefined> {
    const { page: first = 1, page_size = LARGEST_PAGE } = this.#query;
    for (let page = first, isMore = true; isMore; page++) {
      const loaded = await this.#load({ ...this.#query, page, page_size });
      yield loaded;
      isMore = page < loaded.meta.total_pages;
    }
  }
}
