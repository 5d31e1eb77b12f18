import { byId, copyOf, element, part, setText } from '../shared/dom.js';
import { goTo, onAddress, parameter } from './address.js';
import { ask, ServerFailure } from './ask.js';
import { paceSeconds } from './pace.js';
import { fillPairs, fillTime, timeText } from './runner.js';
import { formatGroup, formatNumber, formatPace, formatTime, texts } from './texts.js';

/**
 * Searches a bib and follows it. A cache does not help here, because every viewer may follow another
 * runner. So the page requests the runner again only on arrival and once a minute.
 */
const FOLLOW_MS = 60_000;
const JITTER = 0.2;
/** The interval before the first answer. */
const RETRY_MS = 5_000;
const COPIED_MS = 3_000;

/** @typedef {import('../../../../worker/board/answer-schemas.ts').BoardResult} Result */

const found = byId('found', HTMLElement);
const input = byId('bib', HTMLInputElement);

/** @type {string | undefined} */
let followed;
/** @type {Result | 'searching' | 'unknown' | 'offline' | 'failing' | 'missing' | undefined} */
let shown;
/** @type {string | undefined} */
let version;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {AbortController | undefined} */
let asking;

/** The open runner, if the server has answered. @returns {Result | undefined} */
export const openRunner = () => (typeof shown === 'object' ? shown : undefined);

/** A bib is open, and the server has not answered yet. */
export const isSearching = () => shown === 'searching';

export const isRunnerOpen = () => followed !== undefined;

/**
 * @param {string} board the address of its data
 * @param {() => void} changed called when another runner, or more of the runner, is known
 */
export function wireSearch(board, changed) {
  byId('search', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    open(input.value.trim());
  });
  // The bibs in the tables are links. A click does not have to load a new page.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a.bib') : null;
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    open(link.textContent ?? '');
    found.scrollIntoView({ block: 'nearest' });
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && followed !== undefined) void look();
  });
  onAddress(followAddress);

  /** @param {string} bib */
  function open(bib) {
    if (bib === '') {
      shown = 'missing';
      followed = undefined;
      goTo({ bib: undefined });
      input.focus();
    } else if (bib === parameter('bib')?.trim()) {
      void look();
    } else goTo({ bib });
  }

  function followAddress() {
    const bib = parameter('bib')?.trim() || undefined;
    if (bib !== followed) {
      followed = bib;
      version = undefined;
      input.value = bib ?? '';
      shown = bib === undefined ? undefined : 'searching';
      asking?.abort();
      clearTimeout(again);
      if (bib !== undefined) void look();
    }
    render();
  }

  async function look() {
    const bib = followed;
    if (bib === undefined) return;
    clearTimeout(again);
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      take(await ask(`${board}/bibs/${encodeURIComponent(bib)}`, version, signal));
    } catch (error) {
      // The known result stays visible. The board itself says that the connection is lost.
      if (!signal.aborted && openRunner() === undefined) {
        shown = error instanceof ServerFailure ? 'failing' : 'offline';
      }
    }
    if (signal.aborted) return;
    render();
    changed();
    const failed = shown === 'failing' || shown === 'offline';
    again = setTimeout(
      () => {
        if (!document.hidden) void look();
      },
      (failed ? RETRY_MS : FOLLOW_MS) * (1 + JITTER * (2 * Math.random() - 1)),
    );
  }

  /** @param {import('./ask.js').Answer} answer */
  function take(answer) {
    if (answer.kind === 'same') return;
    const known = answer.kind === 'new' ? answer : undefined;
    shown = known ? /** @type {Result} */ (known.body) : 'unknown';
    version = known?.version;
  }

  followAddress();
  return {
    /** Looks at once when the runner is among these. @param {readonly { bib_number: string | null }[]} arrived */
    seen(arrived) {
      const bibs = arrived.map(({ bib_number }) => bib_number);
      if (followed !== undefined && (shown === undefined || bibs.includes(followed))) void look();
    },
    /** Hides the runner, because a board that is switched off shows nobody. */
    clear() {
      clearTimeout(again);
      asking?.abort();
      shown = undefined;
      version = undefined;
      render();
    },
  };
}

function render() {
  found.hidden = shown === undefined;
  input.setAttribute('aria-invalid', String(shown === 'missing'));
  if (shown === undefined) {
    found.replaceChildren();
    return;
  }
  if (typeof shown === 'string') {
    const message = element('p', { class: 'message soft', dir: 'auto' }, messageOf(shown));
    found.replaceChildren(message);
    if (shown === 'searching') message.classList.add('searching');
    return;
  }
  const card = found.querySelector('.result');
  if (card instanceof HTMLElement) fillResult(card, shown);
  else {
    const made = makeResult();
    fillResult(made, shown);
    found.replaceChildren(made);
  }
}

/** @param {'searching' | 'unknown' | 'offline' | 'failing' | 'missing'} state */
function messageOf(state) {
  if (state === 'searching') return texts.searching;
  if (state === 'offline') return texts.searchOffline;
  if (state === 'failing') return texts.searchFailing;
  if (state === 'missing') return texts.bibMissing;
  return texts.unknownBib(followed ?? '');
}

function makeResult() {
  const card = copyOf('result');
  part(card, '.close').addEventListener('click', () => {
    goTo({ bib: undefined });
    input.focus();
  });
  const share = part(card, '.share');
  share.addEventListener('click', () => void shareRunner(share));
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
  setText(button, texts.copied);
  setTimeout(() => setText(button, texts.share), COPIED_MS);
}

/**
 * @param {HTMLElement} card
 * @param {Result} result
 */
function fillResult(card, result) {
  const isKnown = result.status !== null;
  const time = result.chip_time ?? result.gun_time;
  setText(part(card, '.bib'), result.bib_number ?? '–');
  const groups = formatGroup(result);
  const line = [result.distance, groups].filter((detail) => detail).join(' · ');
  setText(part(card, 'h2'), result.name ?? (line || texts.bibIs(result.bib_number ?? '')));
  setText(part(card, '.role'), result.name === null ? '' : line);
  part(card, '.close').setAttribute('aria-label', texts.close);
  fillTime(
    part(card, '.final .clock'),
    isKnown ? timeText(time, result.status) : texts.noResultYet,
  );
  const pace = paceSeconds(time, result.distance);
  setText(part(card, '.final .pace'), pace === undefined ? '' : formatPace(pace));
  part(card, '.final').classList.toggle('out', time === null);
  const { overall, in_gender, in_category } = result;
  const gender = formatGroup({ ...result, category: null });
  fillPairs(
    part(card, '.places'),
    [
      { name: texts.overall, standing: overall },
      { name: gender, standing: in_gender },
      { name: groups, standing: in_category },
    ].flatMap(({ name, standing }) =>
      standing
        ? [
            {
              name,
              value: texts.placeOf(formatNumber(standing.place), formatNumber(standing.of)),
            },
          ]
        : [],
    ),
  );
  const facts = [
    { name: texts.chipTime, value: result.chip_time },
    { name: texts.gunTime, value: result.gun_time },
  ].flatMap(({ name, value }) => (value ? [{ name, value: formatTime(value) }] : []));
  fillPairs(part(card, '.facts'), facts);
  setText(part(card, 'h3'), texts.splits);
  part(card, 'h3').hidden = result.splits.length === 0;
  fillPairs(
    part(card, '.splits'),
    result.splits.map((split) => ({ name: split.name, value: formatTime(split.time) })),
  );
  const share = part(card, '.share');
  if (share.textContent !== texts.copied) setText(share, texts.share);
  // Without https there is neither a dialog nor a clipboard.
  share.hidden = !('share' in navigator) && !('clipboard' in navigator);
}
