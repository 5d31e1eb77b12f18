import { Connection, type ConnectionOptions, secretHeader } from './connection.ts';
import { Copy, type FollowedLists, type KeptCopy } from './follow.ts';
import { PublicMethods } from './methods.ts';

export type RaceResultsClientOptions = ConnectionOptions & {
  apiKey: string;
  /** The header with the key. The default is `Authorization`. */
  header?: 'Authorization' | 'X-API-Key' | undefined;
};

/**
 * The public API: each operation is a method. The client retries temporary failures of operations safe to repeat. A
 * method throws a `RaceResultsError` or the reason of the caller's signal.
 */
export class RaceResultsClient extends PublicMethods {
  readonly #connection: Connection;

  /** @throws TypeError or RangeError for an invalid option */
  constructor({ apiKey, header = 'Authorization', ...options }: RaceResultsClientOptions) {
    const key = secretHeader('apiKey', apiKey);
    const value = header === 'Authorization' ? `Bearer ${key}` : key;
    const connection = new Connection(options, { [header]: value });
    super(connection);
    this.#connection = connection;
  }

  /**
   * A copy of a list: each `update` asks for the changes, and makes the copy equal to the list. Sends no request before
   * the first `update`.
   * @param kept an earlier copy to continue
   * @param keep makes the value to keep of an item, for a program that needs a part of each item
   */
  follow<List extends keyof FollowedLists, Kept = FollowedLists[List]>(
    list: List,
    eventId: string,
    kept?: KeptCopy<Kept>,
    keep?: (item: FollowedLists[List]) => Kept,
  ): Copy<List, Kept> {
    return new Copy(this.#connection, list, eventId, kept, keep);
  }
}
