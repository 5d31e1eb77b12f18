import { exports } from 'cloudflare:workers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectError } from '../../testing/assertions.ts';
import { configureEvent, createEvent, createOrganization } from '../../testing/factories.ts';
import { request, startApp, testConfig } from '../../testing/harness.ts';
import { createMember, panelOf } from '../../testing/members.ts';
import { boardCodeIn, newBoardCode } from '../events/board-code.ts';
import type { OrganizationEvent } from '../events/panel-answer-schemas.ts';
import { createRefusals } from '../rate-limit/refusals.ts';

/** An event with a board that its owner has switched on. */
async function createBoard() {
  const organizationId = await createOrganization();
  const eventId = await createEvent(organizationId);
  const purged: string[] = [];
  const { request: send } = startApp(testConfig, {
    purgeBoard: async (id) => void purged.push(id),
  });
  const { path: event, ask: sendBelow } = await panelOf({ organizationId, eventId }, { send });
  const ask = async (method: string, below = '', body?: object) => {
    const response = await sendBelow(below, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return response.json<OrganizationEvent>();
  };
  const { board_code } = await ask('PATCH', '/board', { board_enabled: true });
  return { organizationId, eventId, event, ask, purged, code: board_code ?? '' };
}

test('reads a code in any case, with and without a hyphen, and makes codes that nobody misreads', () => {
  for (const text of ['KD7W-X9F2', 'kd7wx9f2', 'Kd7w-x9f2', '-kd-7w-x9-f2-']) {
    expect(boardCodeIn(text), text).toBe('kd7wx9f2');
  }
  for (const text of [
    '',
    'kd7w',
    'kd7wx9f2x',
    'kd7wx9f1',
    'kd7wx9fo',
    'kd7w x9f2',
    '-'.repeat(999),
  ]) {
    expect(boardCodeIn(text), text).toBeUndefined();
  }
  const codes = Array.from({ length: 1_000 }, newBoardCode);
  expect(new Set(codes).size).toBe(1_000);
  expect(codes.filter((code) => !/^[2-9b-df-hjkmnp-tv-z]{8}$/.test(code))).toEqual([]);
  // Each of the 28 letters comes about 286 times.
  const letters = Map.groupBy(codes.join(''), (letter) => letter);
  expect(letters.size).toBe(28);
  for (const [letter, { length }] of letters) expect(length, letter).toBeGreaterThan(180);
});

describe('the short address', () => {
  test('leads to the board through its cache, and with a bib to the runner', {
    timeout: 120_000,
  }, async () => {
    const { eventId, code } = await createBoard();
    expect(code).toMatch(/^\w{4}-\w{4}$/);
    for (const [path, target] of [
      [`/b/${code}`, `/board/${eventId}`],
      [`/b/${code.replace('-', '').toUpperCase()}/?x=1`, `/board/${eventId}`],
      [`/b/${code}?bib=17,31`, `/board/${eventId}?bib=17%2C31`],
    ]) {
      const url = new URL(path ?? '', 'https://race.example');
      const answer = await exports.default.fetch(new Request(url, { redirect: 'manual' }));
      expect([answer.status, answer.headers.get('Location')], path).toEqual([302, target]);
      expect(answer.headers.get('Cache-Tag')).toBe(eventId);
      expect(answer.headers.get('Cache-Control')).toMatch(/^public, max-age=10, /);
    }
  });

  test('is 404 while the board is off, and for a code that nobody has', async () => {
    const { code, ask } = await createBoard();
    await ask('PATCH', '/board', { board_enabled: false });
    const path = `/b/${code.replace('-', '')}`;
    for (const missing of [path, `/b/${newBoardCode()}`, '/b/none']) {
      const answer = await request(missing);
      expect(answer.headers.get('Cache-Control')).toMatch(/^public, max-age=4, /);
      await expectError(answer, 404, 'NOT_FOUND');
    }
    // The code stays for the time when the board is on again.
    expect(await ask('PATCH', '/board', { board_enabled: true })).toMatchObject({
      board_code: code,
    });
    expect((await request(path)).status).toBe(302);
  });

  test('is renewed, purged, and kept in the history', async () => {
    const { code, event, eventId, ask, purged } = await createBoard();
    purged.length = 0;
    const { board_code: renewed } = await ask('POST', '/board/code');
    expect(renewed).not.toBe(code);
    expect(purged).toEqual([eventId]);
    expect((await request(`/b/${code.replace('-', '')}`)).status).toBe(404);
    expect((await request(`/b/${renewed?.replace('-', '')}`)).status).toBe(302);
    expect(await ask('GET', '/changes')).toMatchObject({
      data: [
        { kind: 'board_code', before: code, after: renewed },
        { kind: 'board_enabled', before: 'false', after: 'true' },
      ],
    });
    expect(await (await request(`/board/v1/${eventId}`)).json()).toMatchObject({
      board_code: renewed,
    });
    const stranger = await createMember(await createOrganization(), 'owner');
    const refused = await request(`${event}/board/code`, {
      method: 'POST',
      headers: stranger.headers,
    });
    await expectError(refused, 404, 'NOT_FOUND');
  });

  test('wrong ones block neither an open board nor a right code', async () => {
    const { code, eventId } = await createBoard();
    const counted: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: counted.push(key) < 3 });
    const codes = new Set([code.replace('-', '')]);
    const refusals = createRefusals(
      { limit },
      {
        liveKeys: async () => new Set(),
        openBoards: async () => new Set(),
        openCodes: async (names) => new Set(names.filter((name) => codes.has(name))),
      },
    );
    const { request: ask } = startApp(testConfig, { refusals });
    const from = { headers: { 'CF-Connecting-IP': '192.0.2.7' } };
    for (let wrong = 0; wrong < 3; wrong += 1) {
      expect((await ask(`/b/${newBoardCode()}`, from)).status).toBe(404);
    }
    expect(counted).toEqual(Array(3).fill('codes 192.0.2.7'));
    expect((await ask(`/b/${newBoardCode()}`, from)).status).toBe(429);
    // The next look-up of the address.
    vi.setSystemTime(Date.now() + 1_000);
    onTestFinished(() => void vi.useRealTimers());
    expect((await ask(`/b/${code.replace('-', '')}`, from)).status).toBe(302);
    expect((await ask(`/board/${eventId}`, from)).status).toBe(200);
    // A text that is no code costs no trip, and is not counted.
    expect((await startApp(testConfig, { refusals }).request('/b/none')).status).toBe(404);
    expect(counted).toHaveLength(3);
  });

  test('takes no code of another board', async () => {
    const [first, second] = [await createBoard(), await createBoard()];
    await expect(
      configureEvent(second.eventId, { board_code: first.code.replace('-', '') }),
    ).rejects.toThrow();
  });
});
