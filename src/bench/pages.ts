import { createServer } from 'node:http';
import { drizzle } from 'drizzle-orm/node-postgres';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { LOOPBACK, listen } from '../dev/stack/listen.ts';
import { insertEvent } from '../dev/stack/seed.ts';
import { CHROMIUM } from '../testing/runtime/chromium.ts';
import { type DevServer, startDevServer } from '../testing/runtime/dev-server.ts';
import { FORM_TYPE, form, lines, raceHeader, raceLine } from './files.ts';
import { formatMs, markdownTable, median, type Report, ratioLine } from './measure.ts';

/** Slow 3G: 400 ms for a round trip, 400 kbit/s. */
const SLOW_3G = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const TURNS = { warmUps: 1, samples: 3 };
/** A phone has a fourth of the speed of this machine's processor. */
const SLOWER = 4;
/** The maximal time until a page's largest text, as a multiple of the time for a paragraph: 1.8 s. */
const GOAL = 3.8;
/** The maximal time in which a page answers no touch: the part of each task over 50 ms, after the first paint. */
const BLOCKED_MOST_MS = 300;
/** The largest layout shift of any visit. A shift in most visits of a page is no accident of a busy machine. */
const SHIFT_MOST = 0.02;
const RUNNERS = 200;
const RACES = 8;

const FLOOR = 'floor: one paragraph without script and style sheet';
const PARAGRAPH =
  'Open a race to correct results, send a file or switch its live board. Races and their names come from your registration system.';

type Visit = { name: string; url: string; until: string };

/** The browser's measures of a visit: times in ms, and bytes as sent over the network. */
const Seen = z.object({
  largestPaintMs: z.number(),
  blockedMs: z.number(),
  shift: z.number(),
  kib: z.number(),
});
type Seen = z.infer<typeof Seen>;

/** Starts before the page. The largest paint is the last entry. */
const OBSERVE = `
  window.seen = { largestPaintMs: 0, blockedMs: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.seen.largestPaintMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.seen.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    for (const { startTime, duration } of list.getEntries()) {
      const from = Math.max(startTime, paint?.startTime ?? Infinity);
      window.seen.blockedMs += Math.max(0, startTime + duration - from - 50);
    }
  }).observe({ type: 'longtask', buffered: true });`;

/** Measures when the largest text of each page stands on a phone with a slow line and an empty cache. */
export async function benchPages(): Promise<Report> {
  const served = await startDevServer();
  const floor = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Floor</title><p>${PARAGRAPH}`);
  });
  const browser = await chromium.launch(CHROMIUM);
  try {
    const floorUrl = `http://${LOOPBACK}:${await listen(floor)}`;
    await fill(served);
    const visits = [{ name: FLOOR, url: floorUrl, until: 'p' }, ...visitsOf(served)];
    const seen = new Map<Visit, Seen[]>(visits.map((visit) => [visit, []]));
    for (let round = 0; round < TURNS.warmUps + TURNS.samples; round++) {
      for (const [visit, all] of seen) {
        const one = await look(browser, visit);
        if (round >= TURNS.warmUps) all.push(one);
      }
    }
    return reportOf(seen);
  } finally {
    await browser.close();
    floor.close();
    await served.stop();
  }
}

/** Gives the demo's organization further races, and its race results. */
async function fill({ origin, demo, pool }: DevServer): Promise<void> {
  for (let race = 0; race < RACES; race++) {
    await insertEvent(drizzle(pool), demo.organizationId, { name: `Harbour Race ${race}` });
  }
  const answer = await fetch(`${origin}/public/v1/events/${demo.eventId}/results/file`, {
    method: 'POST',
    headers: { 'X-API-Key': demo.apiKey, 'Content-Type': FORM_TYPE },
    body: form(lines(raceHeader(), RUNNERS, (bib) => raceLine(bib))),
  });
  if (!answer.ok) throw new Error(`The results were refused: ${await answer.text()}`);
}

function visitsOf({ origin, demo, linkOf }: DevServer): Visit[] {
  const panel = linkOf(demo);
  const race = `?race=${demo.eventId}`;
  return [
    { name: 'panel, list of races', url: panel, until: '.event' },
    { name: 'panel, a race', url: panel.replace('#', `${race}#`), until: '.runner' },
    {
      name: 'panel, uploads of a race',
      url: panel.replace('#', `${race}&part=uploads#`),
      until: '.upload',
    },
    { name: 'panel, keys', url: panel.replace('#', '?view=keys#'), until: '.key' },
    { name: 'board', url: `${origin}/board/${demo.eventId}`, until: '.arrivals tr' },
    { name: 'board, a runner', url: `${origin}/board/${demo.eventId}?bib=7`, until: '.result' },
    { name: 'a guide', url: `${origin}/docs/quickstart`, until: 'h1' },
  ];
}

async function look(browser: Browser, { url, until }: Visit): Promise<Seen> {
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    let bytes = 0;
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await client.send('Network.enable');
    await client.send('Network.emulateNetworkConditions', SLOW_3G);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript(OBSERVE);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator(until).first().waitFor();
    return Seen.parse({ ...(await seenBy(page)), kib: bytes / 1_024 });
  } finally {
    await context.close();
  }
}

const seenBy = (page: Page): Promise<object> => page.evaluate('window.seen');

function reportOf(seen: ReadonlyMap<Visit, readonly Seen[]>): Report {
  const all = [...seen].map(([visit, samples]) => ({
    visit,
    ms: median(samples.map((one) => one.largestPaintMs)),
    blockedMs: median(samples.map((one) => one.blockedMs)),
    shift: Math.max(...samples.map((one) => one.shift)),
    usualShift: median(samples.map((one) => one.shift)),
    kib: median(samples.map((one) => one.kib)),
  }));
  const floorMs = all.find(({ visit }) => visit.name === FLOOR)?.ms ?? Number.NaN;
  const shift = Math.max(...all.map((one) => one.shift));
  return {
    lines: [
      ...all
        .filter(({ visit }) => visit.name !== FLOOR)
        .flatMap(({ visit: { name }, ms, blockedMs }) => [
          ratioLine(name, { ms, floorMs, most: GOAL }),
          {
            operation: `${name}: blocked`,
            measured: formatMs(blockedMs),
            goal: `≤ ${BLOCKED_MOST_MS} ms`,
            met: blockedMs <= BLOCKED_MOST_MS,
          },
        ]),
      {
        operation: 'the largest layout shift of a page',
        measured: shift.toFixed(3),
        goal: `≤ ${SHIFT_MOST}`,
        met: shift <= SHIFT_MOST,
        isBroken: all.some(({ usualShift }) => usualShift > SHIFT_MOST),
      },
    ],
    notes: [
      markdownTable(
        ['page', 'KiB', 'layout shift'],
        all.map(({ visit, kib, shift }) => [visit.name, kib.toFixed(1), shift.toFixed(3)]),
      ),
      `Largest Contentful Paint with an empty cache, at ${SLOW_3G.latency} ms for a round trip, ` +
        `${(SLOW_3G.downloadThroughput * 8) / 1_000} kbit/s and 1/${SLOWER} of the processor. ` +
        `Medians of ${TURNS.samples} visits in turns. ` +
        'The bytes include what the panel loads after its page stands.',
    ],
  };
}
