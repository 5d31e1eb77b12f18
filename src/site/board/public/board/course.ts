import {
  type CourseLine,
  courseLine,
  densityOf,
  movedOn,
  runnersBetween,
  whereOnCourse,
} from '../../../../timing-files/read/course-line.ts';
import { lengthKm } from '../../../../timing-files/read/distance.ts';
import { secondsOf } from '../../../../timing-files/read/pace.ts';
import { statusesWhere } from '../../../../timing-files/read/result-status.ts';
import { startOf } from '../../../../timing-files/read/starts.ts';
import type {
  BoardRace,
  BoardResult,
  BoardRunner,
  BoardSnapshot,
} from '../../../../worker/board/answer-schemas.ts';
import { write } from '../shared/dom.ts';
import { setAll, svg } from '../shared/svg.ts';
import { formatNumber, locale } from '../shared/texts.ts';
import { text, unbroken } from './formats.ts';
import { serverNow } from './server-clock.ts';
import { gunsOf } from './starts.ts';

/** Sizes of the picture, in heights of its text. */
const HEIGHT = 7.4;
const BASE = 4.1;
const BAND = 1.45;
const SIDE = 0.7;
const LANE = 1.4;
const LANES = 2;
const COLUMNS = 120;
/** A shown runner within this part of the course is where the estimate is. */
const CLOSE = 0.0005;
const SECOND_MS = 1_000;
/** Runners of these statuses have left the course. */
const OUT = statusesWhere(({ hasStarted }) => hasStarted);

/** A runner on the line: the leader, or a runner whom the reader follows. */
type Marked = {
  key: string;
  label: string;
  /** In words. */
  who: string;
  isLeader: boolean;
  /** The runner's last point. A correction may take the point away. */
  from: number;
  /** The estimate at a time. */
  atMs(nowMs: number): number;
};

type View = {
  event: BoardSnapshot['event'];
  race: BoardRace;
  followed: readonly BoardResult[];
};

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Draws the course of a race: the points, the field, the leader and the followed runners. */
export class CoursePicture {
  readonly #figure: HTMLElement;
  readonly #picture: SVGSVGElement;
  #view: View | undefined;
  #line: CourseLine = courseLine([], undefined);
  #marked: readonly Marked[] = [];
  /** Where each runner stands in the picture, by key. */
  readonly #shown = new Map<string, { at: number; from: number }>();
  #pins = new Map<string, SVGGElement>();
  #movedAt = 0;
  #isMoving = false;

  /** @param figure has the empty picture, whose room is reserved, and a paragraph for the words */
  constructor(figure: HTMLElement) {
    this.#figure = figure;
    const picture = figure.querySelector('svg');
    if (!picture) throw new Error('The figure has no picture.');
    this.#picture = picture;
    new ResizeObserver(() => this.#draw()).observe(this.#picture);
    setInterval(() => still.matches || this.#move(), SECOND_MS);
  }

  show(view: View): void {
    const known = this.#view;
    const isNew =
      view.race !== known?.race || view.followed.some((one, at) => one !== known.followed[at]);
    this.#view = view;
    const { race, event } = view;
    const isOther = this.#line.points.length !== race.points.length;
    this.#line = courseLine(race.points, lengthKm(race.distance));
    this.#marked = [leaderOf(this.#line, event, race), ...followedOf(this.#line, view)].flatMap(
      (one) => one ?? [],
    );
    const keys = new Set(this.#marked.map(({ key }) => key));
    for (const key of this.#shown.keys()) if (isOther || !keys.has(key)) this.#shown.delete(key);
    this.#place(isNew);
    this.#draw();
  }

  #draw(): void {
    const { width } = this.#picture.getBoundingClientRect();
    if (!this.#view || width === 0) return;
    const unit = Number.parseFloat(getComputedStyle(this.#picture).fontSize);
    const [w, side] = [width / unit, SIDE];
    setAll(this.#picture, { viewBox: `0 0 ${w.toFixed(3)} ${HEIGHT}` });
    const x = (at: number) => side + at * (w - 2 * side);
    const { race, event } = this.#view;
    const passed = this.#line.points.map(({ point }) =>
      race.points.find((one) => one.point === point),
    );
    const hasField = passed.some((point) => point && point.passed > 0);
    const guns = gunsOf(event, race.distance).map((gun) => (serverNow() - gun) / SECOND_MS);
    const field = fieldOf(race);
    const density = hasField ? densityOf(this.#line, field, guns, COLUMNS) : [];
    const band = svg('path', { class: 'band', d: bandOf(density, x) });
    const ends = [0, ...this.#line.points.map(({ at }) => at), 1];
    const lead = Math.max(
      0,
      ...this.#marked.filter((one) => one.isLeader).map(({ key }) => this.#at(key)),
    );
    const old = this.#picture.querySelector('.band');
    const names = [text('start'), ...this.#line.points.map(({ point }) => point), text('finish')];
    const legs = runnersBetween(field);
    this.#pins = new Map(this.#marked.map((one) => [one.key, pinOf(one)]));
    this.#picture.replaceChildren(
      old instanceof SVGPathElement ? old : band,
      svg('path', { class: 'track', d: `M${x(0)} ${BASE}H${x(1)}` }),
      svg('path', { class: 'track led', d: `M${x(0)} ${BASE}H${x(lead).toFixed(2)}` }),
      ...ends.slice(0, -1).map((at, index) => {
        const isPassed = index === 0 ? hasField : (passed[index - 1]?.passed ?? 0) > 0;
        return svg('circle', {
          class: isPassed ? 'stop on' : 'stop',
          cx: fine(x(at)),
          cy: BASE,
          r: fine(0.3),
        });
      }),
      ...flagAt(x(1)),
      ...names.map((name, index) => nameAt(name, index, ends, x, w)),
      ...(hasField || legs.length === 1 ? countsOf(legs, ends, x) : []),
      ...this.#pins.values(),
    );
    leaveOut(this.#picture);
    // The old path stays in the page, so the band moves to its new form.
    old?.setAttribute('d', bandOf(density, x));
    this.#arrange(x, w);
    this.#say(legs, names, hasField);
  }

  /** Where a runner stands. */
  #at(key: string): number {
    return this.#shown.get(key)?.at ?? 0;
  }

  /** Takes new runners and new estimates. In a still picture, all stand where the last data put them. */
  #place(isNew: boolean): void {
    for (const { key, from, atMs } of this.#marked) {
      const known = this.#shown.get(key);
      const at = atMs(serverNow());
      if (!known || (still.matches && isNew) || from < known.from)
        this.#shown.set(key, { at, from });
      else known.from = from;
    }
  }

  #move(): void {
    if (this.#isMoving || this.#marked.length === 0) return;
    this.#isMoving = true;
    this.#movedAt = performance.now();
    requestAnimationFrame(() => this.#step());
  }

  #step(): void {
    const now = performance.now();
    const passedMs = now - this.#movedAt;
    this.#movedAt = now;
    let isBehind = false;
    for (const { key, atMs } of this.#marked) {
      const known = this.#shown.get(key);
      if (!known) continue;
      const estimate = atMs(serverNow());
      known.at = movedOn(known.at, estimate, passedMs);
      isBehind ||= estimate - known.at > CLOSE;
    }
    const { width } = this.#picture.getBoundingClientRect();
    const w = width / Number.parseFloat(getComputedStyle(this.#picture).fontSize);
    if (width > 0) this.#arrange((at) => SIDE + at * (w - 2 * SIDE), w);
    this.#isMoving = isBehind;
    if (isBehind) requestAnimationFrame(() => this.#step());
  }

  /** Puts the runners on the line, with their labels in lanes above. The last lane takes the rest without a label. */
  #arrange(x: (at: number) => number, w: number): void {
    const ends: number[] = Array(LANES).fill(Number.NEGATIVE_INFINITY);
    const lanes: SVGGElement[][] = [...ends, 0].map(() => []);
    const order = this.#marked.toSorted((one, other) => this.#at(one.key) - this.#at(other.key));
    for (const { key, label } of order) {
      const pin = this.#pins.get(key);
      if (!pin) continue;
      const at = x(this.#at(key));
      const width = 0.9 + 0.56 * label.length;
      const left = Math.min(Math.max(0.05, at - width / 2), w - width - 0.05);
      const lane = ends.findIndex((end) => end <= left);
      if (lane >= 0) ends[lane] = left + width + 0.25;
      lanes.at(lane)?.push(pin);
      fillPin(pin, { at, left, width, top: lane < 0 ? undefined : BASE - 1.7 - lane * LANE });
    }
    // A label stands before the stems of the labels above.
    const inOrder = lanes.toReversed().flat();
    if (
      inOrder.some(
        (pin, at) =>
          pin !== this.#picture.children[at - inOrder.length + this.#picture.childElementCount],
      )
    )
      this.#picture.append(...inOrder);
  }

  #say(legs: readonly number[], names: readonly string[], hasField: boolean): void {
    if (!this.#view) return;
    const { counts, entered } = this.#view.race;
    const out = OUT.reduce((sum, status) => sum + counts[status], 0);
    const between = legs.map((count, at) =>
      text('between', { from: names[at] ?? '', to: names[at + 1] ?? '', runners: count }),
    );
    const runners = this.#marked.map((one) => `${one.who}: ${this.#where(one)}`);
    const onCourse = text('onCourse', { count: Math.max(0, entered - out) });
    const isSaid = hasField || counts.FINISHED > 0;
    this.#picture.setAttribute(
      'aria-label',
      [
        isSaid ? onCourse : `${names.join(', ')}.`,
        ...[...(isSaid ? between : []), ...runners].map((said) => `${said}.`),
      ].join(' '),
    );
    // A runner who is out of the race counts behind the last point that saw the runner.
    const gone = out - counts.FINISHED;
    const isEqual = this.#line.km === undefined && this.#line.points.length > 0;
    const how = [
      this.#marked.some(({ from }) => from > 0 && from < 1) ? text('estimated') : '',
      isEqual ? text('equalDistances') : '',
      hasField && gone > 0 ? text('gone', { count: gone }) : '',
    ];
    write(this.#figure, {
      '.line-words strong': isSaid ? onCourse : '',
      '.line-words span': how.filter(Boolean).join(' '),
    });
  }

  #where({ from, key }: Marked): string {
    const at = this.#at(key);
    if (at >= 1) return text('finish');
    const point = this.#line.points.find((one) => one.at === from)?.point ?? text('start');
    if (at - from < CLOSE || this.#line.km === undefined) return text('afterPoint', { point });
    const km = (at * this.#line.km).toLocaleString(locale, { maximumFractionDigits: 1 });
    return text('aboutKm', { km });
  }
}

const fine = (number: number): string => number.toFixed(2);

const fieldOf = ({ entered, counts, points }: BoardRace) => ({
  entered,
  finished: counts.FINISHED,
  points,
});

/** The field as a band around the line: as wide as the field is dense. */
function bandOf(density: readonly number[], x: (at: number) => number): string {
  const most = Math.max(...density, 0);
  if (most === 0) return `M${fine(x(0))} ${BASE}H${fine(x(1))}Z`;
  const points = density.map((count, column): [number, number] => [
    x((column + 0.5) / density.length),
    // A small part of the field stays in sight.
    BAND * Math.sqrt(count / most),
  ]);
  const upper = points.map(([at, high]) => `${fine(at)} ${fine(BASE - high)}`);
  const lower = points.toReversed().map(([at, high]) => `${fine(at)} ${fine(BASE + high)}`);
  return `M${fine(x(0))} ${BASE}L${upper.join('L')}L${fine(x(1))} ${BASE}L${lower.join('L')}Z`;
}

/** A name below its place: the start at the left edge, the finish at the right edge. */
function nameAt(
  name: string,
  index: number,
  ends: readonly number[],
  x: (at: number) => number,
  w: number,
): SVGElement {
  const isLast = index === ends.length - 1;
  const anchor = index === 0 ? 'start' : isLast ? 'end' : 'middle';
  const from = index === 0 ? 0.1 : isLast ? w - 0.1 : x(ends[index] ?? 1);
  return svg(
    'text',
    { class: 'at', x: fine(from), y: fine(BASE + 2), 'text-anchor': anchor },
    name,
  );
}

/** Removes the names without room: the start and the finish stay. */
function leaveOut(picture: SVGSVGElement): void {
  const names = picture.querySelectorAll<SVGTextElement>('.at');
  const boxes = [...names].map((name) => name.getBBox());
  const lastFrom = (boxes.at(-1)?.x ?? 0) - 0.4;
  let free = 0;
  for (const [index, { x, width }] of boxes.slice(0, -1).entries()) {
    if (index > 0 && (x < free || x + width > lastFrom)) names[index]?.remove();
    else free = x + width + 0.4;
  }
}

/** How many runners are between two points: in words if each leg has room for its words. */
function countsOf(
  legs: readonly number[],
  ends: readonly number[],
  x: (at: number) => number,
): SVGElement[] {
  const told = legs.flatMap((count, leg) => {
    const [from, to] = [x(ends[leg] ?? 0), x(ends[leg + 1] ?? 1)];
    return count > 0 ? [{ count, at: (from + to) / 2, width: to - from }] : [];
  });
  const hasRoom = told.every(({ count, width }) => width > 0.7 * text('runners', { count }).length);
  return told.map(({ count, at }) =>
    svg(
      'text',
      { class: 'leg', x: fine(at), y: fine(BASE + 3.25), 'text-anchor': 'middle' },
      hasRoom ? text('runners', { count }) : formatNumber(count),
    ),
  );
}

/** A flag of two columns of squares. */
function flagAt(x: number): SVGElement[] {
  const size = 0.3;
  const frame = svg('rect', {
    class: 'flag frame',
    x: fine(x - size),
    y: fine(BASE - 3 * size),
    width: fine(2 * size),
    height: fine(6 * size),
  });
  const squares = [0, 1, 2, 3, 4, 5].flatMap((row) =>
    [0, 1].map((column) =>
      svg('rect', {
        class: (row + column) % 2 === 0 ? 'flag' : 'flag off',
        x: fine(x + (column - 1) * size),
        y: fine(BASE + (row - 3) * size),
        width: size,
        height: size,
      }),
    ),
  );
  return [frame, ...squares];
}

function pinOf({ label, isLeader, from }: Marked): SVGGElement {
  const kind = isLeader ? 'pin leader' : from === 0 ? 'pin waits' : 'pin';
  return svg(
    'g',
    { class: kind },
    svg('path', { class: 'stem' }),
    svg('rect', { rx: '0.35', height: '1.3' }),
    svg('text', { 'text-anchor': 'middle' }, label),
    svg('circle', { cy: String(BASE), r: isLeader ? '0.46' : '0.38' }),
  );
}

/** @param top of the label; undefined: no lane has room */
function fillPin(
  pin: SVGGElement,
  { at, left, width, top }: { at: number; left: number; width: number; top: number | undefined },
): void {
  const [stem, label, name, dot] = pin.children;
  pin.classList.toggle('bare', top === undefined);
  if (!stem || !label || !name || !dot) return;
  const y = top ?? BASE;
  stem.setAttribute('d', `M${fine(at)} ${BASE}V${fine(y)}`);
  label.setAttribute('x', fine(left));
  label.setAttribute('y', fine(y - 1));
  label.setAttribute('width', fine(width));
  name.setAttribute('x', fine(left + width / 2));
  name.setAttribute('y', fine(y - 0.03));
  dot.setAttribute('cx', fine(at));
}

/** Before the first finish, the first runner at the last passed point. */
function leaderOf(line: CourseLine, event: View['event'], race: BoardRace): Marked | undefined {
  const name = (one: Pick<BoardRunner, 'name' | 'bib_number'>) =>
    unbroken(one.name ?? '') || (one.bib_number ?? '–');
  if (race.leaders.length > 0) return undefined;
  const last = race.points.findLast(({ first }) => first.length > 0);
  const [first] = last?.first ?? [];
  if (!last || !first) return undefined;
  const start = startOf(event.starts, { bib: first.bib_number, distance: race.distance || null });
  const splits = [{ name: last.point, time: first.time }];
  const passedAtMs = start && Date.parse(start.starts_at) + SECOND_MS * secondsOf(first.time);
  const leaderAt = (nowMs: number) =>
    whereOnCourse(line, { splits, passedAtMs, isSinceGun: true }, nowMs);
  return {
    key: `leader ${first.bib_number}`,
    label: `1 ${name(first)}`,
    who: text('leader', { who: name(first) }),
    isLeader: true,
    from: leaderAt(0).from,
    atMs: (nowMs) => leaderAt(nowMs).at,
  };
}

/** The followed runners of a race. A runner who is out stands nowhere. */
function followedOf(line: CourseLine, { race, followed }: View): (Marked | undefined)[] {
  return followed.map((runner) => {
    const isOut = runner.status !== null && runner.status !== 'FINISHED';
    if (isOut || (runner.distance ?? '') !== race.distance) return undefined;
    const bib = runner.bib_number ?? '–';
    const who = [text('bibIs', { bib }), runner.name].filter(Boolean).join(' ');
    const about = { key: bib, label: bib, who, isLeader: false };
    if (runner.status === 'FINISHED') return { ...about, from: 1, atMs: () => 1 };
    const last = runner.splits.at(-1);
    const passedAt = last?.passed_at;
    const seen = {
      splits: runner.splits,
      passedAtMs: passedAt ? Date.parse(passedAt) : undefined,
      isSinceGun: runner.start_delay === null,
    };
    return {
      ...about,
      from: whereOnCourse(line, seen, 0).from,
      atMs: (nowMs) => whereOnCourse(line, seen, nowMs).at,
    };
  });
}
