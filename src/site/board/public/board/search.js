import { byId, copyOf, element, part, setText } from '../shared/dom.js';
import { goTo, onAddress, parameter, setAddress, setLink } from './address.js';
import { formatGroup, formatPace, formatTime, text } from './formats.js';
import { PAGE_SIZE } from './list.js';
import { paceSeconds } from './pace.js';
import { poll } from './poll.js';
import { fillPairs, fillTime, timeText } from './runner.js';

/**
 * Searches a bib and follows it. A cache does not help here, because every viewer may follow another
 * runner. So the page requests the runner again on arrival, when others have arrived, and once a minute.
 */
const FOLLOW_MS = 60_000;
/** The shortest interval while others arrive. */
const OTHERS_MS = 15_000;
const COPIED_MS = 3_000;
/** A share of fewer finishers says nothing. */
const SHARED_FROM = 10;
/** An unknown value keeps its place. */
const UNKNOWN = '–';

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardResult} Result */

const found = byId('found', HTMLElement);
const input = byId('bib', HTMLInputElement);

/** @type {string | undefined} */
let followed;
/** @type {ReturnType<typeof poll> | undefined} */
let following;
/** @type {import('./poll.js').Polled<Result> | undefined} */
let answer;
/** Somebody searched without a bib. */
let lacksBib = false;
let askedAt = 0;

/** The open runner, if the server has answered. @returns {Result | undefined} */
export const openRunner = () => answer?.body;

/** A bib is open, and the server has not answered yet. */
export const isSearching = () => answer?.state === 'connecting' && !answer.body;

/**
 * @param {string} board the address of its data
 * @param {import('./poll.js').First<Result> | undefined} first the runner that came with the page
 * @param {() => void} changed called when another runner, or more of the runner, is known
 */
export function wireSearch(board, first, changed) {
  let isClosed = false;
  byId('search', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const bib = input.value.trim();
    lacksBib = bib === '';
    goTo({ bib: bib || undefined });
    if (lacksBib) input.focus();
  });

  function followAddress() {
    const bib = (!isClosed && parameter('bib')?.trim()) || undefined;
    if (bib !== followed) {
      input.value = bib ?? '';
      follow(bib);
      found.scrollIntoView({ block: 'nearest' });
    }
    render();
  }

  /** @param {string | undefined} bib */
  function follow(bib) {
    following?.stop();
    followed = bib;
    following = undefined;
    answer =
      bib === undefined ? undefined : { state: 'connecting', body: first?.body, asOf: first?.at };
    if (bib === undefined) return;
    lacksBib = false;
    askedAt = Date.now();
    following = poll(`${board}/bibs/${encodeURIComponent(bib)}`, FOLLOW_MS, first, (now) => {
      const hasFinished = answer?.body?.status === null && now.body?.status === 'FINISHED';
      answer = now;
      render();
      if (hasFinished) found.querySelector('.result')?.classList.add('finish');
      changed();
    });
    first = undefined;
  }

  onAddress(followAddress);
  followAddress();
  return {
    /**
     * Looks at once when the runner is among those who arrived, and now and then when others are.
     * @param {readonly { bib_number: string | null }[]} arrived
     */
    seen(arrived) {
      if (!following || arrived.length === 0) return;
      const bib = openRunner()?.bib_number ?? followed;
      const isAmong = arrived.some(({ bib_number }) => bib_number === bib);
      if (!isAmong && Date.now() - askedAt < OTHERS_MS) return;
      askedAt = Date.now();
      following.ask();
    },
    /** Shows nobody while the board is switched off. @param {boolean} closed */
    setClosed(closed) {
      if (closed === isClosed) return;
      isClosed = closed;
      followAddress();
    },
  };
}

function render() {
  found.hidden = !answer && !lacksBib;
  input.setAttribute('aria-invalid', String(lacksBib));
  const message = messageOf();
  if (message !== undefined) {
    found.replaceChildren(element('p', { class: 'message soft', dir: 'auto' }, message));
    return;
  }
  // A runner who is searched or awaited has the same card, so that nothing moves when the result comes.
  let card = found.querySelector('.result');
  if (!(card instanceof HTMLElement)) {
    card = makeResult();
    found.replaceChildren(card);
  }
  fillResult(/** @type {HTMLElement} */ (card), openRunner());
}

/** The text in place of a runner. */
function messageOf() {
  if (!answer) return lacksBib ? text('bibMissing') : '';
  if (answer.body || answer.state === 'connecting' || answer.state === 'current') return undefined;
  if (answer.state === 'none') return text('unknownBib', { bib: followed ?? '' });
  return text(`notice.${answer.state}`);
}

function makeResult() {
  const card = copyOf('result');
  const opener = document.activeElement;
  part(card, '.close').addEventListener('click', () => {
    setAddress({ bib: undefined });
    // A focused field would open the keyboard of a phone.
    const back = opener instanceof HTMLAnchorElement && opener.isConnected ? opener : undefined;
    (back ?? byId('event-name', HTMLElement)).focus({ preventScroll: true });
  });
  const share = part(card, '.share');
  share.addEventListener('click', () => void shareRunner(share));
  // Splits that are known at first stand open. Those that come later would move the page.
  part(card, 'details').toggleAttribute('open', (openRunner()?.splits.length ?? 0) > 0);
  return card;
}

/** The address of the runner alone, without the reader's own colours and language. */
function runnerAddress() {
  const query = new URLSearchParams({ bib: followed ?? '' });
  return `${location.origin}${location.pathname}?${query}`;
}

/** @param {HTMLElement} button */
async function shareRunner(button) {
  const url = runnerAddress();
  if (navigator.share) {
    // Rejects if the reader closes the browser's own dialog.
    await navigator.share({ url, title: document.title }).catch(() => undefined);
    return;
  }
  await navigator.clipboard.writeText(url);
  setText(button, text('copied'));
  setTimeout(() => setText(button, text('share')), COPIED_MS);
}

/**
 * @param {HTMLElement} card
 * @param {Result | undefined} result undefined while the runner is searched
 */
function fillResult(card, result) {
  const isKnown = result !== undefined && result.status !== null;
  const time = result?.chip_time ?? result?.gun_time ?? null;
  const bib = result ? (result.bib_number ?? UNKNOWN) : (followed ?? UNKNOWN);
  const groups = result ? formatGroup(result) : '';
  const line = [result?.distance, groups].filter((detail) => detail).join(' · ');
  setText(part(card, '.bib'), bib);
  setText(part(card, 'h2'), result?.name ?? (line || text('bibIs', { bib })));
  setText(part(card, '.role'), result?.name ? line : '');
  part(card, '.close').setAttribute('aria-label', text('close'));
  const awaited = result ? text('noResultYet') : text('searching');
  fillTime(part(card, '.final .clock'), isKnown ? timeText(time, result.status) : awaited);
  const pace = paceSeconds(time, result?.distance ?? null);
  setText(part(card, '.final .pace'), pace === undefined ? '' : formatPace(pace));
  part(card, '.final').classList.toggle('out', time === null);
  fillPlaces(card, result);
  fillAhead(card, result?.overall);
  fillFacts(card, result);
  const share = part(card, '.share');
  if (share.textContent !== text('copied')) setText(share, text('share'));
  // Without https there is neither a dialog nor a clipboard.
  share.hidden = !('share' in navigator) && !('clipboard' in navigator);
  const inList = part(card, '.in-list');
  setText(inList, text('inList'));
  inList.classList.toggle('none', !result?.overall);
  setLink(inList, {
    list: '',
    gender: undefined,
    category: undefined,
    distance: result?.distance ?? '',
    page: String(Math.ceil((result?.overall?.place ?? 1) / PAGE_SIZE)),
  });
}

/** @param {HTMLElement} card @param {Result | undefined} result */
function fillPlaces(card, result) {
  const placeIn = (/** @type {Result['overall'] | undefined} */ standing) =>
    standing ? text('placeOf', { place: standing.place, of: standing.of }) : UNKNOWN;
  // The names are the same before the result comes, so that nothing moves.
  fillPairs(part(card, '.places'), [
    { name: text('overall'), value: placeIn(result?.overall) },
    { name: text('genderLabel'), value: placeIn(result?.in_gender) },
    { name: text('categoryLabel'), value: placeIn(result?.in_category) },
  ]);
}

/** @param {HTMLElement} card @param {Result | undefined} result */
function fillFacts(card, result) {
  fillPairs(part(card, '.facts'), [
    {
      name: text('gap'),
      value: result?.gap ? `+${formatTime(result.gap).replace(/^0(?=\d)/, '')}` : UNKNOWN,
    },
    { name: text('chipTime'), value: result?.chip_time ? formatTime(result.chip_time) : UNKNOWN },
    { name: text('gunTime'), value: result?.gun_time ? formatTime(result.gun_time) : UNKNOWN },
  ]);
  const splits = result?.splits ?? [];
  setText(part(card, 'summary'), text('splits'));
  part(card, 'details').classList.toggle('none', splits.length === 0);
  fillPairs(
    part(card, '.splits'),
    splits.map((split) => ({ name: split.name, value: formatTime(split.time) })),
  );
}

/** How many finishers of the race were slower. @param {HTMLElement} card @param {Result['overall'] | undefined} standing */
function fillAhead(card, standing) {
  const isSaid = standing && standing.of >= SHARED_FROM && standing.place < standing.of;
  const share = isSaid ? Math.floor((100 * (standing.of - standing.place)) / standing.of) : 0;
  part(card, '.ahead').classList.toggle('none', !isSaid);
  part(card, 'progress').setAttribute('value', String(share));
  setText(part(card, '.ahead p'), text('fasterThan', { share }));
  part(card, 'progress').setAttribute('aria-label', text('fasterThan', { share }));
}
