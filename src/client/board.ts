import { Connection, type ConnectionOptions } from './connection.ts';
import { BoardMethods } from './methods.ts';

/** The content of the live boards of events. The client needs no key, so a web page may use the client. */
export class BoardClient extends BoardMethods {
  /** @throws TypeError or RangeError for an invalid option */
  constructor(options: ConnectionOptions) {
    super(new Connection(options, {}));
  }
}
