import { expect, test } from 'vitest';
import { RaceResultsClient } from './client.ts';
import { ApiError } from './errors.ts';

type CopyPage = { lines: object[]; total: number; cursor: string } | 400;

/** A client whose requests get these answers, and the cursors that it asked with. */
function createClient(answers: CopyPage[]) {
  const asked: (string | null)[] = [];
  const client = new RaceResultsClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'er_live_x',
    fetch: async (url) => {
      asked.push(new URL(String(url)).searchParams.get('changed_since'));
      const answer = answers.shift();
      if (answer === undefined || answer === 400) {
        return Response.json(
          { detail: 'changed_since: no', code: 'VALIDATION_ERROR' },
          { status: 400 },
        );
      }
      return new Response(answer.lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
        headers: { 'Next-Cursor': answer.cursor, Total: String(answer.total) },
      });
    },
  });
  return { client, asked };
}

const runner = (inscription_id: string, bib_number: string) => ({ inscription_id, bib_number });

test('applies what has changed, and says what it was', async () => {
  const { client, asked } = createClient([
    { lines: [runner('a', '1'), runner('b', '2')], total: 2, cursor: 'c1' },
    {
      lines: [runner('a', '1'), runner('c', '3'), { inscription_id: 'b', removed: true }],
      total: 2,
      cursor: 'c2',
    },
  ]);
  const copy = client.follow('participants', 'e');
  await copy.update();
  expect(await copy.update()).toEqual({ changed: [runner('c', '3')], removed: [runner('b', '2')] });
  expect([...copy.items.keys()]).toEqual(['a', 'c']);
  expect([asked, copy.cursor]).toEqual([['', 'c1'], 'c2']);
});

test('reads the whole list if the copy is incomplete', async () => {
  const { client, asked } = createClient([
    { lines: [runner('a', '1'), runner('b', '2')], total: 2, cursor: 'c1' },
    { lines: [], total: 1, cursor: 'c2' },
    { lines: [runner('b', '2')], total: 1, cursor: 'c3' },
  ]);
  const copy = client.follow('start-list', 'e');
  await copy.update();
  expect((await copy.update()).removed).toEqual([runner('a', '1')]);
  expect([asked, copy.cursor]).toEqual([['', 'c1', ''], 'c3']);
});

test('reads once from the start after a refused cursor, and gives up after a second refusal', async () => {
  const kept = { items: new Map(), cursor: 'old' };
  const { client, asked } = createClient([
    400,
    { lines: [runner('a', '1')], total: 1, cursor: 'c1' },
  ]);
  const copy = client.follow('participants', 'e', kept);
  expect((await copy.update()).changed).toEqual([runner('a', '1')]);
  expect(asked).toEqual(['old', '']);
  const refused = createClient([400, 400]).client.follow('participants', 'e', {
    items: new Map(),
    cursor: 'old',
  });
  await expect(refused.update()).rejects.toBeInstanceOf(ApiError);
});

test('keeps each passing of a runner', async () => {
  const { client } = createClient([
    {
      lines: ['Km 5', 'Km 10'].map((point) => ({ inscription_id: 'a', point })),
      total: 2,
      cursor: 'c1',
    },
  ]);
  const copy = client.follow('passings', 'e');
  await copy.update();
  expect([...copy.items.keys()]).toEqual(['a Km 5', 'a Km 10']);
});

test('keeps a part of each item, and reads lines cut anywhere on the way', async () => {
  const lines = `${JSON.stringify(runner('a', 'Ñ1'))}\n${JSON.stringify(runner('b', '2'))}`;
  const client = new RaceResultsClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'er_live_x',
    fetch: async () => {
      const bytes = new TextEncoder().encode(lines);
      const body = new ReadableStream({
        start(stream) {
          for (const byte of bytes) stream.enqueue(Uint8Array.of(byte));
          stream.close();
        },
      });
      return new Response(body, { headers: { 'Next-Cursor': 'c1', Total: '2' } });
    },
  });
  const copy = client.follow('participants', 'e', undefined, ({ bib_number }) => bib_number);
  expect((await copy.update()).changed).toEqual(['Ñ1', '2']);
  expect([...copy.items]).toEqual([
    ['a', 'Ñ1'],
    ['b', '2'],
  ]);
});
