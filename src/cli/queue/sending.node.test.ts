import { expect, test } from 'vitest';
import { RaceResultsClient } from '../../client/index.ts';
import { textOf } from './item.ts';
import { sendRequest } from './sending.ts';

test('N27: names each row of a request that the API refuses, with the reason', async () => {
  const client = new RaceResultsClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'er_live_x',
    fetch: async () =>
      Response.json({ detail: 'The file has no bibs.', code: 'VALIDATION_ERROR' }, { status: 400 }),
  });
  const rows = ['1', '2'].map((bib): [string, string] => [
    bib,
    textOf({ bib_number: bib, status: 'DNF', chip_time: null, gun_time: null, splits: {} }),
  ]);
  const request = {
    ...{ id: 'a', file: 'r.csv', isOfPassings: false, isByHand: false, leaves: true },
    rows,
  };
  const { signal } = new AbortController();
  const { refused } = await sendRequest(client, 'e', request, 'laptop', signal);
  expect(
    [...refused].map(([bib, { code, reason, isLeft }]) => [bib, code, reason, isLeft]),
  ).toEqual(rows.map(([bib]) => [bib, 'refused', 'The file has no bibs.', false]));
});
