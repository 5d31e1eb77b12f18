import { expect, test } from 'vitest';
import { RaceResultsClient } from '../../client/index.ts';
import { Held } from './held.ts';

const DNF = { status: 'DNF', chip_time: null, gun_time: null, splits: {} };

/** An API with a single result and a single passing, which each list shows once. */
function createHeld(failing: Set<string>) {
  const lists: Record<string, object[]> = {
    results: [{ inscription_id: 'a', bib_number: '1', ...DNF }],
    passings: [{ inscription_id: 'b', bib_number: '2', point: 'Km 5', time: '00:20:00.000' }],
  };
  const client = new RaceResultsClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'er_live_x',
    maxAttempts: 1,
    fetch: async (url) => {
      const list = /(results|passings)\/export/.exec(String(url))?.[1] ?? '';
      if (failing.has(list)) throw new TypeError('fetch failed');
      const lines = lists[list]?.splice(0) ?? [];
      return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
        headers: { 'Next-Cursor': 'c', Total: '1' },
      });
    },
  });
  return new Held(client, 'e');
}

test('keeps the results of a look whose request for passings fails', async () => {
  const failing = new Set(['passings']);
  const held = createHeld(failing);
  const { signal } = new AbortController();
  await expect(held.look(signal)).rejects.toThrow();
  expect([...held.values.keys()]).toEqual(['1']);
  failing.clear();
  await held.look(signal);
  expect([...held.values.keys()]).toEqual(['1', '2\nkm 5']);
});
