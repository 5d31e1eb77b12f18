import { endlessList } from './errors.ts';
import type { Meta, PageQuery } from './types.ts';

export interface Page<Item> {
  data: Item[];
  meta: Meta;
}

/** The largest page of the API. */
const LARGEST_PAGE = 100;

/**
 * A list may grow while a program reads. A list of twice as many pages and 100 more has no end.
 * @param pages the pages of the list at the first page
 */
const mostPages = (pages: number): number => 2 * pages + 100;
/** No list of the API is longer, whatever number of pages an answer names. */
const ITEMS_MAX = 1_000_000;

/**
 * A list that loads on demand. Await the list for a single page, or iterate over the list for all items from the page
 * on. The list sends no request earlier.
 */
export class List<Item, OnePage extends Page<Item> = Page<Item>>
  implements PromiseLike<OnePage>, AsyncIterable<Item>
{
  readonly #operation: string;
  readonly #query: PageQuery;
  readonly #load: (query: PageQuery) => Promise<OnePage>;
  readonly #behind: ((last: Item) => object) | undefined;
  #page: Promise<OnePage> | undefined;

  /**
   * @param load sends one request
   * @param behind the query for the items after an item, if the operation has such a query
   */
  constructor(
    operation: string,
    query: PageQuery,
    load: (query: PageQuery) => Promise<OnePage>,
    behind?: (last: Item) => object,
  ) {
    this.#operation = operation;
    this.#query = query;
    this.#load = load;
    this.#behind = behind;
  }

  // biome-ignore lint/suspicious/noThenProperty: await returns the requested page.
  then<Fulfilled = OnePage, Rejected = never>(
    onFulfilled?: ((page: OnePage) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#page ??= this.#load(this.#query);
    return this.#page.then(onFulfilled, onRejected);
  }

  /**
   * Every item, read page by page. If a list changes meanwhile, only the list of participants is still complete: every
   * other list may miss items moving between pages.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /**
   * Every page. The default `page_size` is 100.
   * @throws UnexpectedAnswerError if the pages have no end
   */
  async *pages(): AsyncGenerator<OnePage, void, undefined> {
    const size = this.#query.page_size ?? LARGEST_PAGE;
    let query: PageQuery = { ...this.#query, page: this.#query.page ?? 1, page_size: size };
    let most = Number.POSITIVE_INFINITY;
    let items = 0;
    for (let read = 1; ; read++) {
      const loaded = await this.#load(query);
      const { data, meta } = loaded;
      if (read === 1) most = mostPages(meta.total_pages);
      items += data.length;
      if (read > most || items > ITEMS_MAX) throw endlessList(this.#operation);
      yield loaded;
      const last = data.at(-1);
      if (this.#behind) {
        // Checks the items, not the total: the total may be out of date.
        if (last === undefined || data.length < size) return;
        query = { ...query, page: 1, ...this.#behind(last) };
      } else {
        const page = query.page ?? 1;
        if (last === undefined || page >= meta.total_pages) return;
        query = { ...query, page: page + 1 };
      }
    }
  }
}
