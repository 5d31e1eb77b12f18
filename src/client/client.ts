import { Connection, type ConnectionOptions, secretHeader } from './connection.ts';
import { PublicMethods } from './methods.ts';

export type RaceResultsClientOptions = ConnectionOptions & {
  apiKey: string;
  /** The header that carries the key. The default is `Authorization`. */
  header?: 'Authorization' | 'X-API-Key' | undefined;
};

/**
 * The public API: each operation is a method. The client retries temporary failures of the operations that
 * are safe to repeat. A method throws a `RaceResultsError` or the reason of the caller's signal.
 */
export class RaceResultsClient extends PublicMethods {
  /** @throws TypeError or RangeError for an invalid option */
  constructor({ apiKey, header = 'Authorization', ...options }: RaceResultsClientOptions) {
    const key = secretHeader('apiKey', apiKey);
    const value = header === 'Authorization' ? `Bearer ${key}` : key;
    super(new Connection(options, { [header]: value }));
  }
}
