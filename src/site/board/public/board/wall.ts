import { foldedPoint } from '../../../../timing-files/read/point.ts';
import { secondsBehind } from '../../../../timing-files/write/whole-seconds.ts';
import type {
  BoardPassing,
  BoardPoint,
  BoardRace,
  BoardRunner,
  BoardSnapshot,
} from '../../../../worker/board/answer-schemas.ts';
import { DOT, element, keyed, part, write } from '../shared/dom.ts';
import { setAll, svg } from '../shared/svg.ts';
import { formatNumber } from '../shared/texts.ts';
import { parameter } from './address.ts';
import { showArrivals, showFinishTimes } from './charts.ts';
import { CoursePicture } from './course.ts';
import { formatDate, formatGroup, formatStart, formatStarts, text, unbroken } from './formats.ts';
import { isWall } from './preferences.ts';
import { chartsOf, descending, isOnCourse, isOver, raceState } from './race-state.ts';
import { fillPairs, fillTime, setMedal, timeText } from './runner.ts';
import { serverNow } from './server-clock.ts';
import { firstGunAt, gunAt } from './starts.ts';

/** A large screen shows its lists in turn, because no reader scrolls a wall. */
const TURN_MS = 10_000;
const SECOND_MS = 1_000;
/** Rows of a screen, in two columns: as large as people read from the far side of a square. */
const ROWS = 10;
/** So many rows fill a column. Fewer lines of a screen stand below each other. */
const ROWS_OF_COLUMN = 5;
const ROWS_MIN = 4;
/** An upright screen has one column. */
const ROWS_UPRIGHT = 14;
/** The picture of the course takes the room of so many rows of an upright screen. */
const ROWS_OF_COURSE = 2;
/** Names and groups of so many letters leave room for larger letters. */
const BRIEF = 14;
/** The name of a longer event takes two lines. */
const EVENT_NAME = 34;
/** Runners of each group. */
const PODIUM = 3;
/** White modules around the QR code. Readers need four. */
const QUIET_MODULES = 4;

/** A line of the wall: the heading of a group, or a runner. */
type Shown = BoardPassing & { place?: number };
/** `behind`: the seconds that decided, if people read the time of a better place as the same. */
type Line = { heading: string } | { runner: Shown; distance: string; behind?: number | undefined };
type Screen = {
  title: string;
  /** The race of the lines, if all lines are of a single race. */
  distance?: string;
  lines: Line[];
  isArrivals: boolean;
  /** Draws the picture in place of lines. */
  draw?: ((picture: SVGSVGElement) => void) | null | undefined;
};

type View = {
  snapshot: BoardSnapshot;
  /** The race in the address. Without a race in the address, all races are shown in turn. */
  only: string | undefined;
  /** The highlighted bibs. */
  fresh: ReadonlySet<string | null>;
};

// The server wrote no styles of the wall into a board that becomes a wall. Until the styles come, the page stays a board.
document.querySelector('#wall-styles:not([rel])')?.setAttribute('rel', 'stylesheet');

const lines = element('ol', { id: 'wall-lines' });
const wall = element(
  'section',
  { id: 'wall', class: 'wall', 'aria-labelledby': 'wall-title' },
  element(
    'div',
    { id: 'wall-course', class: 'line' },
    svg('svg', { class: 'course-line', role: 'img', 'aria-label': '…' }),
    element(
      'p',
      { class: 'line-words' },
      element('b', {}),
      ' ',
      element('strong', {}),
      element('span', {}),
    ),
  ),
  element('div', { id: 'wall-code' }),
  element('h2', { id: 'wall-title', dir: 'auto' }),
  lines,
  element('p', { id: 'wall-left' }),
  element('dl', { id: 'wall-starts' }),
  element('p', { id: 'wall-none' }),
);
part(document, '#board').append(wall);
const course = new CoursePicture(part(document, '#wall-course'));

const picture = svg('svg', { role: 'img', 'aria-label': '…' });
const chart = element('figure', { id: 'wall-chart', class: 'chart' }, picture);
lines.before(chart);

/** Counts the screens. Every second screen shows the arrivals. */
let turn = 0;
let view: View | undefined;

const upright = matchMedia('(orientation: portrait)');

setInterval(() => {
  turn += 1;
  render();
}, TURN_MS);
setInterval(renderClock, SECOND_MS);
upright.addEventListener('change', render);

export function showWall(shown: View): void {
  view = shown;
  void showCode(shown.snapshot.event.board_code);
  render();
}

/** The address behind the QR code. */
let coded = '';

/** Shows the QR code of the board, with the short address if the board has a short address. */
async function showCode(code: string | null): Promise<void> {
  const address = location.origin + (code === null ? location.pathname : `/b/${code}`);
  if (address === coded) return;
  coded = address;
  const { qrCode } = await import('./qr-code.ts');
  const drawn = qrCode(address, QUIET_MODULES);
  setAll(drawn, { role: 'img', 'aria-label': address });
  // A short address, for a reader without a camera. The picture has the same name.
  const typed = code === null ? '' : address.replace(/^\w+:\/\//, '');
  part(wall, '#wall-code').replaceChildren(drawn, element('p', { 'aria-hidden': 'true' }, typed));
}

/** The races in the address. */
const shownRaces = ({ snapshot, only }: View) =>
  snapshot.races.filter(({ distance }) => only === undefined || distance === only);

/** The time since the gun of each race, until all races are over. Races with a common gun share a clock. */
function renderClock(): void {
  const box = part(document, '#clock');
  box.hidden = !view || !isWall() || isOver(raceState(view.snapshot, serverNow()).state);
  if (!view || box.hidden) return;
  const { event } = view.snapshot;
  const guns = new Map<number, string[]>();
  for (const { distance } of shownRaces(view)) {
    const gun = gunAt(event, distance);
    if (gun === undefined || gun > serverNow()) continue;
    guns.set(gun, [...(guns.get(gun) ?? []), distance].filter(Boolean));
  }
  box.hidden = guns.size === 0;
  const clocks = [...guns].map(([gun, distances]) => {
    const clock = clockOf(serverNow() - gun);
    return guns.size === 1 ? text('sinceStart', { clock }) : [...distances, clock].join(' ');
  });
  write(document, { '#clock': clocks.join(DOT) });
}

/** @returns `1:05:09` */
function clockOf(passedMs: number): string {
  const seconds = Math.floor(passedMs / SECOND_MS);
  const [minute, second] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${Math.floor(seconds / 3_600)}:${minute}:${second}`;
}

function render(): void {
  renderClock();
  if (!view || !isWall()) return;
  const { snapshot } = view;
  const races = shownRaces(view);
  // Before the first arrival, the points of the course are shown.
  const isAwaited = races.every(({ arrivals }) => arrivals.length === 0);
  // A finished race shows its winners, and no further arrivals.
  const hasArrivals = !isOver(raceState(snapshot, serverNow()).state);
  const lined = hasArrivals && parameter('point') === null ? linedOf(races) : [];
  const isLined = lined.length > 0;
  const rowsUpright = isLined ? ROWS_UPRIGHT - ROWS_OF_COURSE : ROWS_UPRIGHT;
  const rows = upright.matches ? rowsUpright : ROWS;
  // A list with the first arrivals alone repeats the arrivals.
  const results = races.flatMap((race) => {
    const [leaders, ...groups] = listsOf(race, rows, hasArrivals ? PODIUM : 0);
    return leaders ? [leaders, ...picturesOf(race, hasArrivals), ...groups] : [];
  });
  const lists = isAwaited && results.length === 0 ? coursesOf(races) : results;
  const isInTurn = hasArrivals && !isAwaited;
  const list = lists[(isInTurn ? (turn - 1) / 2 : turn) % Math.max(lists.length, 1)];
  const point = parameter('point');
  const screen = point
    ? pointOf(races, point)
    : list && !(isInTurn && turn % 2 === 0)
      ? list
      : arrivalsOf(races, rows);
  const shown = screen.lines.slice(0, rows);
  showCourse(lined, screen.distance, races.length > 1);
  part(document, '#event-name').classList.toggle('long', snapshot.event.name.length > EVENT_NAME);
  showTitle(view, screen);
  chart.hidden = !screen.draw;
  lines.hidden = !chart.hidden;
  screen.draw?.(picture);
  showLines(shown, rows, screen);
}

/** Shows the title of a list; before the first runner is seen, a countdown. */
function showTitle({ snapshot: { event }, only }: View, { title, lines, draw }: Screen): void {
  const isCounting = lines.length === 0 && !draw;
  wall.classList.toggle('counting', isCounting);
  const gun = only === undefined ? firstGunAt(event) : gunAt(event, only);
  const [start = title, left = ''] = isCounting ? formatStart(gun, serverNow()) : [];
  write(document, {
    '#wall-title': start,
    '#wall-left': left,
    '#wall-none': isCounting ? text('resultsAppear', { date: formatDate(event.event_date) }) : '',
  });
  const starts = isCounting && only === undefined ? formatStarts(event) : [];
  fillPairs(part(wall, '#wall-starts'), starts);
}

/** @param rows of a full screen */
function showLines(shown: readonly Line[], rows: number, screen: Screen): void {
  // Three winners fill the first column, larger than the places after them.
  const isPodium = !upright.matches && shown.length > ROWS_OF_COLUMN && hasPodium(shown, screen);
  const column = isPodium ? PODIUM : secondColumn(shown);
  const second = upright.matches ? shown.length : column;
  const isSingle = second === shown.length;
  const rowsMin = upright.matches ? rows / 2 : isSingle ? ROWS_MIN : 1;
  // Fewer lines stand further apart, over the height of the screen.
  lines.style.setProperty('--rows', String(Math.max(second, shown.length - second, rowsMin)));
  lines.style.setProperty('--beside', String(shown.length - second));
  lines.classList.toggle('podium', isPodium);
  lines.classList.toggle('single', isSingle);
  lines.classList.toggle('brief', shown.every(isBrief));
  keyed(
    lines,
    shown,
    (line, index) => `${index} ${'heading' in line}`,
    (line) => ('heading' in line ? makeHeading() : makeRow()),
    (row, line, index) => {
      row.classList.toggle('second', index >= second);
      fillLine(row, line, screen);
    },
  );
}

/** The lines are places, and begin with three medals. */
const hasPodium = (shown: readonly Line[], { isArrivals }: Screen) =>
  !isArrivals &&
  shown.every(
    (line, at) => 'runner' in line && (at >= PODIUM || (line.runner.place ?? 0) <= PODIUM),
  );

const isBrief = (line: Line) =>
  'heading' in line ||
  [nameOf(line.runner), formatGroup(line.runner)].every(({ length }) => length <= BRIEF);

/** @returns the index of the first line of the second column. A column begins with a heading, if both columns have room */
function secondColumn(shown: readonly Line[]): number {
  const count = shown.length;
  if (count <= ROWS_OF_COLUMN) return count;
  const half = Math.ceil(count / 2);
  const headings = shown.flatMap((line, index) => ('heading' in line && index > 0 ? [index] : []));
  const [heading = half] = headings.sort(
    (one, other) => Math.abs(one - count / 2) - Math.abs(other - count / 2),
  );
  return Math.max(heading, count - heading) > ROWS_OF_COLUMN ? half : heading;
}

/** The races whose course is shown: with passings, or else with points. */
function linedOf(races: readonly BoardRace[]): BoardRace[] {
  const passed = races.filter(({ points }) => points.some((point) => point.passed > 0));
  const told = races.filter(({ points }) => points.length > 0);
  return (passed.length > 0 ? passed : told).filter(isOnCourse);
}

/** Shows the course of the race whose list is shown. Beside a list of all races, the courses stand in turn. */
function showCourse(lined: readonly BoardRace[], listed: string | undefined, isTitled: boolean) {
  const race =
    listed === undefined
      ? lined[Math.floor(turn / 2) % Math.max(1, lined.length)]
      : lined.find(({ distance }) => distance === listed);
  wall.classList.toggle('lined', race !== undefined);
  part(wall, '#wall-course').hidden = race === undefined;
  if (!race || !view) return;
  write(wall, { '#wall-course b': isTitled ? race.distance : '' });
  course.show({ event: view.snapshot.event, race, followed: [] });
}

const makeHeading = () => element('li', { class: 'heading' }, element('bdi', {}));

const makeRow = () =>
  element(
    'li',
    {},
    element('span', { class: 'place' }),
    element(
      'div',
      { class: 'wall-who' },
      ...['race', 'bib', 'name', 'group'].map((what) => element('bdi', { class: `wall-${what}` })),
    ),
    element('span', { class: 'time' }, element('span', {}), element('small', {})),
  );

/** Without a name, the group takes the room of the name. */
const nameOf = (runner: Shown): string => unbroken(runner.name ?? '') || formatGroup(runner);

const linesOf = (distance: string, runners: readonly BoardRunner[]): Line[] =>
  runners.map((runner) => ({ runner, distance, behind: secondsBehind(runner, runners) }));

function arrivalsOf(races: readonly BoardRace[], rows: number): Screen {
  const latest = races
    .flatMap(({ distance, arrivals, leaders }) =>
      arrivals.map((runner) => ({ runner, distance, behind: secondsBehind(runner, leaders) })),
    )
    .sort((one, other) => descending(one.runner.arrived_at, other.runner.arrived_at));
  const [race] = races;
  const distance = races.length === 1 && race ? race.distance : '';
  const isFew = latest.length > 0 && latest.length < rows - 1;
  const lines = [...latest, ...(isFew ? stillToCome(races) : [])];
  return { title: titled(distance, 'arrivals'), lines, isArrivals: true };
}

/** The lines below the first arrivals: the first runners at each point who have come no further, or else the counts. */
function stillToCome(races: readonly BoardRace[]): Line[] {
  const seen = new Set(races.flatMap(({ arrivals }) => arrivals.map((one) => one.bib_number)));
  const onCourse = coursesOf(races).flatMap(({ title, distance, first }) => {
    const here = first
      .map((one, at) => ({ ...one, place: at + 1 }))
      .filter(({ bib_number }) => !seen.has(bib_number) && seen.add(bib_number));
    return here.length > 0 ? [{ heading: title }, ...linesOf(distance, here)] : [];
  });
  if (onCourse.length > 0) return onCourse;
  return races.map(({ distance, counts, entered }) => ({
    heading: headed(distance, text('passedOf', { passed: counts.FINISHED, of: entered })),
  }));
}

/** A point of the course: the latest runners at the point, in all races with the point. */
function pointOf(races: readonly BoardRace[], name: string): Screen {
  const points = races.flatMap(({ distance, entered, points }) =>
    points
      .filter(({ point }) => foldedPoint(point) === foldedPoint(name))
      .map((point) => ({ distance, entered, ...point })),
  );
  const passed = points.reduce((sum, point) => sum + point.passed, 0);
  const of = points.reduce((sum, point) => sum + Math.max(point.passed, point.entered), 0);
  const counted = text('passedOf', { passed, of });
  const shown = points.flatMap(({ distance, ...point }) =>
    withPlaces(point).map((runner) => ({ runner, distance })),
  );
  return {
    title: `${points[0]?.point ?? name} · ${counted}`,
    lines: shown.sort((one, other) => descending(one.runner.time, other.runner.time)),
    isArrivals: true,
  };
}

/** The latest runners at a point are its slowest, so the total gives their places. Equal times share a place. */
function withPlaces({ passed, latest }: Pick<BoardPoint, 'passed' | 'latest'>): Shown[] {
  return latest.map((runner) => {
    const last = latest.findLastIndex(({ time }) => time === runner.time);
    const isWhole = last < latest.length - 1 || latest.length >= passed;
    return isWhole ? { ...runner, place: passed - last } : runner;
  });
}

/** The points of each race, from the last passed point back to the start. */
const coursesOf = (races: readonly BoardRace[]) =>
  races.flatMap(({ distance, ...race }) =>
    race.points
      .toReversed()
      .filter(({ passed }) => passed > 0)
      .map(({ point, first }) => {
        const screen = pointOf([{ distance, ...race }], point);
        const title = headed(distance, screen.title);
        return { ...screen, title, distance, first };
      }),
  );

/** @param known so many leaders are shown elsewhere */
function listsOf(
  { distance, leaders, genders, categories }: BoardRace,
  rows: number,
  known: number,
): Screen[] {
  if (leaders.length <= known) return [];
  const screenOf = (name: 'leaders' | 'genders' | 'categories', shown: Line[]): Screen => ({
    title: titled(distance, name),
    distance,
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
          ...linesOf(distance, group.leaders.slice(0, PODIUM)).map((line) =>
            ungrouped(line, group),
          ),
        ]);
      screens.push(screenOf(name, shown));
    }
  }
  return screens;
}

/** Leaves out of a named runner's line what the heading above says. */
const ungrouped = (line: Line, { category }: Pick<BoardRunner, 'category'>): Line =>
  'runner' in line && line.runner.name
    ? {
        ...line,
        runner: {
          ...line.runner,
          gender: null,
          category: category === null ? line.runner.category : null,
        },
      }
    : line;

/** The finish times of a race and its arrivals per minute, by gender. */
function picturesOf(race: BoardRace, isRunning: boolean): Screen[] {
  const { distance } = race;
  const { finishTimes, arrivalTimes } = chartsOf(race, !isRunning);
  const screenOf = (name: 'finishTimes' | 'arrivalsPerMinute', draw: Screen['draw']): Screen[] =>
    draw ? [{ title: titled(distance, name), distance, lines: [], isArrivals: false, draw }] : [];
  return [
    ...screenOf('finishTimes', finishTimes && ((box) => showFinishTimes(box, finishTimes))),
    ...screenOf('arrivalsPerMinute', arrivalTimes && ((box) => showArrivals(box, arrivalTimes))),
  ];
}

const headed = (distance: string, what: string) => [distance, what].filter(Boolean).join(' · ');

const titled = (distance: string, list: Parameters<typeof text>[0]) => headed(distance, text(list));

/**
 * @param row of `makeHeading` or `makeRow`
 * @param title of the screen. A row names its race unless the title does
 * @param isArrivals runners stand out, without medals
 */
function fillLine(row: HTMLElement, line: Line, { title, isArrivals }: Screen): void {
  if ('heading' in line) {
    write(row, { bdi: line.heading });
    return;
  }
  const { runner, distance, behind } = line;
  write(row, {
    '.place': runner.place === undefined ? '' : formatNumber(runner.place),
    '.wall-bib': runner.bib_number ?? '–',
    '.wall-name': nameOf(runner),
    '.wall-group': runner.name ? formatGroup(runner) : '',
    '.wall-race': title.startsWith(`${distance} ·`) ? '' : distance,
  });
  fillTime(part(row, '.time'), timeText(runner), behind);
  setMedal(row, isArrivals ? null : (runner.place ?? null));
  row.classList.toggle('new', isArrivals && view?.fresh.has(runner.bib_number) === true);
}
