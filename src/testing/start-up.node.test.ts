import { expect, it, vi } from 'vitest';
import { parseConfig } from '../worker/config.ts';
import '../../functions/worker.ts';

const built = vi.hoisted(() => ({ places: [] as string[] }));

vi.mock('cloudflare:workers', () => ({ exports: {}, WorkerEntrypoint: class {} }));

/** Notes who builds schemas. What the package calls itself goes past this. */
vi.mock('zod/mini', async (importOriginal) => {
  const noting: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(await importOriginal<Record<string, unknown>>())) {
    noting[name] = value;
    if (typeof value !== 'function' || !/^[a-z_]/.test(name)) continue;
    noting[name] = (...args: unknown[]): unknown => {
      const [, , caller = ''] = (new Error().stack ?? '').split('\n');
      built.places.push(`z.${name} ${caller.trim()}`);
      return Reflect.apply(value, undefined, args);
    };
  }
  return noting;
});

const atStart = [...built.places];

it('builds no schema before a request needs it', () => {
  expect(() => parseConfig({})).toThrow(/DATABASE_URL: missing/);
  expect(built.places).not.toHaveLength(0);
  expect(atStart).toEqual([]);
});
