import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
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

test('S19: the page has the colours and the type of the house', () => {
  const house = join(import.meta.dirname, '../../site/shared/public/shared');
  const tokens = readFileSync(join(house, 'tokens.css'), 'utf8');
  const [, style = ''] = /<style[^>]*>(.*)<\/style>/s.exec(pageOf()) ?? [];
  const pairs = style.match(/light-dark\([^)]*\)/g) ?? [];
  const colours = style.replaceAll(/light-dark\([^)]*\)/g, '').match(/#[0-9a-f]{3,6}\b/g) ?? [];
  expect(pairs.length).toBeGreaterThanOrEqual(5);
  expect(colours.length).toBeGreaterThanOrEqual(5);
  const known = new Set(tokens.match(/light-dark\([^)]*\)|#[0-9a-f]{3,6}\b/g));
  const of = new Set(tokens.match(/#[0-9a-f]{3,6}\b/g));
  const isOfHouse = (one: string) => known.has(one) || of.has(one);
  expect([...pairs, ...colours].filter((one) => !isOfHouse(one))).toEqual([]);
  expect(style).toContain('color-scheme: light dark');
  expect(style).toContain('font: 1rem/1.5 system-ui, sans-serif');
  const [, sans = ''] = /--sans: ([^;]*);/.exec(tokens) ?? [];
  expect(sans.split(', ')).toEqual(expect.arrayContaining(['system-ui', 'sans-serif']));
});
