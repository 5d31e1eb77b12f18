import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createKey, db } from '../../testing/factories.ts';
import { injectFault, withoutServices } from '../../testing/faults.ts';
import { startApp, testConfig, withKey } from '../../testing/harness.ts';
import { changeEvent, openBoard, request, upload } from '../../testing/open-board.ts';
import { registrations } from '../db/schema.ts';
import type { BoardResult } from './answer-schemas.ts';

describe('a board that is disabled', () => {
  const PARTS = ['', '/data', '/results', '/find?q=1', '/bibs/1'];

  async function answerTo(path: string, init?: RequestInit) {
    const response = await request(path, init);
    const headers = Object.fromEntries(response.headers);
    delete headers['x-request-id'];
    return { status: response.status, headers, body: await response.text() };
  }

  test('answers like a board that does not exist', async () => {
    const { eventId } = await openBoard({ board_enabled: false });
    const nothing = await answerTo(`/board/${crypto.randomUUID()}`);
    expect(nothing.status).toBe(404);
    expect(nothing.headers).toMatchObject({
      'cache-control': 'public, max-age=4, stale-if-error=86400',
    });
    const short = eventId.slice(0, 8);
    for (const id of [
      eventId,
      crypto.randomUUID(),
      eventId.slice(1),
      short,
      'page',
      '%00',
      '%zz',
    ]) {
      for (const part of PARTS) {
        const told = await answerTo(`/board/${id}${part}`, { headers: { 'If-None-Match': '"1"' } });
        expect(told, id + part).toEqual(nothing);
      }
    }
    for (const path of ['/board', `/board/${eventId}/none`, `/board/${eventId}/bibs/`]) {
      expect((await answerTo(path)).status, path).toBe(404);
    }
  });

  test('appears and disappears with board_enabled', async () => {
    const { board, eventId } = await openBoard({ board_enabled: false });
    expect((await request(`${board}/data`)).status).toBe(404);
    await configureEvent(eventId, { board_enabled: true });
    const opened = await request(`${board}/data`);
    const version = opened.headers.get('ETag') ?? '';
    expect(opened.status).toBe(200);
    await configureEvent(eventId, { board_enabled: false });
    for (const part of PARTS) {
      const closed = await request(board + part, { headers: { 'If-None-Match': version } });
      expect(closed.status).toBe(404);
    }
  });

  test('answers 404 without a query for an id that is not a uuid', async () => {
    const away = startApp(withoutServices(testConfig, 'postgres'));
    const bad = ['17', 'x'.repeat(5_000), '00000000-0000-4000-8000-00000000000g'];
    for (const path of bad) {
      for (const part of PARTS)
        expect((await away.request(`/board/${path}${part}`)).status).toBe(404);
    }
    const event = crypto.randomUUID();
    expect((await away.request(`/board/${event}/bibs/${'1'.repeat(41)}`)).status).toBe(404);
    expect((await away.request(`/board/${event}/data`)).status).toBe(503);
  });
});

describe('the ETag of a board', () => {
  test('changes with the results', async () => {
    const race = await openBoard();
    const first = await request(`${race.board}/data`);
    const version = first.headers.get('ETag') ?? '';
    expect(version).toMatch(/^"[\da-f]{64}"$/);
    expect(first.headers.get('Cache-Control')).toBe(
      'public, max-age=1, stale-while-revalidate=10, stale-if-error=86400',
    );
    for (const known of [version, `W/${version}`, `"1.2", ${version}`, '*']) {
      const same = await request(`${race.board}/data`, { headers: { 'If-None-Match': known } });
      expect([same.status, await same.text()]).toEqual([304, '']);
      expect(same.headers.get('ETag')).toBe(version);
      expect(same.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'));
    }
    await upload(race, [{ bib_number: '6', chip_time: '02:00:00' }]);
    const next = await request(`${race.board}/data`, { headers: { 'If-None-Match': version } });
    expect(next.status).toBe(200);
    expect(next.headers.get('ETag')).not.toBe(version);
  });

  test.each([
    [
      'a corrected category',
      (eventId: string) =>
        db
          .update(registrations)
          .set({ category: '70+' })
          .where(eq(registrations.event_id, eventId)),
    ],
    [
      'names switched on',
      (eventId: string) => configureEvent(eventId, { board_names: 'initials' }),
    ],
    ['another name of the event', (eventId: string) => changeEvent(eventId, { name: 'Renamed' })],
  ])('changes with %s', async (_, change) => {
    const { board, eventId } = await openBoard();
    const before = await request(`${board}/data`);
    await change(eventId);
    const known = { 'If-None-Match': before.headers.get('ETag') ?? '' };
    const after = await request(`${board}/data`, { headers: known });
    expect(after.status).toBe(200);
    expect(await after.text()).not.toBe(await before.text());
  });

  test('works for one runner too', async () => {
    const race = await openBoard();
    const before = await request(`${race.board}/bibs/2`);
    const known = { 'If-None-Match': before.headers.get('ETag') ?? '' };
    expect((await request(`${race.board}/bibs/2`, { headers: known })).status).toBe(304);
    await upload(race, [{ bib_number: '1', chip_time: '01:00:00' }]);
    const after = await request(`${race.board}/bibs/2`, { headers: known });
    expect(await after.json()).toMatchObject({ overall: { place: 2, of: 2 } });
  });

  test.each(['"x"', '"1", "2"', '7', '"1.7"', '"99999999999999999999"'])(
    'sends the whole body for an unknown ETag (%s)',
    async (known) => {
      const { board } = await openBoard();
      const response = await request(`${board}/data`, { headers: { 'If-None-Match': known } });
      expect(response.status).toBe(200);
    },
  );
});

describe('the page of a board', () => {
  const firstOf = (html: string) =>
    JSON.parse(/<script type="application\/json" id="first">(.*)<\/script>/.exec(html)?.[1] ?? '');

  test('has what it shows first, and the title of the event or of the runner', async () => {
    const name = '</script><img src=x onerror=alert(1)>"&';
    const race = await openBoard({ name, board_names: 'initials' });
    const html = await (await request(race.board)).text();
    expect(firstOf(html).snapshot).toEqual(await (await request(`${race.board}/data`)).json());
    expect(firstOf(html).runners).toEqual([]);
    expect(html).toContain('<article id="early" class="card result" hidden');
    expect(html).toContain(
      '<title>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"&amp;</title>',
    );
    expect(html.replace(/content="[^"]*"/g, '')).not.toContain('<img');
    const runner = await (await request(`${race.board}?bib=1`)).text();
    expect(firstOf(runner).runners).toEqual([await (await request(`${race.board}/bibs/1`)).json()]);
    expect(runner).toContain('<title>1 Ana E. · ');
    expect(runner).toContain('property="og:description" content="21K · 01:30:01 · 2/2"');
    const card = /<article id="early".*?<\/article>/s.exec(runner)?.[0] ?? '';
    expect(card.slice(0, 50)).not.toContain('hidden');
    expect(card.replace(/<[^>]*>/g, ' ').split(/\s+/)).toEqual([
      '',
      '1',
      'Ana',
      'E.',
      '21K',
      '1:30:01',
      '',
    ]);
    const several = await (await request(`${race.board}?bib=2,999,1`)).text();
    expect(firstOf(several).runners.map((one: BoardResult | null) => one?.bib_number)).toEqual([
      '2',
      undefined,
      '1',
    ]);
    expect(several).toContain('<title>2 Bruno M. · 1 Ana E. · ');
  });

  test('names the day by the clocks of the place', async () => {
    const dayFor = async (event_date: string, time_zone: string) => {
      const { board } = await openBoard({
        city: 'Lima',
        event_date: new Date(event_date),
        time_zone,
      });
      const html = await (await request(board)).text();
      return /property="og:description" content="Lima · ([^"]*)"/.exec(html)?.[1];
    };
    expect(await dayFor('2031-05-18T01:00:00Z', 'America/Lima')).toBe('2031-05-17');
    expect(await dayFor('2031-05-18T01:00:00Z', 'Nowhere/Else')).toBe('2031-05-18');
    expect(await dayFor('2031-05-18T00:00:00Z', 'America/Lima')).toBe('2031-05-18');
  });

  test('loads nothing foreign and is not indexed', async () => {
    const { board } = await openBoard();
    const page = await request(board);
    // The tags for a chat have whole addresses, and the policy has the digest of the script in the page.
    const whole = (await page.text()).replaceAll(/<meta property="og:.*>/g, '');
    const [inline = '', script = ''] = /<script>(.*?)<\/script>/s.exec(whole) ?? [];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
    const html = whole.replace(inline, '');
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.headers.get('X-Request-Id')).toMatch(/./);
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self' 'sha256-[^']+'; /,
    );
    // The only policy names a single address: the script that keeps the page for times without a connection.
    expect(policy).toMatch(/require-trusted-types-for 'script'; trusted-types service-worker$/);
    expect(policy).toContain(`'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`);
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(html).not.toMatch(/https?:|<script(?![^>]* (?:src=|id="first"))| on\w+=| style=/);
  });

  test('answers GET and HEAD and no other method', async () => {
    const { board } = await openBoard();
    const head = await request(`${board}/data`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      await expectError(await request(`${board}/data`, { method }), 404, 'NOT_FOUND');
    }
  });
});

describe('a board without its database', () => {
  test('answers 503 that may not be cached', async () => {
    const { board } = await openBoard();
    const away = startApp(withoutServices(testConfig, 'postgres'));
    for (const part of ['', '/data', '/results', '/bibs/1']) {
      const response = await away.request(board + part);
      await expectError(response, 503, 'SERVICE_UNAVAILABLE');
      expect(response.headers.get('Cache-Control')).toBe('private, no-store');
    }
  });

  test('answers 503 after five seconds', async () => {
    const { board } = await openBoard();
    const slow = await injectFault(testConfig, 'postgres', { kind: 'delay', ms: 1_000 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answer = startApp(slow).request(`${board}/data`);
    await vi.advanceTimersByTimeAsync(5_000);
    await expectError(await answer, 503, 'SERVICE_UNAVAILABLE');
  });
});

test('ignores an API key', async () => {
  const { board, organizationId } = await openBoard();
  const headers = withKey(await createKey(organizationId, { revoked_at: new Date() }));
  expect((await request(`${board}/data`, { headers })).status).toBe(200);
});
