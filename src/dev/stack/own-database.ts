import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { assertPostgresAnswers } from './postgres.ts';

export type OwnDatabase = { url: string; drop(): Promise<void> };

/**
 * Creates an empty database on the server at `serverUrl`. The user needs the right to create databases.
 * `drop` removes the database and ends its open connections.
 * @throws Error of one line if the server does not answer
 */
export async function createOwnDatabase(serverUrl: string): Promise<OwnDatabase> {
  await assertPostgresAnswers(serverUrl);
  const name = `race_results_${randomBytes(6).toString('hex')}`;
  await run(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: url.href,
    drop: () => run(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
