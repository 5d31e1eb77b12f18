import { expect, test } from 'vitest';
import { setUpBrowser } from '../../testing/runtime/browser-suite.ts';
import { parseParameters } from '../../timing-files/read/parameters.ts';
import { difference, NO_FILES, type UnreadableRow } from '../queue/difference.ts';
import { localAddress, openLocal } from '../queue/local.ts';
import { useLanguageOf } from '../words.ts';
import { pageOf, viewHtml } from './page.ts';
import { viewOf } from './view.ts';

const { newPage, atEnd } = setUpBrowser(() => {});

const LONG_NAME =
  'Resultados_Maratón_Popular_de_la_Costa_del_Sol_2027_línea_de_meta_definitivo.csv';
const TIMES = { chip_time: '01:28:03.000', gun_time: null, splits: {} };
const textOf = (bib: string, status = 'FINISHED') =>
  JSON.stringify({ bib_number: bib, status, ...TIMES });

/** A hard hour of a race: rows left to a person, rejected rows, and long names. */
function hardView() {
  const file = `/race/${LONG_NAME}`;
  const row = { text: textOf('61'), file, line: 2 };
  const unreadable: UnreadableRow[] = Array.from({ length: 20 }, (_, line) => ({
    ...{ line, bib: `${line}`, code: 'invalid_time', reason: `"${'9'.repeat(60)}" is no time.` },
  }));
  const found = difference({
    ...{ ...NO_FILES, acknowledged: new Map(), decisions: new Map(), given: new Map() },
    merged: { ...NO_FILES.merged, unordered: new Map([['61', [row, { ...row, file: 'b.csv' }]]]) },
    held: new Map([['61', { text: textOf('61', 'DSQ'), id: 'a' }]]),
    files: new Map([[file, { columns: new Set(), unreadable, isWhole: true }]]),
  });
  const at = new Date().toISOString();
  const parameters = parseParameters([['point', 'Puente de la Constitución, km 32,195']]);
  const sender = `${'laptop-del-cronometrador'.repeat(2)} 7f2a, Meta (er_live_abcd)`;
  return viewOf({
    ...{ difference: found, store: { request: undefined }, stops: new Map(), unread: 0 },
    sources: new Map([[file, { read: { parameters, onCourse: [] }, rows: 412, readAt: at }]]),
    isCompared: true,
    live: { missing: 38, senders: [{ from: sender, what: `${LONG_NAME}, 12`, at }] },
  });
}

test.each(['en', 'es'])(
  'S18: the page of watch fits a phone of 390 px in its width, in %s',
  async (language) => {
    useLanguageOf({ LANG: language });
    const address = localAddress(crypto.randomUUID(), 'e1', '/race');
    const runner = { bib_number: '61', distance: '42K', category: 'Veteranas B', gender: 'F' };
    const passed = { last_point: 'Km 32,195', last_time: '02:41:00.000', received_at: null };
    const late = { ...runner, ...passed, expected_time: '03:41:00.000', is_late: true };
    const [page, view] = [pageOf(), viewHtml(hardView(), [late])];
    const local = await openLocal(address, {
      ...{ state: async () => null, page: () => page, view: () => view },
    });
    atEnd(() => local?.close());
    const origin = `http://127.0.0.1:${local?.port}`;
    const phone = await newPage({
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, beside: origin },
    });
    await phone.goto(`${origin}/#${local?.token}`);
    await phone.getByText('km 32,195').first().waitFor();
    expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    const heading = await phone.getByRole('heading', { level: 1 }).boundingBox();
    expect((heading?.x ?? 0) + (heading?.width ?? 1_000)).toBeLessThanOrEqual(390);
    const buttons = await phone.getByRole('button').all();
    expect(buttons.length).toBeGreaterThanOrEqual(2);
    for (const button of buttons) {
      const { x = 0, width = 1_000, height = 0 } = (await button.boundingBox()) ?? {};
      expect(height).toBeGreaterThanOrEqual(44);
      expect(x + width).toBeLessThanOrEqual(390);
    }
  },
);
