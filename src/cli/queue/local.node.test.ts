import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { shortenWait } from '../../testing/short-waits.ts';
import { askLocal, type LocalAddress, localAddress, openLocal, PROOF } from './local.ts';

const addressOf = (folder = '/race', event = 'e1', secret = crypto.randomUUID()) =>
  localAddress(secret, event, folder);

async function open(address: LocalAddress, name: string) {
  const local = await openLocal(address, {
    page: () => '<p>page</p>',
    view: () => 'view',
    state: async () => ({ name }),
    take: async (entry) => ({ name, entry }),
  });
  if (local) onTestFinished(local.close);
  return local;
}

test('lets one process at a time have an address, and answers others there', async () => {
  const address = addressOf();
  expect(await askLocal(address, '/state')).toBeUndefined();
  const first = await open(address, 'first');
  expect(await open(address, 'second')).toBeUndefined();
  expect(await askLocal(address, '/state')).toEqual({ name: 'first' });
  expect(await askLocal(address, '/entry', { bib: '1' })).toEqual({
    name: 'first',
    entry: { bib: '1' },
  });
  expect(await open(addressOf('/other'), '')).toBeDefined();
  await first?.close();
  expect(await askLocal(address, '/state')).toBeUndefined();
  const third = await open(address, 'third');
  expect(third?.port).toBe(first?.port);
  expect(third?.token).not.toBe(first?.token);
});

test('takes no entry whose asker has given up, as after it was frozen', async () => {
  const address = addressOf();
  const local = await open(address, 'first');
  const post = async (until: number) => {
    const headers = { Authorization: `Bearer ${local?.token}`, Until: `${until}` };
    const url = `http://127.0.0.1:${local?.port}/entry`;
    return (await fetch(url, { method: 'POST', body: '{"bib":"1"}', headers })).status;
  };
  expect([await post(Date.now() + 1_000), await post(Date.now() - 1)]).toEqual([200, 408]);
});

test('passes over a port that another program has, also when the program has ended', async () => {
  const address = addressOf();
  const [port = 0] = address.ports;
  const foreign = await openLocal(
    { ports: [port], secret: 'x'.repeat(32) },
    { state: async () => 1 },
  );
  expect(await open(address, 'first')).toMatchObject({ taken: [port] });
  expect(await askLocal(address, '/state')).toEqual({ name: 'first' });
  await foreign?.close();
  expect(await open(address, 'second')).toBeUndefined();
});

test('gives its token to no stranger who listens on its port, also not to one who passes on questions', async () => {
  const address = addressOf();
  const [port = 0, second = 0] = address.ports;
  const heard: string[] = [];
  const stranger = createServer((asked, answer) => {
    heard.push(JSON.stringify([asked.headers, asked.url]));
    const { nonce = '' } = asked.headers;
    fetch(`http://127.0.0.1:${second}${asked.url}`, { headers: { nonce: `${nonce}` } }).then(
      (own) => answer.setHeader(PROOF, own.headers.get(PROOF) ?? '').end('{}'),
      () => answer.end('{}'),
    );
  });
  onTestFinished(() => void stranger.close());
  await once(stranger.listen(port, '127.0.0.1'), 'listening');
  const first = await open(address, 'first');
  expect(await askLocal(address, '/state')).toEqual({ name: 'first' });
  expect(await askLocal(address, '/entry', { bib: '1' })).toMatchObject({ name: 'first' });
  expect(heard.length).toBeGreaterThan(2);
  expect(heard.join()).not.toContain('Bearer');
  expect(heard.join()).not.toContain(address.secret);
  expect(heard.join()).not.toContain(first?.token);
});

test('says which ports other programs have if none is left', async () => {
  const address = addressOf();
  for (const port of address.ports) {
    const stranger = createServer((_, answer) => void answer.end('{}'));
    onTestFinished(() => void stranger.close());
    await once(stranger.listen(port, '127.0.0.1'), 'listening');
  }
  await expect(open(address, '')).rejects.toThrow(address.ports.join(', '));
  expect(await askLocal(address, '/state')).toBeUndefined();
});

/** Opens the address in a process of its own. */
async function openElsewhere(address: LocalAddress) {
  const script = `
    const { openLocal } = await import(${JSON.stringify(join(import.meta.dirname, 'local.ts'))});
    await openLocal(${JSON.stringify(address)}, { state: async () => process.pid });
    setInterval(() => {}, 1000);
    console.log('open');`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void other.kill('SIGKILL'));
  await once(other.stdout, 'data');
  return other;
}

test('is free when its process was killed, for one of many that want it', async () => {
  const address = addressOf();
  const other = await openElsewhere(address);
  expect(await open(address, '')).toBeUndefined();
  expect(await askLocal(address, '/state')).toBe(other.pid);
  other.kill('SIGKILL');
  await once(other, 'close');
  const tries = await Promise.all(Array.from({ length: 8 }, () => open(address, '')));
  expect(tries.filter((local) => local !== undefined)).toHaveLength(1);
});

test('is taken while its process is frozen, which asking does not end', async () => {
  const address = addressOf();
  const other = await openElsewhere(address);
  other.kill('SIGSTOP');
  expect(await askLocal(address, '/state', undefined, 300)).toBeNull();
  other.kill('SIGCONT');
  expect(await askLocal(address, '/state')).toBe(other.pid);
  expect(other.exitCode).toBeNull();
});

test('is taken while a stranger on one of its ports says nothing, also for one who would wait longer', async () => {
  const address = addressOf();
  const stranger = createTcpServer((socket) => void setTimeout(() => socket.destroy(), 1_500));
  onTestFinished(() => void stranger.close());
  await once(stranger.listen(address.ports[1], '127.0.0.1'), 'listening');
  shortenWait(5_000, 300);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await askLocal(address, '/entry', { bib: '1' }, 30_000)).toBeNull();
});

test('survives a command that goes away before its answer', async () => {
  const address = addressOf();
  const local = await open(address, 'first');
  const socket = connect(local?.port ?? 0, '127.0.0.1');
  socket.write('GET /state HTTP/1.1\r\n');
  await once(socket, 'connect');
  socket.resetAndDestroy();
  expect(await askLocal(address, '/state')).toEqual({ name: 'first' });
});

test.each<[string, number, string, Record<string, string>]>([
  ['the page, which has no data', 200, '/', { authorization: '' }],
  ['nothing without the token', 401, '/state', { authorization: '' }],
  ['nothing but a proof to a question for it', 200, '/proof', { authorization: '' }],
  ['nothing to a wrong token', 401, '/view', { authorization: 'Bearer wrong' }],
  ['nothing to another site', 403, '/state', { origin: 'https://elsewhere.example' }],
  ['nothing to another site without a name', 403, '/', { origin: 'null' }],
  ['nothing under a name that leads here', 403, '/', { host: 'elsewhere.example' }],
  ['the state to its own page', 200, '/state', {}],
])('answers %s', async (_, status, path, headers) => {
  const address = addressOf();
  const { port = 0, token } = (await open(address, 'first')) ?? {};
  const own = { authorization: `Bearer ${token}`, origin: `http://127.0.0.1:${port}` };
  for (const method of ['GET', 'POST']) {
    if (method === 'POST' && status === 200) continue;
    const asked = request({
      port,
      host: '127.0.0.1',
      path,
      method,
      headers: { ...own, ...headers },
    });
    const [response] = await once(asked.end(), 'response');
    expect([method, response.statusCode]).toEqual([method, status]);
    response.resume();
  }
});
