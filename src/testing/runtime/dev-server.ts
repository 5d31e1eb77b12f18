import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { type Demo, ensureDemo } from '../../dev/stack/demo.ts';
import { freePort } from '../../dev/stack/listen.ts';
import { insertMember, insertOrganization } from '../../dev/stack/seed.ts';
import { secondsFromNow, signSession } from '../../dev/stack/session.ts';
import { startWrangler, stopWrangler, untilItAnswers } from '../../dev/stack/wrangler.ts';
import { startOwnStack } from './own-stack.ts';

const SECRET = 'synthetic secret that signs the sessions of browser tests';

type Role = 'owner' | 'admin' | 'member';
export type Session = { organizationId: string; token: string };

/** The pages and the API as `npm run dev` serves them, with a new demo world. */
export type DevServer = {
  origin: string;
  demo: Demo & Session;
  /** Connects to Postgres directly. */
  pool: pg.Pool;
  /** The owner's address of Postgres. */
  databaseUrl: string;
  panelSecret: string;
  /** Creates an organization without keys, and a session of one member. */
  newOrganization(role?: Role): Promise<Session>;
  /** The panel's address with the session in it, as `npm run dev` prints it. */
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

export async function startDevServer(): Promise<DevServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dev-server-'));
  const { stack, pool, stop: stopStack } = await startOwnStack();
  let wrangler: ChildProcess | undefined;
  const stop = async () => {
    if (wrangler) await stopWrangler(wrangler);
    await stopStack();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const demo = await ensureDemo(stack.postgresUrl, folder);
    const variables = { ...stack.workerEnv, PANEL_JWT_SECRET: SECRET };
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
      'ignore',
    );
    await untilItAnswers(origin, wrangler);
    const db = drizzle(pool);
    return {
      origin,
      demo: { ...demo, token: await signToken(demo.ownerId) },
      pool,
      databaseUrl: stack.postgresUrl,
      panelSecret: SECRET,
      async newOrganization(role = 'owner') {
        const organizationId = await insertOrganization(db);
        const userId = await insertMember(db, organizationId, role);
        return { organizationId, token: await signToken(userId) };
      },
      linkOf: ({ organizationId, token }) =>
        `${origin}/panel#organization=${organizationId}&token=${token}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
