import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { localAddress, openLocal, PROOF } from '../queue/local.ts';
import { say } from '../words.ts';
import { pageOf } from './page.ts';

/** Runs the script of the page at an address, where a browser has it. */
function openPage(port: number, token: string) {
  const page = pageOf();
  const [, script = ''] = /<script[^>]*>(.*)<\/script>/s.exec(page) ?? [];
  const templates = [...page.matchAll(/<template>(.*?)<\/template>/g)];
  const main = { innerHTML: '', addEventListener: () => {}, querySelector: () => ({}) };
  const document = {
    querySelector: () => main,
    querySelectorAll: () => templates.map(([, innerHTML]) => ({ innerHTML })),
  };
  const later = vi.fn<(follow: () => void) => void>();
  const ask = (path: string, more: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, more);
  const location = { hash: `#${token}`, port: `${port}` };
  new Function('document', 'location', 'fetch', 'setTimeout', script)(
    document,
    location,
    ask,
    later,
  );
  return { main, later };
}

test('gives its token to its own start alone, and asks a stranger on its port nothing more', async () => {
  const address = localAddress(crypto.randomUUID(), 'e1', '/race');
  const pages = { state: async () => null, view: () => 'the view' };
  const local = await openLocal(address, pages);
  const { port = 0, token = '' } = local ?? {};
  const { main, later } = openPage(port, token);
  await vi.waitFor(() => expect(later).toHaveBeenCalledTimes(1));
  expect(main.innerHTML).toBe('the view');
  const nonce = crypto.randomUUID();
  const heardBefore = await fetch(`http://127.0.0.1:${port}/proof`, { headers: { nonce } });
  await local?.close();

  const heard: string[] = [];
  const stranger = createServer((asked, answer) => {
    heard.push(JSON.stringify([asked.url, asked.headers]));
    answer.setHeader(PROOF, heardBefore.headers.get(PROOF) ?? '').end('a false view');
  });
  onTestFinished(() => void stranger.close());
  await once(stranger.listen(port, '127.0.0.1'), 'listening');
  later.mock.calls[0]?.[0]();
  await vi.waitFor(() => expect(main.innerHTML).toContain(say('page_other_why').slice(0, 30)));
  expect(heard).toHaveLength(1);
  expect(heard.join()).not.toContain(token);
  expect(later).toHaveBeenCalledTimes(1);
});

test('looks again while nobody answers', async () => {
  const address = localAddress(crypto.randomUUID(), 'e1', '/race');
  const [port = 0] = address.ports;
  const { main, later } = openPage(port, 'token');
  await vi.waitFor(() => expect(later).toHaveBeenCalledTimes(1));
  expect(main.innerHTML).toContain(say('page_gone'));
  expect(main.innerHTML).not.toContain(say('page_other_why').slice(0, 30));
});
