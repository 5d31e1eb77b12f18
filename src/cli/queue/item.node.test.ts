import { expect, test } from 'vitest';
import { RaceResultsClient } from '../../client/client.ts';
import { keyOf, readHeld, textOfPassing } from './item.ts';

test('has the passings of a point under the name that the folder has for it', async () => {
  const asked: (string | null)[] = [];
  const points = [
    { point: 'Km 10', total: 1, fastest_time: '00:40:00.000' },
    { point: 'Km 15', total: 1, fastest_time: '01:00:00.000' },
  ];
  const client = new RaceResultsClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'er_live_x',
    fetch: async (url) => {
      const { pathname, searchParams } = new URL(String(url));
      if (pathname.endsWith('/points')) {
        return Response.json({
          data: points,
          meta: { page: 1, page_size: 100, total: 2, total_pages: 1 },
        });
      }
      if (pathname.endsWith('/results/export')) return new Response('');
      asked.push(searchParams.get('point'));
      return new Response(
        '{"bib_number": "7", "point": "Km 10", "time": "00:41:00.000", "position": 1}\n',
      );
    },
  });
  const held = await readHeld(client, 'e', AbortSignal.timeout(5_000), [keyOf('7', 'KM 10')]);
  expect(asked).toEqual(['Km 10']);
  const passing = { bib_number: '7', point: 'KM 10', time: '00:41:00.000' };
  expect(held.texts).toEqual(new Map([[keyOf('7', 'KM 10'), textOfPassing(passing)]]));
  expect(held.points).toEqual(['Km 10', 'Km 15']);
});
