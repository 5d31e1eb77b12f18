import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../../..');
const Package = z.object({ license: z.string().default('none'), dev: z.boolean().optional() });
const Lock = z.object({ packages: z.record(z.string(), Package) });

const deployed = (env?: string) =>
  unstable_readConfig({ config: join(ROOT, 'wrangler.toml'), ...(env && { env }) });

test.each(['staging', 'production'])('deploys %s with what the other environment has', (env) => {
  const secrets = [
    'DATABASE_URL',
    'UPSTASH_REDIS_REST_URL',
    'UPSTASH_REDIS_REST_TOKEN',
    'SIGNING_KEYS',
  ];
  expect(deployed(env)).toMatchObject({
    // The platform writes its own lines, whose addresses may hold documents.
    observability: {
      enabled: true,
      redact_query_string: true,
      logs: { enabled: true, invocation_logs: false },
    },
    secrets: { required: secrets },
    version_metadata: { binding: 'VERSION' },
    // Otherwise each uploaded version answers at some address.
    workers_dev: false,
    preview_urls: false,
    // The call that deletes old history.
    triggers: { crons: ['17 3 * * *'] },
    cache: { enabled: true, cross_version_cache: true },
    ratelimits: [{ name: 'REFUSALS' }],
  });
  // Otherwise `wrangler dev` would read these secrets alone.
  expect(deployed().secrets).toBeUndefined();
});

test('runs only actions that are pinned by their commit', () => {
  const used = globSync('.github/workflows/*.yml', { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/uses: (\S+)/g)].map(([, name]) => name),
  );
  expect(used.length).toBeGreaterThan(4);
  expect(used.filter((name) => !/^\.\/|@[\da-f]{40}$/.test(name ?? ''))).toEqual([]);
});

/** Licences that ask for nothing but their own text. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'];

test('deploys and publishes packages of permissive licences alone', () => {
  const lock: unknown = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { packages } = Lock.parse(lock);
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  expect(shipped.length).toBeGreaterThan(20);
  const others = shipped.filter(([, { license }]) => {
    const choices = license.replaceAll(/[()]/g, '').split(' OR ');
    return !choices.some((choice) => LICENCES.includes(choice));
  });
  expect(others).toEqual([]);
});
