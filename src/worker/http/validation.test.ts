import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { invalidInput } from './validation.ts';

const Query = z.object({ page: z.enum(['1', '2'], { error: 'expected 1 or 2' }) });

function detailOf(page: unknown): string | undefined {
  const { error } = Query.safeParse({ page });
  return error && invalidInput(error, { page }).message;
}

test.each([
  ['a short text', 'x', 'page: expected 1 or 2, not "x".'],
  ['a long text', 'x'.repeat(90), `page: expected 1 or 2, not "${'x'.repeat(60)}".`],
  [
    'a text cut inside an emoji',
    `${'x'.repeat(59)}🏁`,
    `page: expected 1 or 2, not "${'x'.repeat(59)}\uFFFD".`,
  ],
  [
    'a quote at the cut',
    `${'x'.repeat(59)}"y`,
    `page: expected 1 or 2, not "${'x'.repeat(59)}\\"".`,
  ],
  ['no value', undefined, 'page: expected 1 or 2; it is missing.'],
  ['a list', ['1', '2'], 'page: expected 1 or 2, not ["1","2"].'],
  [
    'a long list',
    Array.from({ length: 20 }, () => '10'),
    'page: expected 1 or 2, not a value of 101 characters.',
  ],
])('shows %s in an error', (_what, page, detail) => {
  expect(detailOf(page)).toBe(detail);
});
