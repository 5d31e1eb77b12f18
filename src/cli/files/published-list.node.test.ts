import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ListProblem, PublishedList } from './published-list.ts';

const LIST = 'bib,time\n1,1:30:03\n2,1:31:12\n3,1:32:21\n';

/** A list whose server answers as the test says. */
async function publish(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  patienceMs?: number,
) {
  const requests: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers['if-none-match']);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const list = new PublishedList(`http://127.0.0.1:${port}/list?key=secret`, folder, patienceMs);
  const update = (isRight = false): Promise<unknown> =>
    list.update(new AbortController().signal, isRight).catch((error: unknown) => error);
  const content = () => (list.isThere ? readFileSync(list.path, 'utf8') : undefined);
  return { list, update, content, requests };
}

test('is asked for with the ETag of the list that was taken', async () => {
  const { update, content, requests } = await publish((request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { ETag: '"1"' }).end(LIST);
  });
  expect([await update(), await update()]).toEqual([undefined, undefined]);
  expect([content(), requests]).toEqual([LIST, [undefined, '"1"']]);
});

test('is asked for as a whole after its file was deleted', async () => {
  const { list, update, content } = await publish((request, response) => {
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { ETag: '"1"' }).end(LIST);
  });
  await update();
  rmSync(list.path);
  await update();
  expect(content()).toBe(LIST);
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['an error', (response) => response.writeHead(500).end('broken'), /answers 500/],
  ['a page', (response) => response.end('<!doctype html><title>Maintenance</title>'), /page/],
  ['an error as JSON', (response) => response.end('{"error":"no such list"}'), /page/],
  [
    'a cut',
    (response) =>
      void response.writeHead(200, { 'Content-Length': 99 }).write('bib', () => response.destroy()),
    /cannot be reached/,
  ],
  ['more than 16 MiB', (response) => response.end('x'.repeat((16 << 20) + 1)), /16 MiB/],
  [
    'a redirect to another kind of address',
    (response) => response.writeHead(302, { Location: 'https://example.invalid/' }).end(),
    /https:/,
  ],
  [
    'redirects without an end',
    (response) => response.writeHead(302, { Location: '/list' }).end(),
    /another address/,
  ],
])('keeps the list of before when the server answers %s', async (_what, answer, said) => {
  let isBroken = false;
  const { update, content, list } = await publish((_request, response) => {
    if (isBroken) answer(response);
    else response.end(LIST);
  });
  await update();
  isBroken = true;
  const problem = await update();
  expect(problem).toBeInstanceOf(ListProblem);
  expect(`${problem}`).toMatch(said);
  expect(`${problem}`).toContain(list.host);
  expect(`${problem}`).not.toContain('secret');
  expect(content()).toBe(LIST);
  isBroken = false;
  expect(await update()).toBeUndefined();
});

test.each(['', 'bib,time\n1,1:30:03\n'])(
  'takes a list of less than half the length when a person says so: %j',
  async (short) => {
    let sent = LIST;
    const { update, content } = await publish((_request, response) => response.end(sent));
    await update();
    sent = short;
    expect(await update()).toMatchObject({ isShorter: true });
    expect(content()).toBe(LIST);
    expect(await update(true)).toBeUndefined();
    expect(content()).toBe(short);
  },
);

test('is not waited for without an end', async () => {
  const { update } = await publish(() => {}, 100);
  expect(`${await update()}`).toContain('cannot be reached (no connection came about in time)');
});

test('follows a redirect of the same kind', async () => {
  const { update, content } = await publish((request, response) => {
    if (request.url?.startsWith('/list')) response.writeHead(302, { Location: '/moved' }).end();
    else response.end(LIST);
  });
  expect([await update(), content()]).toEqual([undefined, LIST]);
});

test('refuses an address that anybody on the way could read', () => {
  expect(() => new PublishedList('http://results.example/list', '/tmp')).toThrow('https');
});
