import { byId, copyOf, keyed, part, setText } from '../shared/dom.js';
import { formatNumber } from '../shared/texts.js';
import { formatDate, formatGroup, text } from './formats.js';
import { serverNow } from './poll.js';
import { isDay, isOver, raceState } from './race-state.js';
import { fillTime, timeText } from './runner.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardSnapshot} Snapshot */
/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardRunner} Runner */
/** @typedef {Snapshot['races'][number]} Race */

/** A large screen shows its lists in turn, because nobody scrolls it. */
const TURN_MS = 10_000;
const SECOND_MS = 1_000;
/** Rows of a screen: as large as people read from the far side of a square. */
const ROWS = 8;
const ROWS_UPRIGHT = 14;
/** Runners of each group. */
const PODIUM = 3;

/**
 * A line of the wall: the heading of a group, or a runner.
 * @typedef {{ heading: string } | { runner: Runner, distance: string }} Line
 * @typedef {{ title: string, lines: Line[], isArrivals: boolean }} Screen
 */

const title = byId('wall-title', HTMLElement);
const lines = byId('wall-lines', HTMLElement);

/** Counts the screens. Every second screen shows the arrivals. */
let turn = 0;
/** @type {Snapshot | undefined} */
let known;
/** @type {string | undefined} */
let only;
/** @type {ReadonlySet<string | null>} */
let fresh = new Set();

const upright = matchMedia('(orientation: portrait)');

export function wireWall() {
  setInterval(() => {
    turn += 1;
    render();
  }, TURN_MS);
  setInterval(renderClock, SECOND_MS);
  upright.addEventListener('change', render);
}

/**
 * @param {Snapshot} snapshot
 * @param {string | undefined} distance the race that the address asks for; without one, all in turn
 * @param {ReadonlySet<string | null>} arrived the bibs that stand out
 */
export function showWall(snapshot, distance, arrived) {
  known = snapshot;
  only = distance;
  fresh = arrived;
  render();
}

/** The time since the start, until the race is over. A day without a time has no start. */
function renderClock() {
  const place = byId('clock', HTMLElement);
  const passed = known ? serverNow() - Date.parse(known.event.event_date) : 0;
  const hasClock =
    known &&
    passed > 0 &&
    !isDay(known.event.event_date) &&
    !isOver(raceState(known, serverNow()).state);
  place.hidden = !hasClock || !document.documentElement.classList.contains('screen');
  if (place.hidden) return;
  const seconds = Math.floor(passed / SECOND_MS);
  const [minutes, second] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  setText(
    place,
    text('sinceStart', { clock: `${Math.floor(seconds / 3_600)}:${minutes}:${second}` }),
  );
}

function render() {
  renderClock();
  if (!known || !document.documentElement.classList.contains('screen')) return;
  const rows = upright.matches ? ROWS_UPRIGHT : ROWS;
  const races = known.races.filter(({ distance }) => only === undefined || distance === only);
  const arrivals = arrivalsOf(races, rows);
  const lists = races.flatMap((race) => listsOf(race, rows));
  const list = lists[((turn - 1) / 2) % Math.max(lists.length, 1)];
  const screen = turn % 2 === 1 && list ? list : arrivals;
  setText(title, screen.title);
  lines.style.setProperty('--rows', String(rows));
  lines.classList.toggle('many-races', races.length > 1 && screen.isArrivals);
  setText(
    byId('wall-none', HTMLElement),
    screen.lines.length === 0
      ? text('resultsAppear', { date: formatDate(known.event.event_date) })
      : '',
  );
  keyed(
    lines,
    screen.lines.slice(0, rows),
    (line, index) => `${index} ${'heading' in line ? 'heading' : 'runner'}`,
    (line) => copyOf('heading' in line ? 'wall-heading' : 'wall-runner'),
    (place, line) => fillLine(place, line, screen.isArrivals),
  );
}

/** @param {readonly Race[]} races @param {number} rows @returns {Screen} */
function arrivalsOf(races, rows) {
  const all = races.flatMap(({ distance, arrivals }) =>
    arrivals.map((runner) => ({ runner, distance })),
  );
  const latest = all.sort((one, other) =>
    other.runner.arrived_at.localeCompare(one.runner.arrived_at),
  );
  const [race] = races;
  const named =
    races.length === 1 && race ? titled(race.distance, text('arrivals')) : text('arrivals');
  return { title: named, lines: latest.slice(0, rows), isArrivals: true };
}

/** @param {Race} race @param {number} rows @returns {Screen[]} */
function listsOf({ distance, leaders, genders, categories }, rows) {
  if (leaders.length === 0) return [];
  const overall = leaders.slice(0, rows).map((runner) => ({ runner, distance }));
  /** @type {Screen[]} */
  const screens = [{ title: titled(distance, text('leaders')), lines: overall, isArrivals: false }];
  const perScreen = Math.floor(rows / (PODIUM + 1));
  for (const [name, groups] of /** @type {const} */ ([
    [text('genders'), genders],
    [text('categories'), categories],
  ])) {
    for (let from = 0; from < groups.length; from += perScreen) {
      const shown = groups
        .slice(from, from + perScreen)
        .flatMap((group) => [
          { heading: formatGroup(group) },
          ...group.leaders.slice(0, PODIUM).map((runner) => ({ runner, distance })),
        ]);
      screens.push({ title: titled(distance, name), lines: shown, isArrivals: false });
    }
  }
  return screens;
}

/** @param {string} distance @param {string} list */
const titled = (distance, list) => (distance === '' ? list : `${distance} · ${list}`);

/**
 * @param {HTMLElement} place a copy of the template `wall-heading` or `wall-runner`
 * @param {Line} line
 * @param {boolean} isArrivals
 */
function fillLine(place, line, isArrivals) {
  if ('heading' in line) {
    setText(part(place, 'bdi'), line.heading);
    return;
  }
  const { runner, distance } = line;
  setText(part(place, '.place'), formatNumber(runner.place));
  setText(part(place, '.wall-bib'), runner.bib_number ?? '–');
  setText(part(place, '.wall-name'), runner.name ?? formatGroup(runner));
  setText(part(place, '.wall-race'), isArrivals ? distance : '');
  fillTime(part(place, '.time'), timeText(runner.time));
  place.classList.toggle('new', isArrivals && fresh.has(runner.bib_number));
}
