import { byId, element, keyed, setText } from './dom.js';
import { startFeed } from './feed.js';
import { fillGroups, fillTable } from './leaders.js';
import { wirePreferences } from './preferences.js';
import { timeOf } from './runner.js';
import { renderFound, wireSearch } from './search.js';
import { formatClock, formatDate, formatGender, formatNumber, texts } from './texts.js';

/** @typedef {import('../../schemas.ts').BoardSnapshot} Snapshot */
/** @typedef {import('./feed.js').Connection} Connection */

/** A screen reader is told of arrivals, but not of each in a crowd. */
const HEARD_EVERY_MS = 15_000;
const NEW_MS = 6_000;
/** A screen that nobody scrolls shows its groups in turn. */
const TURN_MS = 10_000;

const address = location.pathname.replace(/\/+$/, '');
const board = byId('board', HTMLElement);
const heard = byId('heard', HTMLElement);
const arrivals = byId('arrivals', HTMLTableElement);
const leaders = byId('leaders', HTMLTableElement);

/** @type {Snapshot | undefined} */
let shown;
/** @type {Connection} */
let connection = { state: 'connecting', asOf: undefined };
/** @type {Snapshot['arrivals']} */
let unheard = [];
let heardAt = 0;

wirePreferences(() => {
  render();
  renderFound();
  renderStatus();
});
const search = wireSearch(address);

startFeed(`${address}/data`, {
  /** @param {Snapshot} snapshot */
  changed(snapshot) {
    const first = shown === undefined;
    shown = snapshot;
    const arrived = render();
    if (!first) welcome(arrived);
    search.seen(arrived);
  },
  connection(now) {
    connection = now;
    if (now.state === 'closed') {
      shown = undefined;
      search.clear();
    }
    renderStatus();
  },
});
setInterval(turn, TURN_MS);

/** Puts the snapshot on the screen. @returns {Snapshot['arrivals']} those who were not there before */
function render() {
  if (!shown) return [];
  const { event, counts, genders, categories, distances } = shown;
  document.title = texts.title(event.name);
  setText(byId('event-name', HTMLElement), event.name);
  setText(byId('event-where', HTMLElement), `${event.city} · ${formatDate(event.event_date)}`);
  renderCounts(counts);
  const arrived = fillTable(arrivals, shown.arrivals);
  byId('no-arrivals', HTMLElement).hidden = shown.arrivals.length > 0;
  fillTable(leaders, shown.leaders);
  renderGroups('genders', genders, formatGender);
  renderGroups('categories', categories, String);
  renderGroups('distances', distances, String);
  return arrived;
}

/** @param {Snapshot['counts']} counts */
function renderCounts(counts) {
  const list = byId('counts', HTMLElement);
  list.setAttribute('aria-label', texts.counts);
  keyed(
    list,
    Object.entries(counts).filter(([status, count]) => status === 'FINISHED' || count > 0),
    ([status]) => status,
    () => element('div', {}, element('dt', {}), element('dd', {})),
    (pair, [status, count]) => {
      const [term, detail] = pair.children;
      const name = Object.entries(texts.counted).find(([known]) => known === status)?.[1];
      if (term) setText(term, name ?? status);
      if (detail) setText(detail, formatNumber(count));
    },
  );
}

/**
 * @param {string} id
 * @param {Snapshot['genders']} groups
 * @param {(name: string) => string} nameOf
 */
function renderGroups(id, groups, nameOf) {
  byId(`${id}-part`, HTMLElement).hidden = groups.length === 0;
  fillGroups(byId(id, HTMLElement), groups, nameOf);
}

/** Lets new arrivals stand out for a while, and be heard. @param {Snapshot['arrivals']} arrived */
function welcome(arrived) {
  const keys = new Set(arrived.map(({ bib_number }) => bib_number));
  for (const row of arrivals.tBodies[0]?.rows ?? []) {
    if (!keys.has(row.dataset['key'] ?? '')) continue;
    row.classList.add('new');
    setTimeout(() => row.classList.remove('new'), NEW_MS);
  }
  unheard = [...arrived, ...unheard];
  const [latest] = unheard;
  if (!latest || Date.now() - heardAt < HEARD_EVERY_MS) return;
  heard.textContent = texts.heard(unheard.length, latest.bib_number ?? '–', timeOf(latest));
  heardAt = Date.now();
  unheard = [];
}

/** The time ticks in silence; that the connection is lost, back or closed is said. */
function renderStatus() {
  const { state, asOf } = connection;
  const time = asOf === undefined ? undefined : formatClock(asOf);
  byId('status', HTMLElement).dataset['state'] = state;
  const brief = {
    connecting: texts.connecting,
    closed: texts.off,
    live: texts.live,
    lost: texts.offline,
  };
  setText(
    byId('status-text', HTMLElement),
    state === 'live' ? `${texts.live} · ${time}` : brief[state],
  );
  board.hidden = shown === undefined;
  const notices = {
    connecting: '',
    live: '',
    closed: texts.closed,
    lost: time === undefined ? texts.lostEmpty : texts.lost(time),
  };
  setText(byId('notice', HTMLElement), notices[state]);
}

/** On a screen, brings the next card of each part to the front. */
function turn() {
  if (!document.documentElement.classList.contains('screen')) return;
  for (const cards of document.querySelectorAll('.cards')) {
    const current = cards.querySelector('.front') ?? cards.firstElementChild;
    const next = current?.nextElementSibling ?? cards.firstElementChild;
    current?.classList.remove('front');
    next?.classList.add('front');
  }
}
