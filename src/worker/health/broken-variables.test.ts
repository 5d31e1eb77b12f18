import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createRace } from '../../testing/factories.ts';
import { startApp, withKey } from '../../testing/harness.ts';
import { createMember } from '../../testing/members.ts';
import { sessionsUnavailable } from '../auth/panel/session.ts';
import { noSigningKeys } from '../auth/signing.ts';
import { parseConfig } from '../config.ts';
import { copiesUnavailable } from '../http/copy.ts';
import { pruneHistory } from '../results/batches/prune.ts';
import { buildServices } from '../services.ts';

const withBroken = (name: string, value = '') => parseConfig({ ...env, [name]: value });

test.each([
  ['SIGNING_KEYS', '/.well-known/jwks.json', noSigningKeys],
  ['PANEL_JWT_SECRET', '', sessionsUnavailable],
  ['PANEL_JWT_AUDIENCE', '', sessionsUnavailable],
  ['COPIES_GENERATION', '/participants/export?changed_since=', copiesUnavailable],
])(
  'a malformed %s stops what needs it alone, and a health check names it',
  async (name, part, error) => {
    const { key, path, organizationId } = await createRace({ bibs: ['1'] });
    const { request } = startApp(withBroken(name));
    const { headers: session } = await createMember(organizationId);
    const panel = `/api/v1/organizations/${organizationId}`;
    const address = part === '' ? panel : part.startsWith('/.well') ? part : `${path}${part}`;
    const stopped = await request(address, { headers: part === '' ? session : withKey(key) });
    expect([stopped.status, await stopped.text()]).toEqual([
      503,
      expect.stringContaining(error().message),
    ]);
    for (const works of [path, `${path}/participants`, `${path}/results`]) {
      expect((await request(works, { headers: withKey(key) })).status).toBe(200);
    }
    const health = await request('/readyz');
    expect([health.status, await health.text()]).toEqual([
      503,
      expect.stringContaining(`${name}: expected`),
    ]);
  },
);

test('logs a malformed number of days, which stops the nightly prune', async () => {
  const services = buildServices(withBroken('KEEP_HISTORY_DAYS', 'many'));
  await expect(pruneHistory(services)).rejects.toThrow('KEEP_HISTORY_DAYS');
});
