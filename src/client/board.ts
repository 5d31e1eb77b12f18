import { Connection, type ConnectionOptions } from './connection.ts';
import { BoardMethods } from './methods.ts';

/** What the live boards of events show. It needs no key, so a web page may use it. */
export class BoardClient extends BoardMethods {
  /** @throws TypeError or RangeError for an invalid option */
  constructor(options: ConnectionOptions) {
    super(new Connection(options, {}));
  }
}
