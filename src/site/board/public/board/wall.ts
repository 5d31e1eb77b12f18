import type {
  BoardRace,
  BoardRunner,
  BoardSnapshot,
} from '../../../../worker/board/answer-schemas.ts';
import { copyOf, keyed, part, write } from '../shared/dom.js';
import { formatNumber } from '../shared/texts.js';
import { formatDate, formatGroup, text } from './formats.ts';
import { serverNow } from './poll.ts';
import { isWall } from './preferences.ts';
import { isDay, isOver, raceState } from './race-state.ts';
import { fillTime, timeText } from './runner.ts';

/** A large screen shows its lists in turn, because nobody scrolls it. */
const TURN_MS = 10_000;
const SECOND_MS = 1_000;
/** Rows of a screen: as large as people read from the far side of a square. */
const ROWS = 8;
const ROWS_UPRIGHT = 14;
/** Runners of each group. */
const PODIUM = 3;

/** A line of the wall: the heading of a group, or a runner. */
type Line = { heading: string } | { runner: BoardRunner; distance: string };
type Screen = { title: string; lines: Line[]; isArrivals: boolean };

const lines = part(document, '#wall-lines');

/** Counts the screens. Every second screen shows the arrivals. */
let turn = 0;
let known: BoardSnapshot | undefined;
let only: string | undefined;
let fresh: ReadonlySet<string | null> = new Set();

const upright = matchMedia('(orientation: portrait)');

export function wireWall(): void {
  setInterval(() => {
    turn += 1;
    render();
  }, TURN_MS);
  setInterval(renderClock, SECOND_MS);
  upright.addEventListener('change', render);
}

/**
 * @param distance the race that the address asks for; without one, all in turn
 * @param arrived the bibs that stand out
 */
export function showWall(
  snapshot: BoardSnapshot,
  distance: string | undefined,
  arrived: ReadonlySet<string | null>,
): void {
  known = snapshot;
  only = distance;
  fresh = arrived;
  render();
}

/** The time since the start, until the race is over. A day without a time has no start. */
function renderClock(): void {
  const place = part(document, '#clock');
  const passed = known ? serverNow() - Date.parse(known.event.event_date) : 0;
  const hasClock =
    known &&
    passed > 0 &&
    !isDay(known.event.event_date) &&
    !isOver(raceState(known, serverNow()).state);
  place.hidden = !hasClock || !isWall();
  if (place.hidden) return;
  const seconds = Math.floor(passed / SECOND_MS);
  const [minute, second] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const clock = `${Math.floor(seconds / 3_600)}:${minute}:${second}`;
  write(document, { '#clock': text('sinceStart', { clock }) });
}

function render(): void {
  renderClock();
  if (!known || !isWall()) return;
  const rows = upright.matches ? ROWS_UPRIGHT : ROWS;
  const races = known.races.filter(({ distance }) => only === undefined || distance === only);
  const lists = races.flatMap((race) => listsOf(race, rows));
  const list = lists[((turn - 1) / 2) % Math.max(lists.length, 1)];
  const screen = turn % 2 === 1 && list ? list : arrivalsOf(races);
  const none = text('resultsAppear', { date: formatDate(known.event.event_date) });
  write(document, {
    '#wall-title': screen.title,
    '#wall-none': screen.lines.length === 0 ? none : '',
  });
  lines.style.setProperty('--rows', String(rows));
  keyed(
    lines,
    screen.lines.slice(0, rows),
    (line, index) => `${index} ${templateOf(line)}`,
    (line) => copyOf(templateOf(line)),
    (place, line) => fillLine(place, line, screen.isArrivals),
  );
}

const templateOf = (line: Line) => ('heading' in line ? 'wall-heading' : 'wall-runner');

const linesOf = (distance: string, runners: readonly BoardRunner[]): Line[] =>
  runners.map((runner) => ({ runner, distance }));

function arrivalsOf(races: readonly BoardRace[]): Screen {
  const latest = races
    .flatMap(({ distance, arrivals }) => arrivals.map((runner) => ({ runner, distance })))
    .sort((one, other) => other.runner.arrived_at.localeCompare(one.runner.arrived_at));
  const [race] = races;
  const distance = races.length === 1 && race ? race.distance : '';
  return { title: titled(distance, 'arrivals'), lines: latest, isArrivals: true };
}

function listsOf({ distance, leaders, genders, categories }: BoardRace, rows: number): Screen[] {
  if (leaders.length === 0) return [];
  const screenOf = (name: 'leaders' | 'genders' | 'categories', shown: Line[]): Screen => ({
    title: titled(distance, name),
    lines: shown,
    isArrivals: false,
  });
  const perScreen = Math.floor(rows / (PODIUM + 1));
  const screens = [screenOf('leaders', linesOf(distance, leaders))];
  for (const [name, groups] of [
    ['genders', genders],
    ['categories', categories],
  ] as const) {
    for (let from = 0; from < groups.length; from += perScreen) {
      const shown = groups
        .slice(from, from + perScreen)
        .flatMap((group) => [
          { heading: formatGroup(group) },
          ...linesOf(distance, group.leaders.slice(0, PODIUM)),
        ]);
      screens.push(screenOf(name, shown));
    }
  }
  return screens;
}

const titled = (distance: string, list: Parameters<typeof text>[0]) =>
  [distance, text(list)].filter(Boolean).join(' · ');

/** @param place a copy of the template `wall-heading` or `wall-runner` */
function fillLine(place: HTMLElement, line: Line, isArrivals: boolean): void {
  if ('heading' in line) {
    write(place, { bdi: line.heading });
    return;
  }
  const { runner, distance } = line;
  write(place, {
    '.place': formatNumber(runner.place),
    '.wall-bib': runner.bib_number ?? '–',
    '.wall-name': runner.name ?? formatGroup(runner),
    '.wall-race': isArrivals ? distance : '',
  });
  fillTime(part(place, '.time'), timeText(runner.time));
  place.classList.toggle('new', isArrivals && fresh.has(runner.bib_number));
}
