import { Connection, type ConnectionOptions, secretHeader } from './connection.ts';
import { PanelMethods } from './methods.ts';

export type PanelClientOptions = ConnectionOptions & {
  /** A panel session of an owner or admin of the organization: a JWT. */
  sessionToken: string;
};

/** Sends the requests of a panel session. @throws TypeError or RangeError for an invalid option */
export const panelConnection = ({ sessionToken, ...options }: PanelClientOptions): Connection =>
  new Connection(options, {
    Authorization: `Bearer ${secretHeader('sessionToken', sessionToken)}`,
  });

/**
 * The organization's panel: the name, the events with the results, the live boards, the API keys. The client never
 * retries a call creating a secret. If the answer is lost, nobody can show the secret again: rotate or revoke the key.
 */
export class PanelClient extends PanelMethods {
  /** @throws TypeError or RangeError for an invalid option */
  constructor(options: PanelClientOptions) {
    super(panelConnection(options));
  }
}
