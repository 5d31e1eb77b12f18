import { byId, element, keyed, setText } from '../shared/dom.js';
import { formatNumber } from '../shared/texts.js';
import { onAddress, parameter, setLink } from './address.js';
import { formatClock, formatDate, formatMinute, formatMoment, setZone, text } from './formats.js';
import { fillGroups, fillPodium } from './leaders.js';
import { isList, leaveList, NO_LIST, showList, wireList } from './list.js';
import { poll, serverNow } from './poll.js';
import { isWall, wirePreferences } from './preferences.js';
import { isDay, isOver, raceState } from './race-state.js';
import { fillPairs, fillTable, timeText } from './runner.js';
import { isSearching, openRunner, wireSearch } from './search.js';
import { showWall, wireWall } from './wall.js';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardSnapshot} Snapshot */
/** @typedef {Snapshot['races'][number]} Race */

const STATUSES = /** @type {const} */ (['FINISHED', 'DNF', 'DNS', 'DSQ']);
/** Screen readers announce arrivals, but at most once per interval. */
const HEARD_EVERY_MS = 15_000;
const NEW_MS = 6_000;
const INTERVAL_MS = 5_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const address = location.pathname.replace(/\/+$/, '');
const heard = byId('heard', HTMLElement);
const arrivals = byId('arrivals', HTMLTableElement);
const leaders = byId('leaders', HTMLTableElement);
const standings = byId('standings', HTMLElement);
const fresh = byId('fresh', HTMLButtonElement);

/** The last answer of the server. @type {Snapshot | undefined} */
let latest;
/** The answer that the page shows. @type {Snapshot | undefined} */
let shown;
/** The races in the order of their tabs, which does not change while the page is open. @type {string[]} */
let order = [];
/** The distance of the race on the page. */
let current = /** @type {string | undefined} */ (undefined);
/** The distance of the race for an address that names none. */
let home = /** @type {string | undefined} */ (undefined);
/** @type {import('./poll.js').Polled<Snapshot>} */
let connection = { state: 'connecting', body: undefined, asOf: undefined };
/** The bibs that stand out. @type {Set<string | null>} */
let newBibs = new Set();
/** @type {Race['arrivals']} */
let unheard = [];
let heardAt = 0;

/**
 * The data that the server wrote into the page.
 * @type {{ at: number, version: string, snapshot: Snapshot, runner: import('./search.js').Result | null } | undefined}
 */
const first = JSON.parse(document.getElementById('first')?.textContent || 'null') ?? undefined;

wirePreferences();
wireList();
wireWall();
const search = wireSearch(
  address,
  first?.runner ? { body: first.runner, at: first.at } : undefined,
  render,
);
onAddress(() => {
  shown = latest;
  render();
});
fresh.addEventListener('click', () => {
  showLatest();
  render();
  if (isList()) showList(address, current ?? '', true);
  scrollTo({ top: 0 });
  byId(titleId(), HTMLElement).focus();
});

/** The runners who finished between two answers. @param {Snapshot} before @param {Snapshot} after */
function arrivedSince(before, after) {
  const known = new Set(
    before.races.flatMap((race) => race.arrivals.map(({ bib_number }) => bib_number)),
  );
  return after.races
    .flatMap((race) => race.arrivals)
    .filter(({ bib_number }) => !known.has(bib_number))
    .sort((one, other) => other.arrived_at.localeCompare(one.arrived_at));
}

function showLatest() {
  if (!latest) return;
  if (shown) mark(arrivedSince(shown, latest).map(({ bib_number }) => bib_number));
  shown = latest;
}

/** Lets runners stand out for a while. @param {readonly (string | null)[]} bibs */
function mark(bibs) {
  if (bibs.length === 0) return;
  newBibs = new Set([...newBibs, ...bibs]);
  setTimeout(() => {
    newBibs = new Set([...newBibs].filter((bib) => !bibs.includes(bib)));
    render();
  }, NEW_MS);
}

/**
 * Somebody reads rows, which must not change under their eyes. While the first rows are in sight, the board
 * goes on: most people follow a runner above them.
 */
function isReading() {
  if (isWall()) return false;
  const selection = getSelection();
  const selected = selection && !selection.isCollapsed && standings.contains(selection.anchorNode);
  const focused = standings.contains(document.activeElement);
  const scrolled = !standings.hidden && standings.getBoundingClientRect().top < 0;
  return scrolled || isList() || selected || focused;
}

/**
 * A new answer waits until the reader asks for it. Names that the organization hides disappear at once.
 * @param {Snapshot} before
 * @param {Snapshot} after
 */
function mustWait(before, after) {
  if (before.event.shows_names && !after.event.shows_names) return false;
  return !isEmpty(before, current) && isReading() && rowsOf(before) !== rowsOf(after);
}

/** The order of all rows of the race that is shown. @param {Snapshot} snapshot */
function rowsOf({ races }) {
  const race = races.find(({ distance }) => distance === current);
  if (!race) return '';
  const groups = [...race.genders, ...race.categories].map(({ leaders }) => leaders);
  const lists = [race.arrivals, race.leaders, ...groups];
  return JSON.stringify(lists.map((rows) => rows.map(({ bib_number }) => bib_number)));
}

/** Renders the current state. */
function render() {
  if (latest) {
    setZone(latest.event.time_zone);
    chooseRace(latest);
  }
  const board = byId('board', HTMLElement);
  // A runner that the address asks for appears together with the board, so that nothing moves.
  board.hidden = shown === undefined || (board.hidden && isSearching());
  byId('closed', HTMLElement).hidden = !isClosed();
  byId('loading', HTMLElement).hidden = !board.hidden || isClosed();
  if (isClosed()) hideEvent();
  if (shown) renderBoard(shown);
  if (latest) showWall(latest, isAsked(latest) ? current : undefined, newBibs);
  renderFresh();
  renderStatus();
}

/** @param {Snapshot} snapshot */
function renderBoard(snapshot) {
  renderEvent(snapshot);
  renderTabs(snapshot);
  const hasNone = snapshot.races.every(({ counts }) => total(counts) === 0);
  byId('before', HTMLElement).hidden = !hasNone;
  setText(byId('before-date', HTMLElement), formatDate(snapshot.event.event_date));
  setText(byId('before-start', HTMLElement), startText(snapshot));
  const { state } = raceState(snapshot, serverNow());
  setText(
    byId('before-text', HTMLElement),
    state === 'before' || state === 'waiting' || state === 'empty' ? text(`none.${state}`) : '',
  );
  byId('skip', HTMLAnchorElement).setAttribute('href', `#${titleId()}`);
  standings.classList.toggle('over', isOver(state));
  standings.hidden = hasNone || isList();
  byId('list', HTMLElement).hidden = hasNone || !isList();
  const race = snapshot.races.find(({ distance }) => distance === current);
  if (race && !hasNone) renderRace(race);
  if (isList() && !hasNone) showList(address, current ?? '');
  else leaveList();
}

const isClosed = () => connection.state === 'none';

/** The heading of what the page shows first. */
function titleId() {
  if (isList()) return 'list-title';
  return standings.classList.contains('over') ? 'leaders-title' : 'arrivals-title';
}

/** The start of the race and, on its day, how far away it is. @param {Snapshot} snapshot */
function startText({ event: { event_date } }) {
  if (isDay(event_date)) return '';
  const startsAt = Date.parse(event_date);
  const start = text('startsAt', { time: formatMinute(startsAt) });
  const minutes = Math.ceil((startsAt - serverNow()) / MINUTE_MS);
  if (minutes <= 0 || minutes * MINUTE_MS > DAY_MS) return start;
  const left = { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
  return `${start} · ${text(left.hours > 0 ? 'startsInHours' : 'startsInMinutes', left)}`;
}

/** @param {Race['counts']} counts */
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The address names one of the races. @param {Snapshot} snapshot */
const isAsked = ({ races }) => races.some(({ distance }) => distance === parameter('distance'));

/**
 * Chooses the race to show: that of the address, or else that of the runner whose page was opened, or else
 * the one that had the latest arrival then.
 * @param {Snapshot} snapshot
 */
function chooseRace(snapshot) {
  const { races } = snapshot;
  const names = races.map(({ distance }) => distance);
  const hasNone = (/** @type {string} */ name) => isEmpty(snapshot, name);
  if (order.every(hasNone)) order = [];
  order = [
    ...order.filter((name) => names.includes(name)),
    ...names.filter((name) => !order.includes(name)),
  ];
  // The page of a runner shows the race of that runner, once it is known.
  if ((home === undefined || hasNone(home)) && !isSearching()) {
    const runner = openRunner();
    const theirs = order.find((name) => runner !== undefined && name === (runner.distance ?? ''));
    home = theirs ?? order[0];
  }
  current = isAsked(snapshot) ? (parameter('distance') ?? '') : home;
}

/** @param {Snapshot} snapshot @param {string | undefined} name of a race */
const isEmpty = ({ races }, name) =>
  races.every(({ distance, counts }) => distance !== name || total(counts) === 0);

/** @param {Snapshot} snapshot */
function renderEvent({ event }) {
  const runner = openRunner();
  const who = runner && [runner.bib_number, runner.name].filter((part) => part).join(' · ');
  document.title = who ? `${who} · ${event.name}` : text('title', { event: event.name });
  setText(byId('event-name', HTMLElement), event.name);
  // A city in another direction does not turn the date.
  const [city, when] = byId('event-where', HTMLElement).children;
  const start = isDay(event.event_date) ? '' : `, ${formatMinute(Date.parse(event.event_date))}`;
  if (city) setText(city, event.city);
  if (when) setText(when, ` · ${formatDate(event.event_date, 'medium')}${start}`);
  const input = byId('bib', HTMLInputElement);
  input.inputMode = event.has_numeric_bibs ? 'numeric' : 'text';
}

/** A board that is switched off names nobody. */
function hideEvent() {
  document.title = text('closed');
  setText(byId('event-name', HTMLElement), text('closedTitle'));
  for (const place of byId('event-where', HTMLElement).children) setText(place, '');
}

/** @param {Snapshot} snapshot */
function renderTabs({ races }) {
  const tabs = byId('races', HTMLElement);
  tabs.hidden = races.length < 2;
  keyed(
    tabs,
    order.flatMap((name) => races.filter(({ distance }) => distance === name)),
    ({ distance }) => distance,
    () =>
      element(
        'a',
        { class: 'button tab' },
        element('bdi', {}),
        element('span', { class: 'count' }),
      ),
    (tab, { distance, counts }) => {
      const [name, count] = tab.children;
      if (name) setText(name, distance || text('noDistance'));
      if (count) setText(count, formatNumber(counts.FINISHED));
      setLink(tab, { distance, page: undefined, gender: undefined, category: undefined });
      if (distance !== current) tab.removeAttribute('aria-current');
      else if (!tab.hasAttribute('aria-current')) {
        tab.setAttribute('aria-current', 'true');
        // Among many races, the chosen one stays in sight.
        tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
      }
    },
  );
}

/** @param {Race} race */
function renderRace({ distance, counts, ...race }) {
  const list = byId('counts', HTMLElement);
  list.setAttribute('aria-label', text('counts'));
  const pairs = STATUSES.filter((status) => status === 'FINISHED' || counts[status] > 0).map(
    (status) => ({
      name: text(`counted.${status}`, { count: counts[status] }),
      value: formatNumber(counts[status]),
    }),
  );
  fillPairs(list, pairs);
  fillTable(arrivals, race.arrivals, distance);
  const rows = arrivals.tBodies[0]?.rows ?? [];
  race.arrivals.forEach(({ bib_number }, index) => {
    rows[index]?.classList.toggle('new', newBibs.has(bib_number));
  });
  const [last] = race.arrivals;
  const lastAt = last && Date.parse(last.arrived_at);
  setText(
    byId('last-arrival', HTMLElement),
    lastAt === undefined ? '' : text('lastArrival', { at: formatMoment(lastAt, serverNow()) }),
  );
  byId('no-arrivals', HTMLElement).hidden = race.arrivals.length > 0;
  fillTable(leaders, race.leaders, distance);
  fillPodium(byId('podium', HTMLElement), race.leaders, distance);
  for (const [id, groups] of /** @type {const} */ ([
    ['genders', race.genders],
    ['categories', race.categories],
  ])) {
    byId(`${id}-part`, HTMLElement).hidden = groups.length === 0;
    fillGroups(byId(id, HTMLElement), groups, distance);
  }
  const all = byId('all-results', HTMLAnchorElement);
  setText(all, text('showAll', { count: total(counts) }));
  setLink(all, { ...NO_LIST, list: '', distance });
}

/** Shows a button while a newer answer waits. */
function renderFresh() {
  const waits = shown !== undefined && latest !== undefined && mustWait(shown, latest);
  fresh.hidden = !waits;
  if (!waits || !shown || !latest) return;
  const finished = (/** @type {Snapshot} */ { races }) =>
    races.find(({ distance }) => distance === current)?.counts.FINISHED ?? 0;
  const count = finished(latest) - finished(shown);
  setText(fresh, count > 0 ? text('newArrivals', { count }) : text('newResults'));
}

/** Tells screen readers who arrived. @param {Race['arrivals']} arrived */
function announce(arrived) {
  unheard = [...arrived, ...unheard];
  const [last] = unheard;
  if (!last || Date.now() - heardAt < HEARD_EVERY_MS) return;
  heard.textContent = text('heard', {
    count: unheard.length,
    bib: last.bib_number ?? '–',
    time: timeText(last.time),
  });
  heardAt = Date.now();
  unheard = [];
}

function renderStatus() {
  const { state, asOf } = connection;
  const race = latest && raceState(latest, serverNow());
  const status = byId('status', HTMLElement);
  const isCurrent = state === 'current' && race !== undefined;
  status.dataset['state'] = isCurrent ? race.state : state;
  const time = asOf === undefined ? '' : formatClock(asOf);
  const at = race?.at === undefined ? '' : formatMoment(race.at, serverNow());
  setText(
    byId('status-text', HTMLElement),
    isCurrent
      ? text(`state.${race.state}`, { asOf: time, at })
      : text(`state.${state === 'none' ? 'closed' : state === 'current' ? 'connecting' : state}`),
  );
  const isLost = state === 'offline' || state === 'failing';
  const notice = isLost && (time ? text(`asOf.${state}`, { time }) : text(`notice.${state}`));
  setText(byId('notice', HTMLElement), notice || '');
}

/** @param {import('./poll.js').Polled<Snapshot>} polled */
function take(polled) {
  connection = polled;
  const snapshot = polled.body;
  const arrived = latest && snapshot ? arrivedSince(latest, snapshot) : [];
  latest = snapshot;
  // A reader who has come back to the top sees the answer that waited.
  if (!latest) shown = undefined;
  else if (shown !== latest && (!shown || !mustWait(shown, latest))) showLatest();
  announce(arrived);
  search.setClosed(isClosed());
  search.seen(arrived);
  render();
}

poll(
  `${address}/data`,
  INTERVAL_MS,
  first && { body: first.snapshot, at: first.at, version: first.version },
  take,
);
