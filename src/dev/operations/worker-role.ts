import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import pg from 'pg';
import { targetOf } from '../stack/listen.ts';
import { connectTo } from '../stack/postgres.ts';
import { ifStarted } from '../stack/script.ts';

/**
 * Lets the role of the Worker's address sign in with the password of the address, and signs in with it.
 * @throws Error of one line if the two addresses are not of one database, or the role cannot sign in
 */
async function enableWorkerRole(ownerUrl: string, workerUrl: string): Promise<void> {
  const [owner, worker] = [new URL(ownerUrl), new URL(workerUrl)];
  if (owner.pathname !== worker.pathname || owner.host !== worker.host) {
    throw new Error(
      `DATABASE_URL is ${targetOf(ownerUrl)}, but the Worker's is ${targetOf(workerUrl)}. Take Neon's unpooled host for both.`,
    );
  }
  const role = decodeURIComponent(worker.username);
  if (role === decodeURIComponent(owner.username)) {
    throw new Error(`The Worker has the owner's role ${role}. Use the role race_results_api.`);
  }
  const client = await connectTo(ownerUrl);
  try {
    const password = pg.escapeLiteral(decodeURIComponent(worker.password));
    await client.query(`alter role ${pg.escapeIdentifier(role)} login password ${password}`);
  } finally {
    await client.end();
  }
  await (await connectTo(workerUrl)).end();
}

async function main(ownerUrl = ''): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file] = positionals;
  const workerUrl = file && parseEnv(readFileSync(file, 'utf8'))['DATABASE_URL'];
  if (!ownerUrl || !workerUrl) {
    throw new Error(
      'Usage: DATABASE_URL=postgres://owner… npm run worker-role -- FILE. FILE has the DATABASE_URL of the Worker.',
    );
  }
  await enableWorkerRole(ownerUrl, workerUrl);
  console.log(`The Worker's role can sign in to ${targetOf(workerUrl)}.`);
}

ifStarted(import.meta.filename, () => main(process.env['DATABASE_URL']));
