import { SignJWT } from 'jose';
import type { Demo } from '../local/demo.ts';
import { serveWorker } from '../testing/served-worker.ts';

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
  const { origin, demo, pool, stop } = await serveWorker(SECRET);
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
}

/** A session of the panel. @param expires as jose reads it: `1 hour`, `1 minute ago` */
export const signToken = (userId: string, expires = '1 hour'): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(SECRET));
