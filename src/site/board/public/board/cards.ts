import { lengthKm } from '../../../../timing-files/read/distance.ts';
import { isRun, paceSeconds, secondsOf, secondsTo } from '../../../../timing-files/read/pace.ts';
import { foldedPoint, kmOfPoint } from '../../../../timing-files/read/point.ts';
import type { BoardRace, BoardResult } from '../../../../worker/board/answer-schemas.ts';
import { byId, copyOf, DOT, keyed, part, setText, write } from '../shared/dom.ts';
import { goTo, openBibs, opening, setLink } from './address.ts';
import type { Leg } from './charts.ts';
import { follow, followed, isFollowed } from './followed.ts';
import {
  formatAgo,
  formatGap,
  formatGroup,
  formatMinute,
  formatMoment,
  formatPace,
  formatSeconds,
  formatTime,
  text,
  unbroken,
} from './formats.ts';
import { lazily } from './later.ts';
import { NO_LIST, PAGE_SIZE } from './list.ts';
import { certified, worthOf } from './official.ts';
import type { Polled } from './poll.ts';
import { fillPairs, setMedal, timeText } from './runner.ts';
import { serverNow } from './server-clock.ts';

const COPIED_MS = 3_000;
/** A share of fewer finishers says nothing. */
const SHARED_FROM = 10;
const SAID_FROM_PERCENT = 50;
/** A runner so late at the next point has stopped, or walks at an unknown pace: no estimate is honest. */
const OVERDUE_MS = 30 * 60_000;
/** An unknown value keeps its room. */
const UNKNOWN = '–';

type Standing = BoardResult['overall'] | undefined;

/** The runner of the large card. */
let printed: BoardResult | undefined;

/** The races of the board, whose points runners pass. */
let races: readonly BoardRace[] = [];

export const setRaces = (shown: readonly BoardRace[]): void => {
  races = shown;
};

/** In a race without points and with arrivals, a runner's next news is the result. */
const isResultNext = () =>
  races.some(
    ({ counts, points }) =>
      points.every(({ passed }) => passed === 0) && Object.values(counts).some(Boolean),
  );

/** Makes the large card of a runner. */
export function makeCard(isOpen: boolean): HTMLElement {
  const card = copyOf('result', text);
  const opener = document.activeElement;
  part(card, '.close').addEventListener('click', () => {
    goTo({ bib: undefined }, false);
    // A focused field would open the keyboard of a phone.
    const back = opener instanceof HTMLAnchorElement && opener.isConnected ? opener : undefined;
    (back ?? part(document, '#event-name')).focus({ preventScroll: true });
  });
  const share = part(card, '.share');
  share.addEventListener('click', () => void shareRunners(share));
  part(card, '.print').addEventListener('click', () => void printCard());
  part(card, '.follow').addEventListener('click', () => {
    const [bib = ''] = openBibs();
    follow(bib, !isFollowed(bib));
    goTo({}, false);
  });
  // Splits and pictures known at first stand open. Opening later splits would move the page.
  part(card, 'details').toggleAttribute('open', isOpen);
  return card;
}

/** Prints the certificate of a finisher, or else the card. Without the script of certificates, the card is printed too. */
const printCard = () =>
  import('./certificate/certificate.ts').then(
    (script) => script.printCard(certified(), printed, timesOf(printed)[0]),
    () => print(),
  );

/** Shares the address of the runners alone, without the reader's own colours and language. */
async function shareRunners(button: HTMLElement): Promise<void> {
  const bibs = openBibs().map(encodeURIComponent).join();
  const url = `${location.origin}${location.pathname}?bib=${bibs}`;
  // The frame of another site may forbid the dialog, the clipboard or both. A reader may close the dialog.
  const isClosed = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';
  if (typeof navigator.share === 'function') {
    const shared = navigator.share({ title: document.title, url });
    if (await shared.then(() => true, isClosed)) return;
  }
  const isCopied = await navigator.clipboard.writeText(url).then(
    () => true,
    () => false,
  );
  setText(button, text(isCopied ? 'copied' : 'notCopied'));
  setTimeout(() => setText(button, text('share')), COPIED_MS);
}

/** @param result undefined while the runner is searched */
export function fillCard(card: HTMLElement, asked: string, result: BoardResult | undefined): void {
  printed = result;
  const bib = result ? (result.bib_number ?? UNKNOWN) : asked;
  const groups = result ? formatGroup(result) : '';
  const line = [unbroken(result?.distance ?? ''), groups].filter(Boolean).join(DOT);
  const name = result?.name && unbroken(result.name);
  const splits = result?.splits ?? [];
  write(card, {
    '.bib': bib,
    h2: name ?? (line || text('bibIs', { bib })),
    '.role': name ? line : '',
    '.history': [result ? worthOf(result) : '', ...(result?.history ?? []).map(eventText)]
      .filter(Boolean)
      .join(DOT),
    '.follow span': text(isFollowed(asked) ? 'following' : 'follow'),
  });
  part(card, '.follow').setAttribute('aria-pressed', String(isFollowed(asked)));
  fillTimes(card, result);
  // Without https, neither a dialog nor a clipboard exists.
  part(card, '.share').hidden = !isSecureContext;
  fillPairs(
    part(card, '.splits'),
    splits.map(({ name, time, place }) => [
      name,
      formatTime(time) + (place ? DOT + text('pointPlace', { place }) : ''),
    ]),
  );
  fillPlaces(card, result);
  const hasPictures = fillPictures(card, result);
  part(card, '.splits-part').classList.toggle('none', splits.length === 0 && !hasPictures);
  const inList = part(card, '.in-list');
  inList.classList.toggle('none', !result?.overall);
  setLink(inList, {
    ...NO_LIST,
    list: '',
    distance: result?.distance ?? '',
    page: String(Math.ceil((result?.overall?.place ?? 1) / PAGE_SIZE)),
    place: String(result?.overall?.place ?? 1),
  });
}

/**
 * The time behind the runner's place, and the second time. Without a chip time, a runner is ranked by gun time, and
 * vice versa.
 */
function timesOf(result: BoardResult | undefined): [string | null, string | null] {
  const { chip_time = null, gun_time = null, rank_by = 'chip' } = result ?? {};
  const [first, second] = rank_by === 'chip' ? [chip_time, gun_time] : [gun_time, chip_time];
  return first === null ? [second, null] : [first, second];
}

/** The time of the result; before a result, the time at the runner's last point. */
function fillTimes(card: HTMLElement, result: BoardResult | undefined): void {
  const [time] = timesOf(result);
  const pace = paceSeconds(time, result?.distance ?? null);
  const last = result?.status === null ? result.splits.at(-1) : undefined;
  const awaited = text(result ? 'noResultYet' : 'searching');
  const reached = last ? formatTime(last.time) : awaited;
  setText(
    part(card, '.final .clock'),
    result?.status ? timeText({ time, status: result.status }) : reached,
  );
  const reachedAt =
    last && (isSinceGun(result) ? text('sinceGun', { point: last.name }) : last.name);
  write(card, { '.final .pace': reachedAt ?? (pace === undefined ? '' : formatPace(pace)) });
  part(card, '.final').classList.toggle('out', time === null && !last);
}

const charts = lazily(
  () => import('./charts.ts'),
  () => {
    for (const draw of undrawn.splice(0)) draw();
  },
);
const undrawn: (() => void)[] = [];

/**
 * Shows the paces between the points, and the finish among all finishes of the gender.
 * @returns whether the card has a picture
 */
function fillPictures(card: HTMLElement, result: BoardResult | undefined): boolean {
  const race = races.find(({ distance }) => distance === (result?.distance ?? ''));
  const [time] = timesOf(result);
  const legs = result ? legsOf(result, race) : [];
  const times = result?.status === 'FINISHED' && time !== null ? race?.finish_times : null;
  const own = times?.groups.find(({ gender }) => gender === (result?.gender ?? null));
  const isAmong = (own?.counts.reduce((sum, count) => sum + count, 0) ?? 0) >= SHARED_FROM;
  part(card, '.paces').hidden = legs.length < 2;
  part(card, '.among').hidden = !isAmong;
  const group = formatGroup({ gender: result?.gender ?? null, category: null });
  write(card, { '.among figcaption': text(group ? 'hereTitle' : 'finishTimes', { group }) });
  const draw = () => {
    const [paces, among] = card.querySelectorAll<SVGSVGElement>('.chart svg');
    const script = charts();
    if (!script || !result) return;
    if (paces && legs.length > 1) script.showPaces(paces, legs);
    if (among && isAmong && times && time !== null) {
      const runner = { bib: result.bib_number ?? UNKNOWN, gender: result.gender };
      script.showHere(among, times, { ...runner, seconds: secondsOf(time) });
    }
  };
  if (legs.length < 2 && !isAmong) return false;
  if (charts()) draw();
  else undrawn.push(draw);
  return true;
}

/** Where a point stands on the course of a race; -1 if the race has no such point. */
function indexIn(race: BoardRace | undefined, name: string): number {
  const folded = foldedPoint(name);
  return race?.points.findIndex(({ point }) => foldedPoint(point) === folded) ?? -1;
}

/** How far a point is from the start: as told, else as the name says. */
const kmIn = (race: BoardRace | undefined, name: string): number | undefined =>
  race?.points[indexIn(race, name)]?.km ?? kmOfPoint(name);

/** The parts of the course between the runner's splits, with plausible paces; none for an unknown length. */
function legsOf(result: BoardResult, race: BoardRace | undefined): Leg[] {
  const km = lengthKm(result.distance ?? '');
  const [time] = result.status === 'FINISHED' ? timesOf(result) : [null];
  const finish = time !== null && km ? [{ name: text('finish'), km, time }] : [];
  const seen = result.splits.flatMap(({ name, time }) => {
    const at = kmIn(race, name);
    return at ? [{ name, km: at, time }] : [];
  });
  const stops = [{ name: text('start'), km: 0, time: '00:00:00' }, ...seen, ...finish];
  const legs = stops.slice(1).map((stop, at) => {
    const before = stops[at] ?? stop;
    const length = stop.km - before.km;
    const secondsPerKm = (secondsOf(stop.time) - secondsOf(before.time)) / length;
    return { from: before.name, to: stop.name, km: length, secondsPerKm };
  });
  return legs.every((leg) => leg.km > 0 && isRun(leg.secondsPerKm * leg.km, leg.km)) ? legs : [];
}

type HistoryEvent = BoardResult['history'][number];

const eventText = ({ what, at, reason }: HistoryEvent): string => {
  const said = text(`history.${what}`, {
    at: at === null ? UNKNOWN : formatMoment(Date.parse(at), serverNow()),
  });
  return reason === null ? said : text('because', { said, reason });
};

/** @param passedAt ISO 8601 */
function passedText(passedAt: string): string {
  const at = Date.parse(passedAt);
  return `${formatMinute(at)}${DOT}${formatAgo(at, serverNow())}`;
}

/** Nobody knows when the runner crossed the start line, so the times are since the gun. */
const isSinceGun = (result: BoardResult | undefined) => result?.start_delay === null;

/**
 * The last point of a runner on the course, and when the next point and the finish are expected: at a time of day if
 * the start was told, else so long after the start.
 */
function onCourse(result: BoardResult | undefined) {
  const last = result?.status === null ? result.splits.at(-1) : undefined;
  if (!result || !last) return undefined;
  const passedAt = last.passed_at === null ? undefined : Date.parse(last.passed_at);
  // Nobody knows how much of the only time was the wait for a later wave.
  const isAtMost = isSinceGun(result) && result.splits.length === 1;
  const race = races.find(({ distance }) => distance === (result.distance ?? ''));
  const kmOf = (name: string) => kmIn(race, name);
  const aboutAt = (km: number | undefined) => {
    const seconds = secondsTo(km, result.splits, isSinceGun(result), kmOf);
    if (seconds === undefined) return undefined;
    if (passedAt === undefined) {
      const time = formatSeconds(secondsOf(last.time) + seconds);
      return text(isAtMost ? 'aboutAfterAtMost' : 'aboutAfter', { time });
    }
    const time = formatMinute(passedAt + 1_000 * seconds);
    return text(isAtMost ? 'aboutAtMost' : 'about', { time });
  };
  const next = race?.points[indexIn(race, last.name) + 1]?.point;
  const finishKm = lengthKm(result.distance ?? '');
  const nextKm = next === undefined ? finishKm : kmOf(next);
  const toNext = secondsTo(nextKm, result.splits, isSinceGun(result), kmOf);
  const lateMs =
    passedAt === undefined || toNext === undefined ? 0 : serverNow() - passedAt - 1_000 * toNext;
  const isExpected = lateMs < OVERDUE_MS;
  const place = result.place_at_last_point;
  return {
    last,
    where: place ? text('placeAtPoint', { point: last.name, place }) : last.name,
    next: next === undefined || !isExpected ? undefined : { point: next, at: aboutAt(nextKm) },
    finishAt: isExpected ? aboutAt(finishKm) : undefined,
  };
}

/** The known facts of a runner on the course, in the room of the places. */
function courseOf(result: BoardResult | undefined): (readonly [string, string])[] {
  const course = onCourse(result);
  if (!course) {
    const startsAt = result?.status === null ? result.starts_at : null;
    return startsAt === null || startsAt === undefined
      ? []
      : [[text('ownStart'), formatMinute(Date.parse(startsAt))]];
  }
  const { last, where, next, finishAt } = course;
  return [
    ...(finishAt ? [[text('expected'), finishAt] as const] : []),
    last.passed_at ? [where, passedText(last.passed_at)] : [text('lastPoint'), where],
    ...(next?.at ? [[next.point, next.at] as const] : []),
  ];
}

/**
 * A card without a result keeps room for the result, so that nothing moves. A runner without a finish has no places.
 */
function fillPlaces(card: HTMLElement, result: BoardResult | undefined): void {
  const isKnown = result?.status === 'FINISHED';
  const { overall, in_gender, in_category } = result ?? {};
  const places = [
    ...pairOf(text('overall'), overall),
    ...pairOf(groupName(result, 'gender'), in_gender),
    ...pairOf(groupName(result, 'category'), in_category),
  ];
  const isOut = Boolean(result?.status) && !isKnown;
  setMedal(part(card, '.places'), isKnown ? (overall?.place ?? null) : null);
  const course = courseOf(result);
  fillPairs(part(card, '.places'), isKnown ? places : course);
  fillAhead(card, result?.overall);
  const gap = result?.gap;
  const [time, other] = timesOf(result);
  const facts: [string, string][] = [];
  if (gap && time && result?.overall?.place !== 1) {
    facts.push([text('gap'), formatGap(time, gap)]);
  }
  // The time above is the ranking time.
  const otherName = result?.rank_by === 'chip' ? 'gunTime' : 'chipTime';
  // Without a wait at the start line, both are equal.
  if (other && other !== time) facts.push([text(otherName), formatTime(other)]);
  fillPairs(part(card, '.facts'), isKnown ? facts : []);
  part(card, '.places').hidden = isOut;
  for (const selector of ['.ahead', '.facts']) part(card, selector).hidden = !isKnown;
  // Without places the card is as high as its texts. The card of a runner with a result to come keeps the whole room.
  const isBefore = result?.status === null && !isResultNext();
  card.classList.toggle('short', isOut || isBefore || course.length > 0);
}

const pairOf = (name: string, standing: Standing) =>
  standing ? ([[name, placeText(standing)]] as const) : [];

/** The gender or the category of a runner in words. */
const groupName = (result: BoardResult | undefined, group: 'gender' | 'category'): string => {
  const { gender = null, category = null } = result ?? {};
  const name = formatGroup({ gender, category: group === 'category' ? category : null });
  return name || text(group === 'gender' ? 'genderLabel' : 'categoryLabel');
};

const placeText = ({ place, of }: NonNullable<Standing>) => text('placeOf', { place, of });

/** How many finishers of the race were slower. A runner of the slower half does not read the share. */
function fillAhead(card: HTMLElement, standing: Standing): void {
  const { place = 0, of = 0 } = standing ?? {};
  const share = of >= SHARED_FROM ? Math.floor((100 * (of - place)) / of) : 0;
  setText(part(card, '.ahead'), share >= SAID_FROM_PERCENT ? text('fasterThan', { share }) : '');
}

/** The runners without the large card: further runners in the address, and followed runners. */
export function otherBibs(): string[] {
  const [first, ...others] = openBibs();
  return [...new Set([...others, ...followed()])].filter((bib) => bib !== first).slice(0, 7);
}

type PolledResult = Polled<BoardResult> | undefined;

/** Fills the small cards. */
export function fillOthers(answers: ReadonlyMap<string, PolledResult>): void {
  const list = byId('others', HTMLElement);
  const bibs = [...answers.keys()];
  list.hidden = bibs.length === 0;
  keyed(
    list,
    bibs,
    (bib) => bib,
    (bib) => {
      const card = copyOf('other', text);
      part(card, '.close').addEventListener('click', () => {
        follow(bib, false);
        goTo(
          {
            bib:
              openBibs()
                .filter((one) => one !== bib)
                .join() || undefined,
          },
          false,
        );
      });
      return card;
    },
    (card, bib) => fillOther(card, bib, answers.get(bib)),
  );
}

function fillOther(card: HTMLElement, bib: string, answer: PolledResult): void {
  const result = answer?.body;
  const [time] = timesOf(result);
  const course = onCourse(result);
  const last = course?.last;
  const known = answer?.state === 'none' ? text('unknownBib', { bib }) : text('awaited');
  write(card, {
    '.bib': result?.bib_number ?? bib,
    '.name': unbroken(result?.name ?? result?.distance ?? ''),
    '.details': result?.overall
      ? placeText(result.overall)
      : course
        ? [
            course.where,
            course.next?.at && `${course.next.point} ${course.next.at}`,
            course.finishAt && text('finishAt', { at: course.finishAt }),
          ]
            .filter(Boolean)
            .join(DOT)
        : '',
  });
  const shown = last ? formatTime(last.time) : known;
  setText(part(card, '.clock'), result?.status ? timeText({ time, status: result.status }) : shown);
  card.classList.toggle('out', time === null && !last);
  const link = part(card, 'a');
  const others = openBibs().filter((one) => one !== bib);
  setLink(link, { ...opening(bib), bib: [bib, ...others].join() });
  part(card, '.close').setAttribute('aria-label', text('unfollow', { bib }));
}
