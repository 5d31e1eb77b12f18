import type { BoardResult } from '../../../../worker/board/answer-schemas.ts';
import { byId, copyOf, element, part, setText, write } from '../shared/dom.js';
import { goTo, onAddress, parameter, setLink } from './address.ts';
import { formatGroup, formatPace, formatTime, text } from './formats.ts';
import { PAGE_SIZE } from './list.ts';
import { paceSeconds } from './pace.ts';
import { type First, Follower } from './poll.ts';
import { fillPairs, fillTime, timeText } from './runner.ts';

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

type Standing = BoardResult['overall'] | undefined;

const found = byId('found', HTMLElement);
const input = byId('bib', HTMLInputElement);

const runner = new Follower<BoardResult>(FOLLOW_MS);
/** Somebody searched without a bib. */
let lacksBib = false;
let askedAt = 0;

/** The open runner, if the server has answered. */
export const openRunner = (): BoardResult | undefined => runner.answer?.body;

/** A bib is open, and the server has not answered yet. */
export const isSearching = () => runner.answer?.state === 'connecting' && !openRunner();

/** The bib that the address asks for. */
const askedBib = () => parameter('bib')?.trim() ?? '';

/**
 * @param board the address of its data
 * @param first the runner that came with the page
 * @param changed called when another runner, or more of the runner, is known
 */
export function wireSearch(
  board: string,
  first: First<BoardResult> | undefined,
  changed: () => void,
) {
  let isClosed = false;
  byId('search', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const bib = input.value.trim();
    lacksBib = bib === '';
    goTo({ bib: bib || undefined });
    if (lacksBib) input.focus();
  });

  runner.changed = (before) => {
    render();
    const hasFinished = before?.body?.status === null && openRunner()?.status === 'FINISHED';
    if (hasFinished) part(found, '.result').classList.add('finish');
    changed();
  };

  function followAddress(known?: First<BoardResult>) {
    const bib = isClosed ? '' : askedBib();
    if (runner.follow(bib ? `${board}/bibs/${encodeURIComponent(bib)}` : undefined, known)) {
      input.value = bib;
      if (bib) lacksBib = false;
      askedAt = Date.now();
      found.scrollIntoView({ block: 'nearest' });
    }
    render();
  }

  onAddress(followAddress);
  followAddress(first);
  return {
    /** Looks at once when the runner is among those who arrived, and now and then when others are. */
    seen(arrived: readonly { bib_number: string | null }[]) {
      if (arrived.length === 0) return;
      const bib = openRunner()?.bib_number ?? askedBib();
      const isAmong = arrived.some(({ bib_number }) => bib_number === bib);
      if (!isAmong && Date.now() - askedAt < OTHERS_MS) return;
      askedAt = Date.now();
      runner.ask();
    },
    /** Shows nobody while the board is switched off. */
    setClosed(closed: boolean) {
      if (closed === isClosed) return;
      isClosed = closed;
      followAddress();
    },
  };
}

function render(): void {
  found.hidden = !runner.answer && !lacksBib;
  input.setAttribute('aria-invalid', String(lacksBib));
  const message = messageOf();
  if (message !== undefined) {
    found.replaceChildren(element('p', { class: 'message soft', dir: 'auto' }, message));
    return;
  }
  // A runner who is searched or awaited has the same card, so that nothing moves when the result comes.
  if (!found.querySelector('.result')) found.replaceChildren(makeResult());
  fillResult(part(found, '.result'), openRunner());
}

/** The text in place of a runner. */
function messageOf(): string | undefined {
  if (!runner.answer) return lacksBib ? text('bibMissing') : '';
  const { body, state } = runner.answer;
  if (body || state === 'connecting' || state === 'current') return undefined;
  return state === 'none' ? text('unknownBib', { bib: askedBib() }) : text(`notice.${state}`);
}

function makeResult(): HTMLElement {
  const card = copyOf('result', text);
  const opener = document.activeElement;
  part(card, '.close').addEventListener('click', () => {
    goTo({ bib: undefined }, false);
    // A focused field would open the keyboard of a phone.
    const back = opener instanceof HTMLAnchorElement && opener.isConnected ? opener : undefined;
    (back ?? part(document, '#event-name')).focus({ preventScroll: true });
  });
  const share = part(card, '.share');
  share.addEventListener('click', () => void shareRunner(share));
  // Splits that are known at first stand open. Those that come later would move the page.
  part(card, 'details').toggleAttribute('open', (openRunner()?.splits.length ?? 0) > 0);
  return card;
}

/** Shares the address of the runner alone, without the reader's own colours and language. */
async function shareRunner(button: HTMLElement): Promise<void> {
  const url = `${location.origin}${location.pathname}?${new URLSearchParams({ bib: askedBib() })}`;
  if (navigator.share) {
    // Rejects if the reader closes the browser's own dialog.
    await navigator.share({ url, title: document.title }).catch(() => undefined);
    return;
  }
  await navigator.clipboard.writeText(url);
  setText(button, text('copied'));
  setTimeout(() => setText(button, text('share')), COPIED_MS);
}

/** @param result undefined while the runner is searched */
function fillResult(card: HTMLElement, result: BoardResult | undefined): void {
  const time = result?.chip_time ?? result?.gun_time ?? null;
  const bib = result ? (result.bib_number ?? UNKNOWN) : askedBib();
  const groups = result ? formatGroup(result) : '';
  const line = [result?.distance, groups].filter(Boolean).join(' · ');
  const pace = paceSeconds(time, result?.distance ?? null);
  const awaited = text(result ? 'noResultYet' : 'searching');
  const share = part(card, '.share');
  const splits = result?.splits ?? [];
  write(card, {
    '.bib': bib,
    h2: result?.name ?? (line || text('bibIs', { bib })),
    '.role': result?.name ? line : '',
    '.final .pace': pace === undefined ? '' : formatPace(pace),
  });
  fillTime(part(card, '.final .clock'), result?.status ? timeText(time, result.status) : awaited);
  part(card, '.final').classList.toggle('out', time === null);
  // Without https there is neither a dialog nor a clipboard.
  share.hidden = !('share' in navigator) && !('clipboard' in navigator);
  fillPairs(
    part(card, '.splits'),
    splits.map((split) => [split.name, formatTime(split.time)]),
  );
  part(card, 'details').classList.toggle('none', splits.length === 0);
  fillPlaces(card, result);
  const inList = part(card, '.in-list');
  inList.classList.toggle('none', !result?.overall);
  setLink(inList, {
    list: '',
    gender: undefined,
    category: undefined,
    distance: result?.distance ?? '',
    page: String(Math.ceil((result?.overall?.place ?? 1) / PAGE_SIZE)),
  });
}

/** The names are the same before the result comes, so that nothing moves. A runner who did not finish has no places. */
function fillPlaces(card: HTMLElement, result: BoardResult | undefined): void {
  fillPairs(part(card, '.places'), [
    [text('overall'), placeText(result?.overall)],
    [text('genderLabel'), placeText(result?.in_gender)],
    [text('categoryLabel'), placeText(result?.in_category)],
  ]);
  fillPairs(part(card, '.facts'), [
    [text('gap'), result?.gap ? `+${formatTime(result.gap).replace(/^0(?=\d)/, '')}` : UNKNOWN],
    [text('chipTime'), result?.chip_time ? formatTime(result.chip_time) : UNKNOWN],
    [text('gunTime'), result?.gun_time ? formatTime(result.gun_time) : UNKNOWN],
  ]);
  fillAhead(card, result?.overall);
  const isOut = Boolean(result?.status) && result?.status !== 'FINISHED';
  for (const selector of ['.places', '.ahead', '.facts']) part(card, selector).hidden = isOut;
}

const placeText = (standing: Standing) =>
  standing ? text('placeOf', { place: standing.place, of: standing.of }) : UNKNOWN;

/** How many finishers of the race were slower. */
function fillAhead(card: HTMLElement, standing: Standing): void {
  const isSaid = standing && standing.of >= SHARED_FROM && standing.place < standing.of;
  const share = isSaid ? Math.floor((100 * (standing.of - standing.place)) / standing.of) : 0;
  part(card, '.ahead').classList.toggle('none', !isSaid);
  write(card, { '.ahead p': text('fasterThan', { share }) });
  part(card, 'progress').setAttribute('value', String(share));
  part(card, 'progress').setAttribute('aria-label', text('fasterThan', { share }));
}
