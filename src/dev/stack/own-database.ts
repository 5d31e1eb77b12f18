import { randomBytes } from 'node:crypto';
import { connectTo } from './postgres.ts';

export type OwnDatabase = { url: string; drop(): Promise<void> };

/**
 * Creates an empty database on the server at `serverUrl`. The user needs the right to create databases.
 * `drop` removes the database and ends its open connections.
 * @throws Error of one line if the server does not answer
 */
export async function createOwnDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `race_results_${randomBytes(6).toString('hex')}`;
  const run = async (statement: string) => {
    const client = await connectTo(serverUrl);
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) };
}
