import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from '../runtime/chromium.ts';
import { type DevServer, startDevServer } from '../runtime/dev-server.ts';
import { ORGANIZER_TASKS } from './organizer.ts';
import { SPECTATOR_TASKS } from './spectators.ts';
import { handOf, type Task } from './task.ts';
import { makeWorld } from './world.ts';

/** Plays the tasks of people from the screen alone, and takes a picture of the end of each task. */

/** The tasks that must succeed. */
const GOALS = { organizer: 34, spectator: 26 } as const;
const AT_ONCE = 2;
const PATIENCE_MS = 30_000;
const FOLDER = join(import.meta.dirname, '../../../.local/tasks');

const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1_280, height: 800 } },
} as const;

const TASKS = [...ORGANIZER_TASKS, ...SPECTATOR_TASKS].map((task, at) => ({
  ...task,
  number: String(at + 1).padStart(2, '0'),
}));
type Numbered = (typeof TASKS)[number];

const say = (line: string) => process.stdout.write(`${line}\n`);

const pictureOf = ({ number, name, language, device }: Numbered) =>
  `${number} ${name} (${language}, ${device}).png`;

/** @returns whether the person succeeded */
async function play(browser: Browser, served: DevServer, task: Numbered): Promise<boolean> {
  const world = await makeWorld(served, task.phase);
  const context = await browser.newContext({
    ...DEVICES[task.device],
    locale: task.language === 'es' ? 'es-PE' : 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  // Nobody prints.
  await page.addInitScript('window.print = () => {};');
  const title = `${task.number} ${task.who}, ${task.phase}, ${task.language}, ${task.device}: ${task.name}`;
  try {
    await page.goto(task.from === 'panel' ? world.panel : world.board);
    await task.play(handOf(page, world));
    say(`done  ${title}`);
    return true;
  } catch (error) {
    say(`NOT   ${title}\n      ${String(error).split('\n').slice(0, 4).join('\n      ')}`);
    return false;
  } finally {
    await lastPageOf(context.pages()).screenshot({ path: join(FOLDER, pictureOf(task)) });
    await context.close();
  }
}

function lastPageOf<Page>(pages: readonly Page[]): Page {
  const last = pages.at(-1);
  if (!last) throw new Error('The person closed all pages.');
  return last;
}

/** Plays tasks, some at once. @returns the tasks that succeeded */
async function playAll(browser: Browser, served: DevServer, tasks: readonly Numbered[]) {
  const waiting = [...tasks];
  const done: Task[] = [];
  const playNext = async (): Promise<void> => {
    const task = waiting.shift();
    if (!task) return;
    if (await play(browser, served, task)) done.push(task);
    await playNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playNext));
  return done;
}

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = TASKS.filter(({ number, name }) =>
  values.only === undefined ? true : number === values.only || name.includes(values.only),
);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const [served, browser] = await Promise.all([startDevServer(), chromium.launch(CHROMIUM)]);
const done = await playAll(browser, served, chosen).finally(async () => {
  await browser.close();
  await served.stop();
});
for (const who of ['organizer', 'spectator'] as const) {
  const [of, succeeded] = [chosen, done].map((tasks) => tasks.filter((task) => task.who === who));
  say(`${who}: ${succeeded?.length} of ${of?.length} tasks, the goal is ${GOALS[who]}`);
  const isMissed = values.only === undefined && (succeeded?.length ?? 0) < GOALS[who];
  if (isMissed) process.exitCode = 1;
}
say(`pictures: ${FOLDER}`);
