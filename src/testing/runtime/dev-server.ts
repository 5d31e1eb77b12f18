import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Demo, ensureDemo } from '../../dev/stack/demo.ts';
import { freePort } from '../../dev/stack/listen.ts';
import { insertMember, insertOrganization } from '../../dev/stack/seed.ts';
import { secondsFromNow, signSession } from '../../dev/stack/session.ts';
import { newSigningKeys } from '../../dev/stack/signing-keys.ts';
import {
  startWrangler,
  stopWrangler,
  untilItAnswers,
  type Wrangler,
} from '../../dev/stack/wrangler.ts';
import { startOwnStack } from './own-stack.ts';

const SECRET = 'synthetic secret that signs the sessions of browser tests';

type Role = 'owner' | 'admin' | 'member';
export type Session = { organizationId: string; token: string };

/** The addresses of the pages and the API, as in `npm run dev`, and their new demo world. */
export type DevServerAddress = {
  origin: string;
  demo: Demo & Session;
  /** The owner's address of Postgres. */
  databaseUrl: string;
  panelSecret: string;
};

export type DevServer = DevServerAddress & {
  /** Connects to Postgres directly. */
  pool: pg.Pool;
  /** Creates an organization without keys, and a member's session. */
  newOrganization(role?: Role): Promise<Session>;
  /** The panel's address with the session inside, as in the output of `npm run dev`. */
  linkOf(session: Session): string;
  stop(): Promise<void>;
};

/** @param expiresInSeconds negative for an expired session */
export const signToken = (
  userId: string,
  expiresInSeconds = 3_600,
  claims: Record<string, unknown> = {},
): Promise<string> =>
  signSession({ ...claims, sub: userId, exp: secondsFromNow(expiresInSeconds) }, SECRET);

/** A separate server, with the output of its Worker. */
export type OwnDevServer = DevServer & { printed: readonly string[] };

export async function startDevServer(): Promise<OwnDevServer> {
  const printed: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'dev-server-'));
  const { stack, stop: stopStack } = await startOwnStack();
  let wrangler: Wrangler | undefined;
  const stop = async () => {
    if (wrangler) await stopWrangler(wrangler);
    await stopStack();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const demo = await ensureDemo(stack.postgresUrl, folder);
    const variables = {
      ...stack.workerEnv,
      PANEL_JWT_SECRET: SECRET,
      SIGNING_KEYS: newSigningKeys(),
      KEEP_HISTORY_DAYS: '3000',
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, 'vars'), lines.join(''), { mode: 0o600 });
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    wrangler = startWrangler(
      ['--port', String(port), '--inspector-port', '0'].concat(
        '--env-file',
        join(folder, 'vars'),
        '--persist-to',
        join(folder, 'state'),
      ),
      (output) => printed.push(...output.split('\n')),
    );
    await untilItAnswers(origin, wrangler);
    const served = connectTo({
      origin,
      demo: { ...demo, token: await signToken(demo.ownerId) },
      databaseUrl: stack.postgresUrl,
      panelSecret: SECRET,
    });
    return {
      ...served,
      printed,
      async stop() {
        await served.stop();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw new Error(`No server: ${wrangler?.lastLines().join('\n')}`, { cause: error });
  }
}

/** Connects to a running server. `stop` ends only the connection. */
export function connectTo(address: DevServerAddress): DevServer {
  const pool = new pg.Pool({ connectionString: address.databaseUrl, max: 1 });
  const db = drizzle(pool);
  return {
    ...address,
    pool,
    async newOrganization(role = 'owner') {
      const organizationId = await insertOrganization(db);
      const userId = await insertMember(db, organizationId, role);
      return { organizationId, token: await signToken(userId) };
    },
    linkOf: ({ organizationId, token }) =>
      `${address.origin}/panel#organization=${organizationId}&token=${token}`,
    stop: () => pool.end(),
  };
}
