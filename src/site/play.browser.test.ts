import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { LOOPBACK, listen } from '../dev/stack/listen.ts';
import { insertKey } from '../dev/stack/seed.ts';
import { violationsOf } from '../testing/runtime/axe.ts';
import { copiedIn, setUpBrowser } from '../testing/runtime/browser-suite.ts';
import { type DevServer, type Session, signToken } from '../testing/runtime/dev-server.ts';
import { streamOf } from '../testing/csv.ts';
import { numberCell, workbookOf } from '../testing/workbook.ts';
import { openFile } from '../timing-files/read/open-file.ts';
import boardEn from './board/public/board/texts/en.json' with { type: 'json' };
import boardEs from './board/public/board/texts/es.json' with { type: 'json' };
import pageEn from './panel/public/panel/texts/page/en.json' with { type: 'json' };
import pageEs from './panel/public/panel/texts/page/es.json' with { type: 'json' };
import partsEn from './panel/public/panel/texts/parts/en.json' with { type: 'json' };
import partsEs from './panel/public/panel/texts/parts/es.json' with { type: 'json' };

mkdirSync('/tmp/play', { recursive: true });
let served: DevServer;
const { newPage } = setUpBrowser((started) => {
  served = started;
});
const WAITING = { timeout: 20_000, interval: 150 };
const PANEL: Record<string, Record<string, unknown>> = {
  en: { ...pageEn, ...partsEn },
  es: { ...pageEs, ...partsEs },
};
const BOARD: Record<string, Record<string, unknown>> = { en: boardEn, es: boardEs };

const only = (process.env['PLAY'] ?? '').split(',').filter(Boolean);
const report: string[] = [];
let current: Page | undefined;

async function task(id: string, what: string, work: () => Promise<string | void>) {
  if (only.length > 0 && !only.includes(id)) return;
  const began = Date.now();
  try {
    const said = await work();
    report.push(`${id} done  ${what}${said ? ` | ${said}` : ''} (${Math.round((Date.now() - began) / 100) / 10} s)`);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(/\u001b\[\d+m/g, '').slice(0, 4000).replace(/\n+/g, ' ⏎ ');
    report.push(`${id} STUCK ${what}: ${why}`);
    await current?.screenshot({ path: `/tmp/play/stuck-${id}.png` }).catch(() => {});
  }
  console.log(report.at(-1));
  await Promise.all(opened.splice(0).map((page) => page.close()));
}
const opened: Page[] = [];
const none = (found: unknown) => {
  const text = JSON.stringify(found);
  if (text !== '[]') throw new Error(text);
};
const shot = (name: string, fullPage = false) =>
  current?.screenshot({ path: `/tmp/play/${name}.png`, fullPage });

/** A person sees it: it is on the screen, whole, and nothing covers it. */
async function seen(place: Locator, timeout = 10_000) {
  const one = place.first();
  await one.waitFor({ timeout });
  await one.scrollIntoViewIfNeeded();
  const wrong = await one.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    const box = (element.childNodes.length > 0 ? range : element).getBoundingClientRect();
    const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
    const window = element.ownerDocument.defaultView;
    const height = window?.innerHeight ?? clientHeight;
    if (box.width < 1 || box.height < 1) return 'no size';
    if (box.left < -1 || box.right > clientWidth + 1) return `out of the width: ${box.left} ${box.right} of ${clientWidth}`;
    if (box.top > height || box.bottom < 0) return `out of the height: ${box.top} ${box.bottom} of ${height}`;
    const x = Math.min(clientWidth - 1, Math.max(0, box.left + Math.min(box.width / 2, 20)));
    const y = Math.min(height - 1, Math.max(0, (Math.max(0, box.top) + Math.min(height, box.bottom)) / 2));
    const on = element.ownerDocument.elementFromPoint(x, y);
    if (!on) return 'nothing at its place';
    if (element.contains(on) || on.contains(element)) return '';
    return `covered by ${on.outerHTML.slice(0, 120)}`;
  });
  if (wrong) throw new Error(`${String(place)} is not seen: ${wrong}`);
}
/** It is in the first screen without scrolling. */
async function seenAtOnce(place: Locator) {
  await place.first().waitFor({ timeout: 10_000 });
  const isIn = await place.first().evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= (element.ownerDocument.defaultView?.innerHeight ?? 0);
  });
  expect(isIn, `${String(place)} in the first screen`).toBe(true);
  await seen(place);
}

// ---------- the world

const GIVEN = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elena', 'Fermín', 'Gloria', 'Hugo', 'Inés', 'Javier', 'María del Mar', 'José', 'Lucía', 'Mateo', 'Antonio'];
const SURNAMES = ['Ejemplo', 'Muestra', 'Prueba', 'Modelo', 'Ríos', 'Alba', 'Norte', 'Zárate'];
const CATEGORIES = ['Sub-23', 'Senior', 'Veteranos 40-49', 'Veteranos 50-59', 'Máster 60+'];

type Person = { bib_number: string; given_names: string; surnames: string; gender: string; category: string; distance: string };
const distanceOf = (bib: number) => (bib <= 600 ? '5K' : bib <= 1300 ? '10K' : '21K');
const KM: Record<string, number> = { '5K': 5, '10K': 10, '21K': 21.0975 };
const SPECIAL: Record<number, [string, string]> = {
  1400: ['José Antonio', 'Ruiz Ejemplo'],
  1410: ['José', 'Alonso Prueba'],
  1500: ['Nuria', 'Romero Ejemplo'],
  1510: ['Oculta', 'Velado Ejemplo'],
};
const PEOPLE: Person[] = Array.from({ length: 2_000 }, (_, at) => {
  const bib = at + 1;
  const [given_names = '', surnames = ''] = SPECIAL[bib] ?? [GIVEN[(at * 7) % GIVEN.length], SURNAMES[(at * 5) % SURNAMES.length]];
  return {
    bib_number: String(bib),
    given_names,
    surnames,
    gender: at % 83 === 0 ? 'X' : at % 5 < 2 ? 'F' : 'M',
    category: CATEGORIES[Math.floor(at / 3) % CATEGORIES.length] ?? '',
    distance: distanceOf(bib),
  };
});

/** The wave's delay, the pace, and the times of a runner: seconds. */
const delayOf = (bib: number) => (bib % 5) * 300;
const paceOf = (bib: number) => 210 + ((bib * 37) % 199) * 0.9 + (bib % 7) * 0.13;
const chipOf = (bib: number) => Math.round((KM[distanceOf(bib)] ?? 0) * paceOf(bib) * 1_000) / 1_000;
const clock = (seconds: number) => {
  const ms = Math.round(seconds * 1_000);
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1_000) % 60)}.${String(ms % 1_000).padStart(3, '0')}`;
};
const resultOf = (bib: number) => {
  // Two on the podium have the same times.
  const chip = bib === 10 || bib === 20 ? 1_000 : bib === 30 ? 1_003.5 : chipOf(bib);
  return { bib_number: String(bib), chip_time: clock(chip), gun_time: clock(chip + delayOf(bib)) };
};
const passedAt = (bib: number, km: number) => delayOf(bib) + km * paceOf(bib);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

type Race = { eventId: string; board: string; apiKey: string; session: Session; startsAt: number };

async function insert(table: string, rows: Record<string, unknown>[]) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  await served.pool.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

async function newRace(people: Person[], startsAt: number, settings: Record<string, unknown> = {}): Promise<Race> {
  const session = await served.newOrganization();
  const eventId = crypto.randomUUID();
  await insert('events', [
    {
      id: eventId,
      organization_id: session.organizationId,
      name: 'Media Maratón de Puerto Ejemplo',
      event_date: new Date(startsAt).toISOString(),
      city: 'Puerto Ejemplo',
      time_zone: 'Europe/Madrid',
      ...settings,
    },
  ]);
  const rows = people.map((person) => ({ status: 'PAID', ...person, event_id: eventId, person_id: crypto.randomUUID() }));
  await insert('persons', rows.map(({ person_id }) => ({ id: person_id })));
  await insert('registrations', rows);
  const apiKey = await insertKey(drizzle(served.pool), session.organizationId, { name: 'Timing van' });
  return { eventId, board: `${served.origin}/board/${eventId}`, apiKey, session, startsAt };
}

async function post({ eventId, apiKey }: Race, path: string, body: unknown) {
  const answer = await fetch(`${served.origin}/public/v1/events/${eventId}/${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
}
const upload = (race: Race, results: unknown[]) => post(race, 'results', { results });
const pass = (race: Race, passings: { bib: number; point: string; at: number }[]) =>
  post(race, 'passings', {
    passings: passings.map(({ bib, point, at }) => ({ bib_number: String(bib), point, time: clock(at) })),
  });
const uploadFile = async (race: Race, name: string, content: string) => {
  const body = new FormData();
  body.set('file', new File([content], name));
  const answer = await fetch(`${served.origin}/public/v1/events/${race.eventId}/results/file`, {
    method: 'POST',
    headers: { 'X-API-Key': race.apiKey },
    body,
  });
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
};
const asManager = async ({ session, eventId }: Race, path: string, method = 'GET', body?: unknown) => {
  const answer = await fetch(`${served.origin}/api/v1/organizations/${session.organizationId}/events/${eventId}${path}`, {
    method,
    headers: { Authorization: `Bearer ${session.token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
};

/** What the clock of the race has seen after so many seconds. */
async function runRace(race: Race, elapsed: number) {
  const points: [string, number][] = [['Km 5', 5], ['Km 10', 10], ['Km 15', 15]];
  const passings = range(601, 2_000).flatMap((bib) =>
    points
      .filter(([, km]) => km < (KM[distanceOf(bib)] ?? 0))
      .map(([point, km]) => ({ bib, point, at: passedAt(bib, km) }))
      .filter(({ at }) => at < elapsed),
  );
  await pass(race, passings);
  // Who starts late in the last bibs crosses a mat at the start line.
  await pass(race, range(1_900, 1_950).map((bib) => ({ bib, point: 'Salida', at: Math.max(1, delayOf(bib)) })));
  await upload(race, [
    ...range(1, 590).map(resultOf),
    ...range(591, 595).map((bib) => ({ bib_number: String(bib), status: 'DNS' })),
    ...range(596, 600).map((bib) => ({ bib_number: String(bib), status: 'DNF' })),
  ]);
  await upload(race, range(601, 1_300).filter((bib) => chipOf(bib) + delayOf(bib) < elapsed - 300).map(resultOf));
}

// ---------- the organizer

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
const linkTo = (within: Page | Locator, name: string | RegExp) => within.getByRole('link', { name, exact: true });

test('organizer', async () => {
  const ELAPSED = 75 * 60;
  const race = await newRace(PEOPLE, Date.now() - ELAPSED * 1_000);
  await served.pool.query(
    `insert into events (organization_id, name, event_date, city)
     select $1, (array['Carrera Popular', 'Trail', 'Media Maratón', '10K Nocturno'])[1 + (n + 300) % 4] || ' ' || n, now() + n * interval '1 day',
       (array['Puerto Norte', 'Villa Ejemplo', 'Monte Muestra'])[1 + (n + 300) % 3]
     from generate_series(-290, 9) n where n <> 0`,
    [race.session.organizationId],
  );
  await runRace(race, ELAPSED);
  const second = `organizer-${crypto.randomUUID().slice(0, 8)}`;
  await served.pool.query("insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')", [race.session.organizationId, second]);
  const secondSession: Session = { ...race.session, token: await signToken(second) };

  let lang = 'en';
  let phone = false;
  const T = (key: string, values: Record<string, unknown> = {}): string => {
    const found = PANEL[lang]?.[key];
    const one = typeof found === 'object' && found !== null ? Object(found)[values['count'] === 1 ? 'one' : 'other'] : found;
    return String(one).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  };
  const re = (key: string, values?: Record<string, unknown>) => new RegExp(T(key, values).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const optionsOf = (n: number): BrowserContextOptions => {
    lang = n % 2 === 0 ? 'es' : 'en';
    phone = n % 3 === 0;
    return {
      locale: lang === 'es' ? 'es-ES' : 'en-GB',
      timezoneId: 'Europe/Madrid',
      ...(phone ? { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } : { viewport: { width: 1366, height: 768 } }),
    };
  };
  async function open(n: number, query: string, session = race.session) {
    const page = await newPage(optionsOf(n));
    page.setDefaultTimeout(9_000);
    opened.push(page);
    current = page;
    await page.goto(served.linkOf(session).replace('#', `${query}#`));
    await page.locator('#foot').waitFor({ timeout: 20_000 });
    return page;
  }
  const openRace = (n: number, part = '', session = race.session) =>
    open(n, `?race=${race.eventId}${part && `&part=${part}`}`, session);
  const more = async (page: Page) => {
    if (phone) await page.locator('#race-more > summary').click();
  };
  const said = (page: Page, words: string | RegExp) => seen(page.locator('#toast').filter({ hasText: words }));
  const choose = (page: Page, name: string, content: string | Uint8Array) =>
    page.locator('#file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
  const figures = async (place: Locator) => (await place.locator('div').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  const openRunner = async (page: Page, search: string, bib: string) => {
    await page.locator('#runner-search').fill(search);
    const row = page.locator('.runner').filter({ has: page.locator('.bib', { hasText: new RegExp(`^${bib}$`) }) });
    await row.waitFor();
    await row.locator('.toggle').click();
    await row.locator('form.correct').first().waitFor();
    await vi.waitFor(async () => expect(await row.locator('.status').isVisible()).toBe(false), WAITING).catch(() => {});
    return row;
  };
  const csv = (bibs: number[], header = 'Dorsal;Tiempo chip;Tiempo pistola') =>
    `${header}\n${bibs.map((bib) => `${bib};${clock(chipOf(bib)).slice(0, 8)};${clock(chipOf(bib) + delayOf(bib)).slice(0, 8)}`).join('\n')}\n`;
  const storedOf = async (bib: number) => {
    const { rows } = await served.pool.query(
      `select results.status, chip_time_ms::int / 1000.0 as chip, gun_time_ms::int / 1000.0 as gun from results join registrations on registrations.id = registration_id
       where results.event_id = $1 and bib_number = $2`,
      [race.eventId, String(bib)],
    );
    return rows[0] as { status: string; chip: string | null; gun: string | null } | undefined;
  };

  await task('o1', 'find the race among 300 by name', async () => {
    const page = await open(1, '');
    await page.locator('.event').first().waitFor();
    await shot('o1-list');
    await page.getByLabel(T('searchEvents')).fill('maraton de puerto ej');
    await vi.waitFor(async () => expect(await page.locator('.event').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(1), WAITING);
    await seen(linkTo(page, 'Media Maratón de Puerto Ejemplo'));
    await linkTo(page, 'Media Maratón de Puerto Ejemplo').click();
    await seenAtOnce(page.locator('#race-title', { hasText: 'Media Maratón de Puerto Ejemplo' }));
  });
  await task('o2', 'see counts and Provisional in its head', async () => {
    const page = await openRace(2);
    await seenAtOnce(page.locator('.race-head .pill', { hasText: T('worth.provisional') }));
    const counts = await figures(page.locator('.race-head .figures'));
    await seenAtOnce(page.locator('.race-head .figures'));
    await shot('o2-head');
    expect(counts[0]).toMatch(/2[.,\s]?000/);
    return counts.join(', ');
  });
  await task('o3', 'a key for the timing company in two clicks', async () => {
    const page = await open(3, '?view=keys');
    await page.locator('#new-key').click();
    const dialog = page.getByRole('dialog');
    await seen(button(dialog, T('preset')));
    await button(dialog, T('preset')).click();
    expect(await page.locator('#key-race').inputValue()).toBe(race.eventId);
    await seen(page.locator('#expiry-preview'));
    const stops = await page.locator('#expiry-preview').innerText();
    await shot('o3-key');
    await button(dialog, T('create')).click();
    await seen(page.locator('#secret'));
    expect(await page.locator('#secret').inputValue()).toMatch(/^er_live_/);
    return stops;
  });
  await task('o4', 'rotate and revoke a key', async () => {
    const page = await open(4, '?view=keys');
    const key = page.locator('.key').filter({ hasText: 'Timing van' });
    const other = await insertKey(drizzle(served.pool), race.session.organizationId, { name: 'Old tablet' });
    await page.reload();
    const tablet = page.locator('.key').filter({ hasText: 'Old tablet' });
    await tablet.locator('.toggle').click();
    const status = async (secret: string) => (await fetch(`${served.origin}/public/v1/events`, { headers: { 'X-API-Key': secret } })).status;
    expect(await status(other)).toBe(200);
    await button(tablet, T('rotateNamed', { name: 'Old tablet' })).click();
    const dialog = page.getByRole('dialog');
    await seen(dialog.getByText(T('stops.rotate')));
    await button(dialog, T('rotate')).click();
    await seen(page.locator('#secret'));
    const now = await page.locator('#secret').inputValue();
    await button(dialog, T('secretSaved')).click();
    expect([await status(other), await status(now)]).toEqual([401, 200]);
    await button(tablet, T('revokeNamed', { name: 'Old tablet' })).click();
    await button(dialog, T('revoke')).click();
    await seen(tablet.locator('.pill[data-state]', { hasText: T('states.revoked') }));
    expect(await status(now)).toBe(401);
    await key.waitFor();
  });
  await task('o5', 'a CSV: preview, send, see what was stored', async () => {
    const page = await openRace(5, 'uploads');
    await choose(page, 'llegadas 21K.csv', csv(range(1_301, 1_350)));
    await seen(page.locator('#preview-table tbody tr'));
    await shot('o5-preview', true);
    await seen(button(page, T('send', { count: 50 })));
    await button(page, T('send', { count: 50 })).click();
    await seen(page.locator('#sent-title'));
    expect((await figures(page.locator('#sent-figures')))[0]).toBe(`${T('figure.new')} 50`);
    await seen(page.locator('.upload strong', { hasText: 'llegadas 21K.csv' }));
    await shot('o5-sent');
    expect(await storedOf(1_301)).toBeDefined();
  });
  await task('o6', 'a file with one cell "pendiente" among 100 good rows', async () => {
    const page = await openRace(6, 'uploads');
    const lines = csv(range(1_351, 1_450), 'Dorsal;Tiempo;Oficial').split('\n');
    const plain = lines.map((line) => line.split(';').slice(0, 2).join(';'));
    plain.splice(51, 0, '1451;pendiente');
    await choose(page, 'parcial.csv', plain.join('\n'));
    const choice = page.locator('#choices label').filter({ hasText: re('wordLeftOut', { word: '“pendiente”' }) });
    await seen(choice);
    await shot('o6-question', true);
    await choice.click();
    const warnings = page.locator('#warnings li').filter({ hasText: '“pendiente”' });
    await seen(button(page, T('send', { count: 100 })));
    await seen(warnings.first());
    await shot('o6-answered', true);
    const words = await page.locator('#warnings').innerText();
    await button(page, T('send', { count: 100 })).click();
    await seen(page.locator('#sent-title'));
    await shot('o6-sent', true);
    expect(await storedOf(1_451)).toBeUndefined();
    expect(await storedOf(1_450)).toBeDefined();
    return words.replace(/\s+/g, ' ');
  });
  await task('o7', 'a workbook with two sheets', async () => {
    const page = await openRace(7, 'uploads');
    const timed = (bib: number) => numberCell(Math.round(chipOf(bib)) / 86_400, '[h]:mm:ss');
    const sheet = (bibs: number[]) => [['Dorsal', 'Tiempo'], ...bibs.map((bib) => [String(bib), timed(bib)])];
    await choose(page, 'llegadas.xlsx', new Uint8Array(workbookOf({ Mujeres: sheet(range(1_460, 1_470)), Hombres: sheet(range(1_471, 1_490)) })));
    await seen(page.locator('#choices label').filter({ hasText: 'Hombres' }));
    await page.locator('#choices label').filter({ hasText: 'Hombres' }).click();
    await button(page, T('send', { count: 20 })).click();
    await seen(page.locator('#sent-title'));
    await seen(button(page, T('nextSheet')));
    await button(page, T('nextSheet')).click();
    await seen(page.locator('#choices label').filter({ hasText: T('sheetStored') }));
    await page.locator('#choices label').filter({ hasText: 'Mujeres' }).click();
    await button(page, T('send', { count: 11 })).click();
    await seen(page.locator('#sent-title'));
    expect([await storedOf(1_460), await storedOf(1_490)].every(Boolean)).toBe(true);
  });
  await task('o8', 'a file of passings of a point', async () => {
    const page = await openRace(8, 'uploads');
    await page.getByLabel(T('timesOfPoint')).check();
    await page.getByLabel(T('pointName')).fill('Km 18');
    await choose(page, 'km18.csv', `Dorsal;Tiempo\n${range(1_600, 1_640).map((bib) => `${bib};${clock(passedAt(bib, 18)).slice(0, 8)}`).join('\n')}\n`);
    await seen(page.locator('#preview-table tbody tr'));
    await button(page, T('sendPassings', { count: 41 })).click();
    await seen(page.locator('#sent-title'));
    await seen(page.locator('#point-list li').filter({ hasText: 'Km 18' }).getByText(re('passed', { count: 41 })));
    await shot('o8-points');
  });
  await task('o9', 'a file whose meaning is asked (chip or gun), answer', async () => {
    const page = await openRace(9, 'uploads');
    const rows = range(1_500, 1_520).map((bib) => `${bib};${clock(chipOf(bib)).slice(0, 8)};${clock(chipOf(bib) + delayOf(bib) + 3 - ((bib % 2) * 6)).slice(0, 8)}`);
    await choose(page, 'dos tiempos.csv', `Dorsal;Tiempo;Tiempo\n${rows.join('\n')}\n`);
    await seen(page.locator('#choices label').first());
    const asked = await page.locator('#choices label').allInnerTexts();
    await shot('o9-question', true);
    await page.locator('#choices label').first().click();
    await seen(button(page, T('send', { count: 21 })));
    await button(page, T('send', { count: 21 })).click();
    await seen(page.locator('#sent-title'));
    return asked.map((text) => text.replace(/\s+/g, ' ')).join(' / ');
  });
  await task('o11', 'correct a runner by name with a reason', async () => {
    await upload(race, [{ bib_number: '1400', chip_time: clock(chipOf(1400)), gun_time: clock(chipOf(1400) + 1_200) }]);
    const page = await openRace(11);
    const row = await openRunner(page, 'ruiz jose antonio', '1400');
    await row.getByLabel(T('figure.chip_time')).fill('1:40:00');
    await row.getByLabel(T('reason'), { exact: true }).fill('Foto de meta');
    await button(row, T('saveCorrection')).click();
    await said(page, T('corrected', { name: 'José Antonio Ruiz Ejemplo' }));
    await seen(row.locator('.versions li').filter({ hasText: 'Foto de meta' }));
    await shot('o11-corrected', true);
    expect(Number((await storedOf(1_400))?.chip)).toBe(6_000);
  });
  await task('o10', 'take back a batch: the question names bib and runner', async () => {
    const page = await openRace(10, 'uploads');
    const upload = page.locator('.upload').filter({ hasText: '1400' }).first();
    await seen(upload.locator('strong'));
    await upload.locator('[data-action=undo]').click();
    const question = page.locator('#confirm-dialog');
    await seen(question.locator('#confirm-name', { hasText: /1400 José/ }));
    await shot('o10-question');
    await button(question, T('undo')).click();
    await said(page, /1400/);
    expect(Number((await storedOf(1_400))?.chip)).not.toBe(6_000);
  });
  await task('o12', '0:09:00 for a half marathon with gun time 1:48:46', async () => {
    await upload(race, [{ bib_number: '1560', chip_time: '1:45:40', gun_time: '1:48:46' }]);
    const page = await openRace(12);
    const row = await openRunner(page, '1560', '1560');
    await row.getByLabel(T('figure.chip_time')).fill('0:09:00');
    await button(row, T('saveCorrection')).click();
    const question = page.locator('#confirm-dialog');
    await seen(question.getByText(T('unlikelyIntro')));
    const points = await question.locator('li').allInnerTexts();
    await shot('o12-alarm');
    expect(points.length).toBeGreaterThan(0);
    expect(Number((await storedOf(1_560))?.chip)).toBe(6_340);
    await seen(button(question, T('unlikelyAccept')));
    await button(question, T('unlikelyAccept')).click();
    await question.waitFor({ state: 'hidden' });
    await said(page, T('corrected', { name: '~' }).split('~')[1] ?? '');
    expect(Number((await storedOf(1_560))?.chip)).toBe(540);
    await page.locator('nav.parts').getByRole('link', { name: T('uploads') }).click();
    const upload1 = page.locator('.upload').filter({ hasText: '1560' }).first();
    await upload1.locator('[data-action=undo]').click();
    await button(question, T('undo')).click();
    await vi.waitFor(async () => expect(Number((await storedOf(1_560))?.chip)).toBe(6_340), WAITING);
    return points.join(' / ');
  });
  await task('o13', "swap two bibs' results, then take it back", async () => {
    const page = await openRace(13);
    const [before5, before6] = [await storedOf(1_305), await storedOf(1_306)];
    const row = await openRunner(page, '1305', '1305');
    await row.getByText(T('swapWith')).click();
    await row.getByLabel(T('otherBib')).fill('1306');
    await row.getByLabel(T('swapReason')).fill('Dorsales cambiados');
    await button(row, T('swap')).click();
    const question = page.getByRole('dialog');
    await seen(question.locator('li').first());
    const lines = await question.locator('li').allInnerTexts();
    await shot('o13-swap');
    await button(question, T('swap')).click();
    await said(page, T('swapped', { one: '1305', other: '1306' }));
    expect((await storedOf(1_305))?.chip).toBe(before6?.chip);
    await page.locator('nav.parts').getByRole('link', { name: T('uploads') }).click();
    const swap = page.locator('.upload').first();
    await seen(swap.getByText(`${T('batch.swap')} · 1305 ↔ 1306`, { exact: true }));
    await swap.locator('[data-action=undo]').click();
    await button(question, T('undo')).click();
    await vi.waitFor(async () => expect((await storedOf(1_305))?.chip).toBe(before5?.chip), WAITING);
    return lines.join(' / ');
  });
  await task('o14', 'two organizers: an old form says "changed meanwhile by … to …"', async () => {
    const page = await openRace(14);
    const row = await openRunner(page, '1310', '1310');
    await row.getByLabel(T('figure.gun_time')).fill('2:00:00');
    const other = await newPage({ viewport: { width: 1366, height: 768 } });
    other.setDefaultTimeout(9_000);
    opened.push(other);
    await other.goto(served.linkOf(secondSession).replace('#', `?race=${race.eventId}#`));
    await other.locator('#foot').waitFor();
    await other.locator('#runner-search').fill('1310');
    const theirs = other.locator('.runner').filter({ has: other.locator('.bib', { hasText: /^1310$/ }) });
    await theirs.locator('.toggle').click();
    await theirs.locator('.versions li').first().waitFor();
    await theirs.getByLabel('Chip time').fill('1:33:33');
    await button(theirs, 'Save correction').click();
    await other.locator('#toast').filter({ hasText: 'is corrected' }).waitFor();
    await button(row, T('saveCorrection')).click();
    const message = row.locator('.form-message');
    await seen(message.filter({ hasText: '01:33:33' }));
    const words = await message.innerText();
    await shot('o14-meanwhile');
    expect(words).toContain(second);
    expect(await row.getByLabel(T('figure.gun_time')).inputValue()).toBe('2:00:00');
    return words;
  });
  await task('o15', 'an open page shows a change within 5 s', async () => {
    const page = await openRace(15);
    await page.locator('#runner-search').fill('1311');
    const row = page.locator('.runner').filter({ has: page.locator('.bib', { hasText: /^1311$/ }) });
    await row.waitFor();
    await upload(race, [{ bib_number: '1311', chip_time: '1:31:31', gun_time: '1:40:00' }]);
    const began = Date.now();
    await seen(row.locator('.outcome', { hasText: '01:31:31' }), 8_000);
    const ms = Date.now() - began;
    expect(ms).toBeLessThan(6_000);
    return `${ms} ms`;
  });
  await task('o16', 'a session that ends keeps what was typed', async () => {
    const page = await openRace(16);
    const row = await openRunner(page, '1312', '1312');
    await row.getByLabel(T('figure.chip_time')).fill('1:41:41');
    await row.getByLabel(T('reason'), { exact: true }).fill('Papel');
    await page.route('**/results/1312', (route) => route.fulfill({ status: 401, json: {} }));
    await button(row, T('saveCorrection')).click();
    await seen(page.getByRole('alert').filter({ hasText: T('failures.signedOut') }));
    await shot('o16-ended');
    await page.unroute('**/results/1312');
    await page.goto(served.linkOf(race.session));
    await vi.waitFor(async () => expect(await row.getByLabel(T('figure.chip_time')).inputValue()).toBe('1:41:41'), WAITING);
    await seen(row.getByLabel(T('reason'), { exact: true }));
    expect(await row.getByLabel(T('reason'), { exact: true }).inputValue()).toBe('Papel');
    await button(row, T('saveCorrection')).click();
    await vi.waitFor(async () => expect(Number((await storedOf(1_312))?.chip)).toBe(6_101), WAITING);
  });
  await task('o17', '"Without a result N" opens that list', async () => {
    const page = await openRace(17);
    const link = page.locator('.race-head .figures a');
    await seenAtOnce(link);
    const count = (await link.innerText()).replace(/\D/g, '');
    await link.click();
    await seen(page.locator('#runner-count').filter({ hasText: new RegExp(`^${Number(count).toLocaleString('en-GB').replace(',', '[,.]?')}`) }));
    await seen(page.locator('.runner .outcome', { hasText: T('noResult') }));
    await shot('o17-without');
    return count;
  });
  await task('o18', 'filter by state; a cut course can be seen from passings', async () => {
    await pass(race, [{ bib: 1_570, point: 'Km 5', at: 38 * 60 + 23 }, { bib: 1_570, point: 'Km 10', at: 77 * 60 }]);
    await served.pool.query(`delete from passings using registrations where registrations.id = registration_id and passings.event_id = $1 and bib_number = '1571' and point = 'Km 5'`, [race.eventId]);
    await pass(race, [{ bib: 1_571, point: 'Km 10', at: 40 * 60 }, { bib: 1_571, point: 'Km 15', at: 52 * 60 }]);
    await upload(race, [{ bib_number: '1571', chip_time: '1:10:00', gun_time: '1:12:00' }]);
    const page = await openRace(18);
    await page.locator('#runner-search').fill('1570');
    await seen(page.locator('.runner .points', { hasText: 'Km 5 38:23' }));
    await page.locator('#runner-search').fill('1571');
    const cut = page.locator('.runner').filter({ has: page.locator('.bib', { hasText: /^1571$/ }) });
    await seen(cut.locator('.not-seen', { hasText: `Km 5 ${T('notSeen')}` }));
    await shot('o18-cut');
    await page.locator('#runner-search').fill('');
    await page.locator('#runner-state').selectOption('DNS');
    await seen(page.locator('#runner-count').filter({ hasText: T('runnersFound', { count: 5 }) }));
    await seen(page.locator('.runner .outcome', { hasText: T('status.DNS') }));
  });
  await task('o19', 'hide a name, the history says who and when', async () => {
    const page = await openRace(19);
    const row = await openRunner(page, 'velado', '1510');
    await button(row, T('hideName')).click();
    await said(page, T('nameHidden', { name: 'Oculta Velado Ejemplo' }));
    await more(page);
    await page.locator('#race-history > summary').click();
    const entry = page.locator('#race-history-list li').filter({ hasText: '1510' });
    await seen(entry);
    const words = await entry.first().innerText();
    await shot('o19-history');
    expect(words).toContain(T('by', { actor: T('you') }));
    return words;
  });
  await task('o20', "the board's switches on and off, with and without names", async () => {
    const page = await openRace(20, 'board');
    const toggle = (name: string) => page.getByRole('switch', { name, exact: true });
    await seen(page.getByText(T('off.board_enabled')));
    await toggle(T('board_enabled.title')).click();
    await said(page, re('toastOn.board_enabled', { name: 'Media Maratón de Puerto Ejemplo' }));
    expect((await fetch(race.board)).status).toBe(200);
    await toggle(T('board_shows_names.title')).click();
    await seen(page.getByText(T('on.board_shows_names')));
    await toggle(T('board_shows_names.title')).click();
    await seen(page.getByText(T('off.board_shows_names')));
    await toggle(T('board_enabled.title')).click();
    await seen(page.getByText(T('off.board_enabled')));
    await vi.waitFor(async () => expect((await fetch(race.board)).status).toBe(404), WAITING);
    await toggle(T('board_enabled.title')).click();
    await toggle(T('board_shows_names.title')).click();
    await seen(page.getByText(T('on.board_shows_names')));
    await shot('o20-board', true);
  });
  await task('o21', 'change the ranking rule after a question, history', async () => {
    const page = await openRace(21);
    await more(page);
    await page.locator('#ranking-rule').click();
    await page.getByRole('radio', { name: T('rule.gun'), exact: true }).check();
    await page.locator('#ranking-reason').fill('Reglamento');
    await button(page, T('rankChange')).click();
    const question = page.getByRole('dialog');
    await seen(question.locator('#confirm-facts'));
    const facts = await question.innerText();
    await shot('o21-question');
    await button(question, T('rankChange')).click();
    await said(page, T('rankChanged', { rule: T('ranked.gun') }));
    await page.locator('#race-history > summary').click();
    await seen(page.locator('#race-history-list li').filter({ hasText: 'Reglamento' }));
    await shot('o21-history');
    await page.getByRole('radio', { name: T('rule.chip'), exact: true }).check();
    await button(page, T('rankChange')).click();
    await button(question, T('rankChange')).click();
    await said(page, T('rankChanged', { rule: T('ranked.chip') }));
    return facts.replace(/\s+/g, ' ').slice(0, 300);
  });
  await task('o22', 'make official, change one, see "changed since"', async () => {
    const page = await openRace(22);
    await button(page, T('makeOfficial')).click();
    await button(page.getByRole('dialog'), T('makeOfficial')).click();
    await said(page, T('madeOfficial', { version: 1 }));
    await seenAtOnce(page.locator('.race-head .pill', { hasText: T('worth.official', { version: 1 }) }));
    await upload(race, [{ bib_number: '1320', chip_time: '1:32:10', gun_time: '1:40:10' }]);
    await seenAtOnce(page.locator('.race-head .pill', { hasText: T('worth.changed_since', { version: 1 }) }));
    await page.locator('#official-versions > summary').click();
    await seen(page.locator('#official-change-list li', { hasText: '1320' }));
    const told = await page.locator('#official-change-list li').allInnerTexts();
    await shot('o22-changed');
    expect(told[0]).toContain('→ 01:32:10');
    const row = await openRunner(page, '1320', '1320');
    await seen(row.locator('.worth', { hasText: '01:32:10' }));
    return `${told.join(' / ')} | ${await row.locator('.worth').innerText()}`;
  });
  await task('o23', 'download xlsx and CSV in Spanish', async () => {
    const page = await openRace(24);
    await more(page);
    await page.locator('#downloads > summary').click();
    const files = new Map<string, Buffer>();
    for (const format of ['csv', 'xlsx']) {
      const saving = page.waitForEvent('download', { timeout: 20_000 });
      await page.locator(`#download-${format}`).click();
      files.set(format, await buffer(await (await saving).createReadStream()));
    }
    const text = files.get('csv')?.toString() ?? '';
    const lines = text.replace(/^\uFEFF/, '').trim().split(/\r?\n/);
    const order = (rows: string[][], at: number) => [...new Set(rows.map((row) => row[at] ?? ''))];
    const csvRows = lines.map((line) => line.split(';'));
    const [header = [], ...rows] = csvRows;
    expect(header.slice(0, 12)).toEqual(['Puesto', 'Puesto por género', 'Puesto por categoría', 'Dorsal', 'Nombres', 'Apellidos', 'Género', 'Categoría', 'Distancia', 'Estado', 'Tiempo chip', 'Tiempo pistola']);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    let book = '';
    for (const bytes of await openFile(streamOf([new Uint8Array(files.get('xlsx') ?? [])]), {}, {})) book += new TextDecoder().decode(bytes);
    const [bookHeader = [], ...bookRows] = book.trim().split('\n').map((line) => line.split('\t'));
    expect(bookHeader.slice(0, 12)).toEqual(header.slice(0, 12));
    expect(book).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(bookRows.length).toBe(rows.length);
    const said = `splits ${header.slice(12)}; csv ${order(rows, 8)}; xlsx ${order(bookRows, 8)}; row ${rows[0]}; book ${bookRows[0]}`;
    console.log(said);
    expect(order(rows, 8)).toEqual(['5K', '10K', '21K']);
    expect(order(bookRows, 8)).toEqual(['5K', '10K', '21K']);
    return said;
  });
  await task('o24', 'print the sheet for the speaker', async () => {
    const page = await openRace(25);
    await page.locator('#downloads > summary').click();
    await page.evaluate('window.print = () => {}');
    await page.locator('#download-print').click();
    await page.locator('body.speaks').waitFor({ state: 'attached', timeout: 20_000 });
    const sheet = await page.pdf({ path: '/tmp/play/speaker.pdf', format: 'A4' });
    await page.evaluate("document.body.classList.add('speaks')");
    await page.emulateMedia({ media: 'print' });
    const heads = await page.locator('#speaker h1').allInnerTexts();
    const groups = await page.locator('#speaker article').evaluateAll((all) => all.map((one) => [...one.querySelectorAll('h2')].map((h) => h.textContent).join(', ')));
    await page.setViewportSize({ width: 794, height: 1123 });
    await shot('o24-speaker', true);
    const pages = sheet.toString('latin1').match(/\/Type \/Page\b/g)?.length;
    expect(heads).toEqual(['5K', '10K', '21K'].map((d) => `Media Maratón de Puerto Ejemplo · ${d}`));
    expect(pages).toBe(3);
    return groups[0];
  });
  await task('o25', 'the poster: QR code and an address that answers 200', async () => {
    const page = await openRace(25, 'board');
    await seen(page.locator('#code'));
    const drawn = await page.locator('#code').evaluate((image) => [Reflect.get(image, 'complete'), Reflect.get(image, 'naturalWidth')]);
    expect(drawn[1]).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 794, height: 1123 });
    await shot('o25-poster');
    const [address = ''] = (await page.locator('body').innerText()).replace(/\n/g, '').match(/https?:\/\/\S+/) ?? [];
    expect(address).toBe(race.board);
    expect((await fetch(address)).status).toBe(200);
  });
  console.log(report.join('\n'));
}, 600_000);

// ---------- the spectator

test('spectator', async () => {
  const ELAPSED = 75 * 60;
  const race = await newRace(PEOPLE, Date.now() - ELAPSED * 1_000, { board_enabled: true, board_shows_names: true });
  await runRace(race, ELAPSED);
  await served.pool.query(`insert into board_hidden_names select id from registrations where event_id = $1 and bib_number = '1510'`, [race.eventId]);
  let lang = 'en';
  const T = (key: string, values: Record<string, unknown> = {}): string => {
    const found = BOARD[lang]?.[key];
    const one = typeof found === 'object' && found !== null ? Object(found)[values['count'] === 1 ? 'one' : 'other'] : found;
    return String(one).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  };
  async function open(n: number, query = '', { board }: Race = race, extra: BrowserContextOptions & { beside?: string } = {}) {
    lang = n % 2 === 0 ? 'es' : 'en';
    const page = await newPage({
      locale: lang === 'es' ? 'es-ES' : 'en-GB',
      timezoneId: 'Europe/Madrid',
      ...(n % 5 === 0 ? { viewport: { width: 1440, height: 900 } } : { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }),
      ...extra,
    });
    page.setDefaultTimeout(9_000);
    opened.push(page);
    current = page;
    await page.goto(board + query);
    return page;
  }
  const find = async (page: Page, text: string) => {
    await page.locator('#bib').fill(text);
    await page.keyboard.press('Enter');
  };
  const tab = (page: Page, distance: string) => page.locator('#races').getByRole('link', { name: new RegExp(`^${distance}\\b`) });
  const timeIn = (ms: number) => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'Europe/Madrid' }).format(ms);
  const data = async (bib: number) => (await fetch(`${race.board}/bibs/${bib}`)).json() as Promise<{ splits: { name: string; time: string; passed_at: string }[]; start_delay: string | null; chip_time: string | null; place_at_last_point: number | null }>;
  const refresh = (page: Page) => page.evaluate('dispatchEvent(new Event("online"))');
  /** Texts that are cut or out of the page. */
  const cut = (page: Page): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll('header *, #board *')]
      .filter((place) => place.offsetParent && place.textContent.trim() && place.checkVisibility({ contentVisibilityAuto: true }))
      .filter((place) => place.firstElementChild === null || place.firstElementChild.checkVisibility({ contentVisibilityAuto: true }))
      .filter((place) => !place.closest('.unseen, .wall, .tabs, thead, label > span'))
      .filter((place) => {
        const { overflow } = getComputedStyle(place);
        const isCut = place.scrollHeight > place.clientHeight + 2 || place.scrollWidth > place.clientWidth + 1;
        const isOut = place.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
        return isOut || (overflow === 'hidden' && isCut);
      }).map((place) => place.outerHTML.slice(0, 140))`);

  await task('s1', 'before the start: when and how long to go', async () => {
    const before = await newRace(PEOPLE.slice(0, 30), Date.now() + 135 * 60_000 - 20_000, { board_enabled: true });
    const page = await open(1, '', before);
    await seenAtOnce(page.locator('#before-date'));
    await seenAtOnce(page.locator('#before-start', { hasText: T('startsInHours', { hours: 2, minutes: 15 }) }));
    await seenAtOnce(page.locator('#before-start', { hasText: timeIn(before.startsAt) }));
    await shot('s1-before');
    return (await page.locator('#before').innerText()).replace(/\s+/g, ' ');
  });
  await task('s2', 'the three distances', async () => {
    const page = await open(2);
    for (const distance of ['5K', '10K', '21K']) await seenAtOnce(tab(page, distance));
    const tabs = await page.locator('#races .tab').allInnerTexts();
    await shot('s2-tabs');
    return tabs.join(' ').replace(/\s+/g, ' ');
  });
  await task('s3', 'a distance without arrivals says so and shows the course', async () => {
    const page = await open(3, '?distance=21K');
    await seen(page.locator('#course-title'));
    await seenAtOnce(page.locator('.point h3').first());
    await shot('s3-no-arrivals');
    await shot('s3-full', true);
    const text = await page.locator('body').innerText();
    expect(text.includes(T('noArrivals')) || /Nobody has arrived yet|Todavía no ha llegado nadie/.test(text), 'says that nobody has arrived').toBe(true);
  });
  await task('s4', 'who passed a point', async () => {
    const page = await open(4, '?distance=21K');
    const point = page.locator('.point').filter({ has: page.getByRole('heading', { name: 'Km 10' }) });
    await seen(point.locator('header p'));
    await seen(point.locator('.first .name').first());
    await seen(point.locator('.latest .name').first());
    await shot('s4-point');
    return (await point.innerText()).replace(/\s+/g, ' ').slice(0, 250);
  });
  await task('s5', 'find by bib', async () => {
    const page = await open(5);
    await find(page, '77');
    await seenAtOnce(page.locator('.result .bib', { hasText: /^77$/ }));
    await seen(page.locator('.result .final .clock'));
    await shot('s5-card');
  });
  await task('s6', 'find by name on the course', async () => {
    const page = await open(6);
    await find(page, 'nuria r');
    await seenAtOnce(page.locator('.result .bib', { hasText: /^1500$/ }));
    await find(page, 'Nuira');
    await seen(page.locator('#found').getByText('Nuria R.'));
    await shot('s6-nuira');
    await find(page, 'José Antonio Ruiz');
    await page.locator('#found .choices li, #found .result .bib').first().waitFor();
    await page.waitForTimeout(800);
    const found = (await page.locator('#found').innerText()).replace(/\s+/g, ' ');
    await shot('s6-jose');
    expect(found, 'the José Antonio Ruiz is among those').toMatch(/1400/);
    return found.slice(0, 300);
  });
  await task('s7', 'follow three runners', async () => {
    const page = await open(7);
    for (const bib of ['1500', '1610', '1925']) {
      await find(page, bib);
      await page.locator('.result .bib', { hasText: new RegExp(`^${bib}$`) }).waitFor();
      await button(page.locator('.result'), T('follow')).click();
    }
    await find(page, '77');
    await page.locator('.result .bib', { hasText: /^77$/ }).waitFor();
    await vi.waitFor(async () => expect(await page.locator('#others li').count()).toBe(3), WAITING);
    const cards = await page.locator('#others li').allInnerTexts();
    await seen(page.locator('#others li .details').first());
    await shot('s7-followed', true);
    for (const card of cards) expect(card).toMatch(/place \d+[\s\S]*finish about \d\d:\d\d/);
    return cards.map((card) => card.replace(/\s+/g, ' ')).join(' / ');
  });
  await task('s8', 'one clock a runner in waves', async () => {
    const page = await open(8, '?bib=604');
    await page.locator('.result').waitFor();
    const wanted = { finish: chipOf(604), km5: passedAt(604, 5) - delayOf(604) };
    await seen(page.locator('.result .final .clock'));
    const shown = await page.locator('.result').innerText();
    await shot('s8-waves', true);
    const known = await data(604);
    expect(known.chip_time).toBe(clock(wanted.finish));
    const split = known.splits.find(({ name }) => name === 'Km 5')?.time ?? '';
    expect(split.slice(0, 8)).toBe(clock(wanted.km5).slice(0, 8));
    expect(shown).toContain(clock(wanted.km5).slice(3, 8));
    return shown.replace(/\s+/g, ' ');
  });
  await task('s9', 'expected finish is right for a later wave', async () => {
    // A runner of the wave of +20 min with two points, one with the mat at the start, and one with a single point.
    const bibs = { two: range(1_304, 1_890).find((bib) => bib % 5 === 4 && passedAt(bib, 10) < ELAPSED && passedAt(bib, 15) > ELAPSED) ?? 0, mat: range(1_900, 1_950).find((bib) => bib % 5 === 4 && passedAt(bib, 5) < ELAPSED) ?? 0, one: range(1_304, 1_890).find((bib) => bib % 5 === 4 && passedAt(bib, 5) < ELAPSED && passedAt(bib, 10) > ELAPSED) ?? 0 };
    const told: string[] = [];
    const wrong: string[] = [];
    for (const [what, bib] of Object.entries(bibs)) {
      const page = await open(9, `?bib=${bib}`);
      const expected = page.locator('.result .places > div').filter({ hasText: T('expected') }).locator('dd');
      const right = race.startsAt + 1_000 * passedAt(bib, 21.0975);
      const shown = await expected.first().innerText({ timeout: 5_000 }).catch(() => 'none');
      const at = /\d\d:\d\d/.exec(shown)?.[0] ?? '';
      const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
      const off = at ? minutes(at) - minutes(timeIn(right)) : Number.NaN;
      told.push(`${what} ${bib}: ${shown}, right ${timeIn(right)}`);
      if (at && Math.abs(off) > 2) wrong.push(`${what} ${bib}: ${shown}, right ${timeIn(right)}`);
      await shot(`s9-${what}`, true);
    }
    none(wrong);
    return told.join(' / ');
  });
  await task('s10', '"passed N minutes ago" counts from the passing', async () => {
    const bib = range(1_301, 1_600).find((one) => passedAt(one, 10) < ELAPSED - 600 && passedAt(one, 15) > ELAPSED + 300) ?? 0;
    const page = await open(10, `?bib=${bib}`);
    const passed = page.locator('.result .places > div').filter({ hasText: T('passed') }).locator('dd').last();
    await seen(passed);
    const shown = await passed.innerText();
    const right = race.startsAt + 1_000 * passedAt(bib, 10);
    await shot('s10-passed');
    expect(shown).toContain(timeIn(right));
    const ago = Math.floor((Date.now() - right) / 60_000);
    expect([ago - 1, ago, ago + 1].some((n) => new RegExp(`\\b${n}\\b`).test(shown.split('·')[1] ?? '')), `${shown}, right ${ago}`).toBe(true);
    return shown;
  });
  await task('s11', 'new arrivals appear without reload', async () => {
    const page = await open(11, '?distance=10K');
    await page.locator('#arrivals tbody tr').first().waitFor();
    const bib = range(601, 1_300).filter((one) => chipOf(one) + delayOf(one) >= ELAPSED - 300)[0] ?? 0;
    await upload(race, [resultOf(bib)]);
    await seen(page.locator('#arrivals a.bib', { hasText: new RegExp(`^${bib}$`) }), 15_000);
    await shot('s11-new');
  });
  await task('s12', 'reload offline at once and later: last state, marked', async () => {
    const page = await open(12, '?bib=77');
    await page.locator('.result').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.waitForTimeout(1_500);
    await page.context().setOffline(true);
    await page.reload();
    await seenAtOnce(page.locator('#notice', { hasText: T('asOf.offline', { time: '~' }).split('~')[0] ?? '' }));
    await seen(page.locator('.result .final .clock'));
    expect(await page.locator('.result .final .clock').innerText()).toMatch(/\d:\d\d/);
    await shot('s12-offline');
    await page.context().setOffline(false);
    await page.locator('#status[data-state="live"]').waitFor({ timeout: 20_000 });
    await page.waitForTimeout(6_000);
    await page.context().setOffline(true);
    await page.reload();
    await seenAtOnce(page.locator('#notice', { hasText: T('asOf.offline', { time: '~' }).split('~')[0] ?? '' }));
    await page.context().setOffline(false);
  });
  await task('s13', 'a tie on the podium: 1, 1, 3 and nothing cut', async () => {
    const page = await open(13, '?distance=5K');
    await seen(page.locator('#leaders tbody tr').first());
    expect((await page.locator('#leaders tbody .place').allInnerTexts()).slice(0, 3)).toEqual(['1', '1', '3']);
    const over = await newRace(PEOPLE.slice(0, 60), Date.now() - 30 * 3_600_000, { board_enabled: true, board_shows_names: true });
    await upload(over, range(1, 60).map(resultOf));
    for (const n of [13, 15, 14]) {
      const podium = await open(n, '', over);
      await seenAtOnce(podium.locator('#podium li').first());
      expect(await podium.locator('#podium .place').allInnerTexts()).toEqual(['1', '1', '3']);
      expect(await podium.locator('#podium .bib').allInnerTexts()).toEqual(['10', '20', '30']);
      none(await cut(podium));
      await shot(`s13-podium-${n}`);
    }
  });
  await task('s14', 'full list: filter by gender and category, counts right', async () => {
    const page = await open(14, '?distance=5K&list');
    await page.locator('#list-rows tbody tr').first().waitFor();
    await page.locator('#list-gender').selectOption('F');
    const women = PEOPLE.slice(0, 600).filter(({ gender }) => gender === 'F');
    await seen(page.locator('#list-state').getByText(T('results', { count: women.length }), { exact: true }));
    await page.locator('#list-category').selectOption('Senior');
    const senior = women.filter(({ category }) => category === 'Senior');
    await seen(page.locator('#list-state').getByText(T('results', { count: senior.length }), { exact: true }));
    await shot('s14-list');
    return `${women.length} ${senior.length}`;
  });
  await task('s15', '"go to place 200" scrolls and marks the row', async () => {
    const page = await open(15, '?distance=5K&list');
    await page.locator('#list-rows tbody tr').first().waitFor();
    await page.locator('#list-place').fill('200');
    await page.keyboard.press('Enter');
    const row = page.locator('#list-rows tr.sought');
    await row.filter({ hasText: '200' }).waitFor();
    await page.waitForTimeout(500);
    const box = await row.boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 900).toBe(true);
    await seen(row.locator('.name'));
    await shot('s15-place');
  });
  await task('s16', '"in the full list" from a card scrolls and marks', async () => {
    const page = await open(16, '?bib=250');
    await linkTo(page, T('inList')).click();
    const row = page.locator('#list-rows tr.sought');
    await row.filter({ hasText: '250' }).waitFor();
    await page.waitForTimeout(500);
    const box = await row.boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 740, JSON.stringify(box)).toBe(true);
    await seen(row.locator('.name'));
    await shot('s16-in-list');
  });
  await task('s17', 'open a runner by address, share/copy the address', async () => {
    const page = await open(17, '?bib=250');
    await page.locator('.result').waitFor();
    await page.evaluate('delete Navigator.prototype.share');
    await seen(button(page, T('share')));
    await button(page, T('share')).click();
    await seen(button(page, T('copied')));
    expect(await copiedIn(page)).toBe(`${race.board}?bib=250`);
    const again = await open(17, new URL(await copiedIn(page)).search);
    await seenAtOnce(again.locator('.result .bib', { hasText: /^250$/ }));
  });
  await task('s18', 'Spanish page: no English word', async () => {
    const words = new Set<string>();
    for (const query of ['', '?distance=21K', '?bib=1500,1610', '?bib=604', '?bib=596', '?list&distance=10K', '?find=nuira', '?bib=99999', '?screen', '?find=zzzz']) {
      const page = await open(18, query);
      await page.locator('#board').waitFor();
      await page.waitForTimeout(900);
      const all = await page.evaluate(`[document.title, document.body.innerText, ...[...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')]
        .filter((one) => !one.closest('[lang]:not(html)')).flatMap((one) => ['aria-label', 'title', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''))].join('\\n')`);
      for (const [word] of String(all).matchAll(/\b(the|of|and|results?|arrivals?|finish(ed|ers?)?|places?|runners?|overall|women|men|show|list|pages?|next|previous|back|start|search|find|share|follow(ing)?|live|gender|category|course|about|ago|minutes?|hours?|last|first|latest|time|by|gap|splits?|since|gun|expected|passed|nobody|type|bib|print|close|provisional results|faster|than|did|not|update[ds]?|connection)\b/gi)) words.add(`${query}: ${word}`);
    }
    none([...words]);
  });
  await task('s19', 'dark mode contrast', async () => {
    for (const [n, query] of [[19, ''], [20, '?bib=1500,604'], [19, '?distance=21K'], [20, '?list&distance=5K'], [19, '?find=ana']] as const) {
      const page = await open(n, query, race, { colorScheme: 'dark' });
      await page.locator('#board').waitFor();
      await page.waitForTimeout(900);
      expect(await violationsOf(page), query).toEqual([]);
      if (query.startsWith('?bib')) await shot('s19-dark', true);
    }
  });
  await task('s20', 'official on the board and at the runner, then changed since', async () => {
    await asManager(race, '/results/official', 'POST', {});
    const page = await open(20, '?bib=604');
    await seenAtOnce(page.locator('#worth', { hasText: T('worth.official', { version: 1 }) }).first());
    await seen(page.locator('.result .history', { hasText: T('worth.official', { version: 1 }) }));
    await upload(race, [{ bib_number: '604', chip_time: '00:39:59', gun_time: '00:59:59' }]);
    await refresh(page);
    await seen(page.locator('#worth', { hasText: T('worth.changed_since', { version: 1 }) }), 15_000);
    await seen(page.locator('.result .history', { hasText: /→ 39:59/ }), 15_000);
    await page.locator('#worth').click();
    await page.locator('#official-changes summary').click();
    await seen(page.locator('#official-list li', { hasText: '604' }));
    await shot('s20-changed');
    return (await page.locator('.result .history').innerText()).replace(/\s+/g, ' ');
  });
  await task('s21', 'the wall with arrivals uses its width, nothing cut', async () => {
    const page = await open(21, '?screen', race, { viewport: { width: 1920, height: 1080 }, isMobile: false, hasTouch: false });
    await page.locator('#wall-lines li').first().waitFor();
    await page.waitForTimeout(700);
    const wrong = await page.evaluate(`[...document.querySelectorAll('#wall-lines li, #wall-lines li > *, .bar > *, #wall-title')].filter((one) => one.checkVisibility() && one.textContent).flatMap((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const cut = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline';
      return left < 0 || right > innerWidth + 1 || top < 0 || bottom > innerHeight + 1 || cut ? [one.className + ' ' + one.textContent] : [];
    })`);
    const used = await page.evaluate(`(() => { const row = document.querySelector('#wall-lines li').getBoundingClientRect(); return row.width / innerWidth; })()`);
    await shot('s21-wall');
    none(wrong);
    expect(Number(used)).toBeGreaterThan(0.9);
  });
  await task('s22', 'the wall before the first arrival with ?distance=', async () => {
    const page = await open(22, '?screen&distance=21K', race, { viewport: { width: 1920, height: 1080 }, isMobile: false, hasTouch: false });
    await seenAtOnce(page.locator('#wall-lines li').first());
    const title = await page.locator('#wall-title').innerText();
    await shot('s22-wall-course');
    expect(title).toContain('21K');
    return title;
  });
  await task('s23', 'a hidden name: bib alone is shown, search finds nothing', async () => {
    const page = await open(23);
    await find(page, 'Oculta');
    await seen(page.locator('#found').getByText(T('unknownName', { name: 'Oculta' })));
    await shot('s23-hidden-search');
    await find(page, '1510');
    await seenAtOnce(page.locator('.result .bib', { hasText: /^1510$/ }));
    await page.locator('.result h2', { hasText: '21K' }).waitFor();
    await page.waitForTimeout(500);
    const card = await page.locator('.result').innerText();
    expect(card).not.toMatch(/Oculta|Velado/);
    await shot('s23-hidden-card');
    return card.replace(/\s+/g, ' ').slice(0, 200);
  });
  await task('s24', 'text of 200 %: nothing cut on board and card', async () => {
    const wrong: string[] = [];
    for (const [n, query] of [[24, ''], [23, '?bib=604'], [24, '?bib=1500,1610,1925'], [23, '?distance=21K'], [24, '?list&distance=5K']] as const) {
      const page = await open(n, query);
      await page.locator('#board').waitFor();
      await page.waitForTimeout(600);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      await page.waitForTimeout(300);
      await shot(`s24-${n}${query.replace(/\W/g, '_').slice(0, 12)}`);
      wrong.push(...(await cut(page)).map((html) => `${query}: ${html}`));
    }
    none(wrong);
  });
  await task('s25', "a frame on another site's page, and a chat's preview", async () => {
    const site = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Club</title><iframe src="${race.board}" title="Board" width="100%" height="800" ></iframe>`);
    });
    const origin = `http://${LOOPBACK}:${await listen(site)}`;
    try {
      const page = await newPage({ beside: origin, viewport: { width: 1440, height: 900 } });
      current = page;
      await page.goto(origin);
      const frame = page.frameLocator('iframe');
      await frame.locator('#arrivals tbody tr').first().waitFor({ timeout: 15_000 });
      await frame.locator('#bib').fill('77');
      await frame.locator('#bib').press('Enter');
      await frame.locator('.result .bib').getByText('77', { exact: true }).waitFor({ timeout: 15_000 });
      await shot('s25-frame');
    } finally {
      site.close();
    }
    const html = await (await fetch(`${race.board}?bib=604&lang=es`)).text();
    const tags = [...html.matchAll(/<meta property="og:(\w+)" content="([^"]*)"/g)].map(([, name, value]) => `${name}=${value}`);
    expect(tags.join('\n')).toMatch(/title=.*604/);
    return tags.join(' ; ');
  });
  console.log(report.join('\n'));
}, 600_000);
