import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import pg from 'pg';
import { type Demo, ensureDemo } from '../local/demo.ts';
import { listen } from '../local/listen.ts';
import { migrate } from '../local/migrate.ts';
import { FREE_PORTS, startStack } from '../local/stack.ts';
import { startWrangler, stopWrangler, untilItAnswers } from '../local/wrangler.ts';

const SECRET = 'synthetic secret that signs the sessions of browser tests';

type Role = 'owner' | 'admin' | 'member';
export type Session = { organizationId: string; token: string };

/** The page and the API as `wrangler dev` serves them, over a stack and a demo world of their own. */
export type ServedPanel = {
  origin: string;
  demo: Demo & Session;
  /** Makes an organization without keys, and a session of somebody in it. */
  newOrganization(role?: Role): Promise<Session>;
  /** What `npm run dev` prints: the page's address, signed in. */
  linkOf(session: Session): string;
  stop(): Promise<void>;
};

export async function servePanel(): Promise<ServedPanel> {
  const folder = mkdtempSync(join(tmpdir(), 'panel-'));
  const stack = await startStack({ ports: FREE_PORTS });
  const pool = new pg.Pool({ connectionString: stack.postgresUrl, max: 1 });
  let wrangler: ChildProcess | undefined;
  const stop = async () => {
    if (wrangler) await stopWrangler(wrangler);
    await pool.end();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrate(stack.postgresUrl);
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
    await untilItAnswers(`${origin}/healthz`, wrangler);
    return {
      origin,
      demo: { ...demo, token: await signToken(demo.ownerId) },
      async newOrganization(role = 'owner') {
        const organizationId = crypto.randomUUID();
        const userId = crypto.randomUUID();
        await pool.query('insert into organizations (id, name) values ($1, $2)', [
          organizationId,
          'Club Ejemplo',
        ]);
        await pool.query(
          'insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)',
          [organizationId, userId, role],
        );
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

/** A session of the panel. @param expires as jose reads it: `1 hour`, `1 minute ago` */
export const signToken = (userId: string, expires = '1 hour'): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(SECRET));

async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, 0, 'the panel');
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
