import { afterEach, describe, expect, test, vi } from 'vitest';
import { type CachedFetch, createDocuments, createRoom, shareDocuments } from './documents.ts';

afterEach(() => void vi.useRealTimers());

const EVENT = 'event';

const answer = (text: string, headers: HeadersInit = {}) =>
  new Response(text, { headers: { 'Cache-Control': 'public, max-age=2', ...headers } });

/** Documents over a cache and a clock under the test's control. Events have the organization before their dot. */
function start(fetch: CachedFetch) {
  const clock = { ms: 0 };
  const asked: string[] = [];
  const shared = shareDocuments({
    fetch: (kind, eventId, waitUntil) => {
      asked.push(eventId);
      return fetch(kind, eventId, waitUntil);
    },
    findOwner: async (eventId) => (eventId === 'closed' ? undefined : eventId.split('.')[0]),
    now: () => clock.ms,
  });
  const documents = createDocuments('ranking', (text) => ({ text }), shared);
  const waiting = { waitUntil() {}, logFields: { trips: 0 } };
  const find = (eventId = EVENT) => documents(eventId, waiting);
  return { find, clock, asked, waiting };
}

describe('createDocuments', () => {
  test('reads a document once for any number of requests, and again when it has expired', async () => {
    const { find, clock, asked, waiting } = start(async () => answer('x'));
    const all = await Promise.all(Array.from({ length: 50 }, () => find()));
    expect(new Set(all.map((found) => found?.value)).size).toBe(1);
    expect(all[0]).toMatchObject({ owner: EVENT, freshSeconds: 2 });
    clock.ms = 1_999;
    expect((await find())?.freshSeconds).toBe(1);
    expect(asked).toHaveLength(1);
    expect(waiting.logFields.trips).toBe(1);
    clock.ms = 2_000;
    await Promise.all([find(), find()]);
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['has had its age in a cache', { 'Cache-Control': 'max-age=5', Age: '3' }, 2],
    ['is older than its life', { Age: '70' }, 1],
    ['was read by a clock that runs ahead', { Date: 'Fri, 01 Jan 2044 00:00:00 GMT' }, 2],
  ])('expires in time if it %s', async (_, headers, seconds) => {
    const { find, clock, asked } = start(async () => answer('x', headers));
    expect((await find())?.freshSeconds).toBe(seconds);
    clock.ms = 1_000 * seconds;
    await find();
    expect(asked).toHaveLength(2);
  });

  test('does not parse an equal text again', async () => {
    let text = 'x';
    const { find, clock } = start(async () => answer(text));
    const first = await find();
    clock.ms = 2_000;
    expect((await find())?.value).toBe(first?.value);
    text = 'y';
    clock.ms = 4_000;
    expect((await find())?.value).toEqual({ text: 'y' });
  });

  test('fails while the database does, and asks it again for the next request', async () => {
    let status = 503;
    const { find } = start(async () => new Response('x', { status }));
    await expect(find()).rejects.toMatchObject({ status: 503 });
    status = 200;
    expect((await find())?.value.text).toBe('x');
  });

  test('says that an event is too large', async () => {
    const { find } = start(async () => new Response(null, { status: 413 }));
    await expect(find()).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('more than 100000 registrations'),
    });
  });

  test('asks anew if the request that was reading has ended', async () => {
    let attempts = 0;
    const { find, clock } = start(() => {
      attempts += 1;
      return attempts === 2 ? new Promise(() => {}) : Promise.resolve(answer('x'));
    });
    await find();
    clock.ms = 30_000;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const refused = expect(find()).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    vi.useRealTimers();
    expect((await find())?.value.text).toBe('x');
  });

  test('forgets the document of a board that closes', async () => {
    let status = 200;
    const { find, clock } = start(async () => new Response('x', { status }));
    await find();
    status = 404;
    clock.ms = 2_000;
    expect(await find()).toBeUndefined();
  });

  test('reads nothing without an open board', async () => {
    const { find, asked } = start(async () => answer('x'));
    expect(await find('closed')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('reads two documents at a time, of two organizations', async () => {
    const running: string[] = [];
    const seen: string[][] = [];
    const { find } = start(async (_, eventId) => {
      running.push(eventId);
      seen.push([...running]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running.splice(running.indexOf(eventId), 1);
      return answer('x');
    });
    const events = ['busy.1', 'busy.2', 'busy.3', 'other.1', 'third.1'];
    await Promise.all(events.map((eventId) => find(eventId)));
    expect(Math.max(...seen.map(({ length }) => length))).toBe(2);
    expect(seen.filter((at) => at.filter((id) => id.startsWith('busy')).length > 1)).toEqual([]);
  });
});

describe('createRoom', () => {
  function fill(entries: [owner: string, size: number][]) {
    const kept: string[] = [];
    const room = createRoom(100, 50);
    for (const [owner, size] of entries) {
      const name = `${owner}${size}`;
      kept.push(name);
      room({ owner, size, forget: () => void kept.splice(kept.indexOf(name), 1) });
    }
    return kept;
  }

  test('drops the oldest of an owner that keeps more than its part, and of nobody else', () => {
    expect(
      fill([
        ['a', 20],
        ['b', 30],
        ['a', 25],
        ['a', 10],
      ]),
    ).toEqual(['b30', 'a25', 'a10']);
  });

  test('drops the oldest of the owner that keeps the most when all is full', () => {
    expect(
      fill([
        ['small', 5],
        ['a', 25],
        ['a', 24],
        ['b', 40],
        ['c', 30],
      ]),
    ).toEqual(['small5', 'a24', 'b40', 'c30']);
  });

  test('counts an entry that left no more', () => {
    const room = createRoom(100, 50);
    const forget = vi.fn();
    const leave = room({ owner: 'a', size: 40, forget });
    leave();
    room({ owner: 'a', size: 40, forget });
    expect(forget).not.toHaveBeenCalled();
  });
});
