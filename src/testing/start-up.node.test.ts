import { expect, it, vi } from 'vitest';
import { parseConfig } from '../worker/config.ts';
import '../../functions/worker.ts';

const built = vi.hoisted(() => ({ places: [] as string[] }));

vi.mock('cloudflare:workers', () => ({ exports: {}, WorkerEntrypoint: class {} }));

/** Notes the builders of schemas. Calls inside the package are not noted. */
vi.mock('zod/mini', async (importOriginal) => {
  const noting = (functions: object, within: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(functions).map(([name, value]) => {
        const path = `${within}.${name}`;
        if (name === 'iso' || name === 'coerce') return [name, noting(value, path)];
        if (typeof value !== 'function' || !/^[a-z_]/.test(name)) return [name, value];
        const noted = (...args: unknown[]): unknown => {
          const [, , caller = ''] = (new Error().stack ?? '').split('\n');
          built.places.push(`${path} ${caller.trim()}`);
          return Reflect.apply(value, undefined, args);
        };
        return [name, noted];
      }),
    );
  return noting(await importOriginal<object>(), 'z');
});

const atStart = [...built.places];

it('builds no schema before a request needs it', () => {
  expect(() => parseConfig({})).toThrow(/DATABASE_URL: missing/);
  expect(built.places).not.toHaveLength(0);
  expect(atStart).toEqual([]);
});
