import type {
  BoardResult,
  BoardRace as Race,
  BoardSnapshot as Snapshot,
} from '../../../../worker/board/answer-schemas.ts';
import { byId, DOT, element, hide, keyed, part, setText, write } from '../shared/dom.ts';
import { formatNumber } from '../shared/texts.ts';
import { goTo, onAddress, parameter, setLink } from './address.ts';
import { setRaces } from './cards.ts';
import {
  formatClock,
  formatDate,
  formatDay,
  formatMinute,
  formatMoment,
  formatStart,
  formatStarts,
  loadTexts,
  setZone,
  text,
} from './formats.ts';
import { boardIntervalMs } from './interval.ts';
import { keepPage } from './kept.ts';
import { lazily } from './later.ts';
import { isList, leaveList, NO_LIST, refreshList, showList, wireList } from './list.ts';
import { renderOfficial } from './official.ts';
import { type Polled, poll } from './poll.ts';
import { askedLanguage, isWall, wirePreferences } from './preferences.ts';
import {
  chartsOf,
  descending,
  hasPassings,
  isOnCourse,
  isOver,
  openingRace,
  raceState,
  total,
} from './race-state.ts';
import {
  fillCategories,
  fillCourse,
  fillGroups,
  fillPairs,
  fillPodium,
  fillTable,
  timeText,
} from './runner.ts';
import { followedRunners, isSearching, openRunner, takeSought, wireSearch } from './search.ts';
import { serverNow } from './server-clock.ts';
import { firstGunAt, gunAt } from './starts.ts';

/** Screen readers announce arrivals, but at most once per interval. */
const HEARD_EVERY_MS = 15_000;
const NEW_MS = 6_000;
/** A race of so many runners has room for all rows of a list. */
const ROOM_FROM = 5;
const DAY_MS = 24 * 3_600_000;

const address = location.pathname.replace(/\/+$/, '');
const arrivals = byId('arrivals', HTMLTableElement);
const leaders = byId('leaders', HTMLTableElement);
const standings = byId('standings', HTMLElement);
const fresh = byId('fresh', HTMLButtonElement);

/** The page stands before the scripts of these parts come. */
const course = lazily(
  async () => new (await import('./course.ts')).CoursePicture(part(document, '#line')),
  drawPictures,
);
const charts = lazily(() => import('./charts.ts'), drawPictures);
const wall = lazily(() => import('./wall.ts'), render);

/** The last answer of the server. */
let latest: Snapshot | undefined;
/** The answer on the page. */
let shown: Snapshot | undefined;
/** The distance of the race on the page. */
let current: string | undefined;
/** The distance of the race for an address without a distance. */
let home: string | undefined;
let connection: Polled<Snapshot> = { state: 'connecting', body: undefined, asOf: undefined };
/** The distance of the race whose course is drawn. */
let drawn: string | undefined;
/** The highlighted bibs. */
let newBibs = new Set<string | null>();
/** The reader has seen the wall. */
let isWallKnown = false;
let unheard: Race['arrivals'] = [];
let heardAt = 0;

type First = {
  at: number;
  version: string;
  snapshot: Snapshot;
  runners: (BoardResult | null)[];
};

/** The data written into the page by the server. */
const first: First | undefined =
  JSON.parse(document.getElementById('first')?.textContent || 'null') ?? undefined;

await loadTexts(askedLanguage());
wirePreferences();
if (first) {
  setZone(first.snapshot.event.time_zone);
  setRaces(first.snapshot.races);
  renderOfficial(first.snapshot, address);
}
wireList(render);
const search = wireSearch({
  board: address,
  known: (first?.runners ?? []).map((body) => (first && body ? { body, at: first.at } : undefined)),
  changed: render,
});
onAddress(() => {
  shown = latest;
  render();
});
fresh.addEventListener('click', () => {
  showLatest();
  render();
  refreshList();
  scrollTo({ top: 0 });
  part(document, `#${titleId()}`).focus();
});

/** The runners who finished between two answers. */
function arrivedSince(before: Snapshot, after: Snapshot): Race['arrivals'] {
  const known = new Set(
    before.races.flatMap((race) => race.arrivals.map(({ bib_number }) => bib_number)),
  );
  return after.races
    .flatMap((race) => race.arrivals)
    .filter(({ bib_number }) => !known.has(bib_number))
    .sort((one, other) => descending(one.arrived_at, other.arrived_at));
}

function showLatest(): void {
  if (!latest) return;
  if (shown) mark(arrivedSince(shown, latest).map(({ bib_number }) => bib_number));
  shown = latest;
}

/** Lets runners stand out for a while. */
function mark(bibs: readonly (string | null)[]): void {
  if (bibs.length === 0) return;
  newBibs = new Set([...newBibs, ...bibs]);
  setTimeout(() => {
    newBibs = new Set([...newBibs].filter((bib) => !bibs.includes(bib)));
    render();
  }, NEW_MS);
}

/**
 * The reader is reading rows, which must not change during the reading. While the first rows are in sight, the board
 * goes on: most readers follow a runner above the rows.
 */
function isReading(): boolean {
  if (isWall()) return false;
  const selection = getSelection();
  const isSelected = !selection?.isCollapsed && standings.contains(selection?.anchorNode ?? null);
  const isFocused = standings.contains(document.activeElement);
  const isScrolled = !standings.hidden && standings.getBoundingClientRect().top < 0;
  return isScrolled || isList() || isSelected || isFocused;
}

const showsNames = ({ board_names }: Snapshot['event']): boolean => board_names !== 'none';

/** How much of the names an event shows. */
const namesOf = ({ event }: Snapshot): number =>
  ['none', 'initials', 'full'].indexOf(event.board_names);

/** A new answer waits for the reader's request. Hidden names disappear at once. */
function mustWait(before: Snapshot, after: Snapshot): boolean {
  if (namesOf(after) < namesOf(before)) return false;
  if (isEmpty(before, current) || rowsOf(before) === rowsOf(after)) return false;
  // Asked last: the browser has to lay out the page for the answer.
  return isReading();
}

/** The order of all rows of the shown race. */
function rowsOf({ races }: Snapshot): string {
  const race = races.find(({ distance }) => distance === current);
  if (!race) return '';
  const groups = [...race.genders, ...race.categories].map(({ leaders }) => leaders);
  const lists = [race.arrivals, race.leaders, ...groups];
  return JSON.stringify(lists.map((rows) => rows.map(({ bib_number }) => bib_number)));
}

/** Renders the current state. */
function render(): void {
  if (latest) {
    setZone(latest.event.time_zone);
    chooseRace(latest);
  }
  // A runner in the address appears together with the board, so that nothing moves.
  const isShown = shown !== undefined && !(part(document, '#board').hidden && isSearching());
  const isClosed = connection.state === 'none' || connection.state === 'tooLarge';
  hide({ '#board': !isShown, '#closed': !isClosed, '#loading': isShown || isClosed });
  if (isClosed) hideEvent();
  if (shown) renderBoard(shown);
  // The server wrote `early` for the time until here.
  if (isShown || isClosed) document.getElementById('early')?.remove();
  if (latest && (isWall() || isWallKnown)) {
    isWallKnown = true;
    wall()?.showWall({
      snapshot: latest,
      only: isAsked(latest) ? current : undefined,
      fresh: newBibs,
    });
  }
  renderFresh();
  renderStatus();
}

function renderBoard(snapshot: Snapshot): void {
  renderEvent(snapshot);
  renderRule(snapshot);
  renderOfficial(snapshot, address);
  renderTabs(snapshot);
  const { state } = raceState(snapshot, serverNow());
  const race = snapshot.races.find(({ distance }) => distance === current);
  const hasNone = snapshot.races.every((one) => total(one.counts) === 0 && !hasPassings(one));
  const isWaiting = state === 'before' || state === 'waiting' || state === 'empty';
  const [start = '', left = ''] = formatStart(gunAt(snapshot.event, current ?? ''), serverNow());
  write(document, {
    '#before-date':
      formatDate(snapshot.event.event_date, { dateStyle: 'full' }) + (start && DOT + start),
    '#before-left': left,
    '#before-text': isWaiting ? `${entrantsOf(state, race)}${text(`none.${state}`)}` : '',
  });
  fillPairs(
    part(document, '#before-starts'),
    state === 'before' ? formatStarts(snapshot.event) : [],
  );
  const hasFinisher = (race?.counts.FINISHED ?? 0) > 0;
  standings.classList.toggle('over', isOver(state));
  standings.classList.toggle('awaited', !hasFinisher && race !== undefined && hasPassings(race));
  standings.classList.toggle('roomy', hasFinisher && (race?.entered ?? 0) >= ROOM_FROM);
  part(document, '#skip').setAttribute('href', `#${titleId()}`);
  hide({
    '#before': !hasNone,
    '#standings': hasNone || isList(),
    '#list': hasNone || !isList(),
  });
  if (race && !hasNone) {
    renderRace(race);
    fillCourse(race);
    const isDone = isOver(state) || !isOnCourse(race);
    part(document, '#course-part').hidden = !hasPassings(race) || isDone;
  }
  drawPictures();
  if (isList() && !hasNone) showList(address, current ?? '');
  else leaveList();
}

/** Before the race, the number of its runners. */
function entrantsOf(state: string, race: Race | undefined): string {
  const count = state === 'before' ? (race?.entered ?? 0) : 0;
  return count > 0 ? `${text('entrants', { count })} ` : '';
}

/** The id of the heading of the first part on the page. */
function titleId(): string {
  if (isList()) return 'list-title';
  if (standings.classList.contains('awaited')) return 'course-title';
  return standings.classList.contains('over') ? 'leaders-title' : 'arrivals-title';
}

/** The address names one of the races. */
const isAsked = ({ races }: Snapshot) =>
  races.some(({ distance }) => distance === parameter('distance'));

const isEmpty = ({ races }: Snapshot, name: string | undefined) =>
  races.every(({ distance, counts }) => distance !== name || total(counts) === 0);

/**
 * Chooses the race to show: the race in the address, or else the race of the opened runner, or else the race with the
 * most runners on the course at the opening.
 */
function chooseRace(snapshot: Snapshot): void {
  const { races } = snapshot;
  // The page of a runner shows the runner's race, once known.
  if (isEmpty(snapshot, home) && !isSearching()) {
    const runner = openRunner();
    const theirs = races.find(({ distance }) => runner && distance === (runner.distance ?? ''));
    const isEventOver = isOver(raceState(snapshot, serverNow()).state);
    home = (theirs ?? openingRace(races, isEventOver))?.distance;
  }
  current = isAsked(snapshot) ? (parameter('distance') ?? '') : home;
  const sought = takeSought();
  const found = races.find(({ distance }) => sought && distance === (sought.distance ?? ''));
  if (found && found.distance !== current) showRace(found.distance);
}

/** Shows the race of a found runner in place of another race. */
function showRace(distance: string): void {
  const wholeRace = { page: undefined, place: undefined, gender: undefined, category: undefined };
  goTo({ distance, ...wholeRace }, false);
}

/** By which times places are. */
function renderRule({ event, races }: Snapshot): void {
  const line = part(document, '#ranked');
  line.hidden = !races.some(({ counts }) => total(counts) > 0);
  setText(line, text(`ranked.${event.rank_by}`));
}

function renderEvent({ event }: Snapshot): void {
  const runner = openRunner();
  const who = runner && [runner.bib_number, runner.name].filter(Boolean).join(' · ');
  document.title = who ? `${who} · ${event.name}` : text('title', { event: event.name });
  // A city in another direction does not turn the date.
  const startsAt = firstGunAt(event);
  const start = startsAt === undefined ? '' : `, ${formatMinute(startsAt)}`;
  write(document, {
    '#event-name': event.name,
    '#event-where bdi': event.city,
    '#event-where span': `${formatDay(event.event_date, serverNow())}${start}`,
  });
  const isNumber = event.has_numeric_bibs && !showsNames(event);
  byId('bib', HTMLInputElement).inputMode = isNumber ? 'numeric' : 'text';
}

/** A disabled board shows no names. */
function hideEvent(): void {
  const why = connection.state === 'tooLarge' ? 'tooLarge' : 'closed';
  document.title = text(why);
  write(document, {
    '#closed h2': text(why),
    '#closed p': text(why === 'closed' ? 'closedWhy' : 'tooLargeWhy'),
    '#event-name': text('closedTitle'),
    '#event-where bdi': '',
    '#event-where span': '',
  });
}

function renderTabs({ event, races }: Snapshot): void {
  const tabs = part(document, '#races');
  // Runners without a distance are a race for readers once a runner has a result.
  const named = races.filter((race) => race.distance || total(race.counts) > 0);
  tabs.hidden = named.length < 2;
  const isCounted = races.some(({ counts }) => total(counts) > 0);
  const hasOwnStarts = new Set(named.map(({ distance }) => gunAt(event, distance))).size > 1;
  keyed(
    tabs,
    named,
    ({ distance }) => distance,
    () => element('a', { class: 'button tab' }, element('bdi', {}), element('span', {})),
    (tab, { distance, counts }) => {
      const gun = hasOwnStarts ? gunAt(event, distance) : undefined;
      const isOther = isCounted && distance !== current;
      const start = gun === undefined || isOther ? '' : formatMinute(gun);
      const count = isCounted ? formatNumber(counts.FINISHED) : '';
      write(tab, {
        bdi: distance || text('noDistance'),
        span: [start, count].filter(Boolean).join(DOT),
      });
      setLink(tab, { distance, page: undefined, gender: undefined, category: undefined });
      if (distance !== current) tab.removeAttribute('aria-current');
      else if (!tab.hasAttribute('aria-current')) {
        tab.setAttribute('aria-current', 'true');
        // Among many races, the chosen race stays in sight. The browser lays out the page once, before the paint.
        requestAnimationFrame(() => {
          tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
        });
      }
    },
  );
}

function renderRace(shownRace: Race): void {
  const { distance, counts, ...race } = shownRace;
  const statuses = Object.keys(counts) as (keyof typeof counts)[];
  const counted = statuses.filter((status) => status === 'FINISHED' || counts[status] > 0);
  fillPairs(
    part(document, '#counts'),
    counted.map((status) => [
      text(`counted.${status}`, { count: counts[status] }),
      formatNumber(counts[status]),
    ]),
  );
  fillTable(arrivals, race.arrivals, distance, race.leaders);
  const rows = arrivals.tBodies[0]?.rows ?? [];
  race.arrivals.forEach(({ bib_number }, index) => {
    rows[index]?.classList.toggle('new', newBibs.has(bib_number));
  });
  const [last] = race.arrivals;
  const at = last && formatMoment(Date.parse(last.arrived_at), serverNow());
  write(document, {
    '#last-arrival': at ? text('lastArrival', { at }) : '',
    '#all-results': text('showAll', { count: total(counts) }),
  });
  setLink(part(document, '#all-results'), { ...NO_LIST, list: '', distance });
  fillTable(leaders, race.leaders, distance);
  fillPodium(race.leaders, distance);
  fillGroups('genders', race.genders, distance);
  fillCategories(race.categories, distance);
  hide({
    '#counts': total(counts) === 0,
    '#no-arrivals': race.arrivals.length > 0,
    '#none-arrived': race.arrivals.length > 0,
    '#genders-part': race.genders.length === 0,
    '#categories-part': race.categories.length === 0,
  });
}

/** Draws the course and the charts of the race on the page. */
function drawPictures(): void {
  if (!shown) return;
  const { event, races } = shown;
  const race = races.find(({ distance }) => distance === current);
  const isRaceOver = isOver(raceState(shown, serverNow()).state);
  const hasNone = races.every((one) => total(one.counts) === 0 && !hasPassings(one));
  if (race && !hasNone) fillCharts(race);
  // Before the gun the course is worth a picture only with its points, and later only with runners. A picture on the page
  // stays when the last runner arrives: else the page would jump under the reader.
  const isWorth = hasNone ? (race?.points.length ?? 0) > 0 : race && isOnCourse(race);
  const isDrawn = race && !isList() && !isRaceOver && (isWorth || drawn === race.distance);
  drawn = isDrawn ? race.distance : undefined;
  part(document, '#line').hidden = !isDrawn;
  if (isDrawn) course()?.show({ event, race, followed: followedRunners() });
}

/** Shows the finish times, and the arrivals per minute until the race is over. */
function fillCharts(race: Race) {
  const { finishTimes, arrivalTimes } = chartsOf(race, standings.classList.contains('over'));
  const [times, arriving] = part(document, '#charts-part').querySelectorAll('svg');
  hide({ '#charts-part': !finishTimes, '#charts-part figure + figure': !arrivalTimes });
  if (finishTimes && times) charts()?.showFinishTimes(times, finishTimes);
  if (arrivalTimes && arriving) charts()?.showArrivals(arriving, arrivalTimes);
}

/** Shows a button while a newer answer waits. */
function renderFresh(): void {
  const waits =
    shown !== undefined && latest !== undefined && shown !== latest && mustWait(shown, latest);
  fresh.hidden = !waits;
  if (!waits || !shown || !latest) return;
  const finished = ({ races }: Snapshot) =>
    races.find(({ distance }) => distance === current)?.counts.FINISHED ?? 0;
  const count = finished(latest) - finished(shown);
  setText(fresh, count > 0 ? text('newArrivals', { count }) : text('newResults'));
}

/** Tells screen readers who arrived. */
function announce(arrived: Race['arrivals']): void {
  unheard = [...arrived, ...unheard];
  const [last] = unheard;
  if (!last || Date.now() - heardAt < HEARD_EVERY_MS) return;
  const said = { count: unheard.length, bib: last.bib_number ?? '–', time: timeText(last) };
  write(document, { '#heard': text('heard', said) });
  heardAt = Date.now();
  unheard = [];
}

function renderStatus(): void {
  const { state, asOf } = connection;
  const race = state === 'current' && latest ? raceState(latest, serverNow()) : undefined;
  const isOfToday = asOf !== undefined && serverNow() - asOf < DAY_MS;
  const time =
    asOf === undefined ? '' : isOfToday ? formatClock(asOf) : formatMoment(asOf, serverNow());
  const at = race?.at === undefined ? '' : formatMoment(race.at, serverNow());
  const isLost = state === 'offline' || state === 'failing';
  const told = race?.state ?? (state === 'current' ? 'connecting' : state);
  part(document, '#status').dataset['state'] = told;
  write(document, {
    '#status-text': text(`state.${told}`, { asOf: time, at }),
    '#notice': isLost ? text(time ? `asOf.${state}` : `notice.${state}`, { time }) : '',
  });
}

function take(polled: Polled<Snapshot>): void {
  connection = polled;
  const snapshot = polled.body;
  const before = latest;
  const arrived = before && snapshot ? arrivedSince(before, snapshot) : [];
  latest = snapshot;
  // A reader back at the top sees the waiting answer.
  if (!latest) shown = undefined;
  else if (shown !== latest && (!shown || !mustWait(shown, latest))) showLatest();
  announce(arrived);
  search.setClosed(polled.state === 'none' || polled.state === 'tooLarge');
  if (snapshot && snapshot !== before) {
    setZone(snapshot.event.time_zone);
    search.seen({
      names: snapshot.event.board_names,
      changedAt: snapshot.event.changed_at ?? '',
      races: snapshot.races,
    });
  }
  render();
}

poll(
  `${address}/data`,
  () => boardIntervalMs(latest ? raceState(latest, serverNow()).state : 'waiting'),
  first && { body: first.snapshot, at: first.at, version: first.version },
  take,
);
keepPage();
