import { ask } from './ask.js';
import { byId, element, keyed, setText } from './dom.js';
import { parameter, setParameter } from './preferences.js';
import { fillTime, makeTime } from './runner.js';
import { formatGender, formatNumber, formatTime, texts } from './texts.js';

/**
 * Looks one bib up and stays with it. Everybody may follow another runner, and no cache helps with
 * that: so a runner is looked at again when they are seen to arrive, and otherwise once a minute.
 */
const FOLLOW_MS = 60_000;
const JITTER = 0.2;
/** Where nothing is known of the runner yet. */
const RETRY_MS = 5_000;

/** @typedef {import('../../schemas.ts').BoardResult} Result */

const found = byId('found', HTMLElement);
const input = byId('bib', HTMLInputElement);

/** @type {string | undefined} */
let followed;
/** @type {Result | 'searching' | 'unknown' | 'failed' | 'missing' | undefined} */
let shown;
/** @type {string | undefined} */
let version;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {AbortController | undefined} */
let asking;

/** @param {string} board the address of its data */
export function wireSearch(board) {
  byId('search', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    follow(input.value.trim());
  });
  // The bibs in the tables are links to their own address, and need no new page.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a.bib') : null;
    if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    input.value = link.textContent ?? '';
    follow(input.value);
    found.scrollIntoView({ block: 'nearest' });
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && followed !== undefined) void look();
  });

  /** @param {string} bib */
  function follow(bib) {
    followed = bib === '' ? undefined : bib;
    version = undefined;
    shown = bib === '' ? 'missing' : 'searching';
    setParameter('bib', followed);
    renderFound();
    if (followed !== undefined) void look();
    else input.focus();
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
    } catch {
      // What is known of the runner stays; the board itself says that the connection is lost.
      if (!signal.aborted && shown === 'searching') shown = 'failed';
    }
    if (signal.aborted) return;
    renderFound();
    const wait = shown === 'failed' ? RETRY_MS : FOLLOW_MS;
    again = setTimeout(
      () => {
        if (!document.hidden) void look();
      },
      wait * (1 + JITTER * (2 * Math.random() - 1)),
    );
  }

  /** @param {import('./ask.js').Answer} answer */
  function take(answer) {
    if (answer.kind === 'same') return;
    const known = answer.kind === 'new' ? answer : undefined;
    shown = known ? /** @type {Result} */ (known.body) : 'unknown';
    version = known?.version;
  }

  const asked = parameter('bib')?.trim();
  if (asked) {
    input.value = asked;
    follow(asked);
  }
  return {
    /** Looks at once when the runner is among these. @param {readonly { bib_number: string | null }[]} arrived */
    seen(arrived) {
      const bibs = arrived.map(({ bib_number }) => bib_number);
      if (followed !== undefined && (shown === undefined || bibs.includes(followed))) void look();
    },
    /** Shows nobody for now, as a board that is switched off must. */
    clear() {
      clearTimeout(again);
      asking?.abort();
      shown = undefined;
      version = undefined;
      renderFound();
    },
  };
}

export function renderFound() {
  found.hidden = shown === undefined;
  input.setAttribute('aria-invalid', String(shown === 'missing'));
  if (shown === undefined) {
    found.replaceChildren();
    return;
  }
  const card = found.querySelector('.result');
  if (typeof shown === 'string') {
    found.replaceChildren(element('p', { class: 'message', dir: 'auto' }, messageOf(shown)));
    return;
  }
  if (card instanceof HTMLElement) fillResult(card, shown);
  else {
    const made = makeResult();
    fillResult(made, shown);
    found.replaceChildren(made);
  }
}

/** @param {'searching' | 'unknown' | 'failed' | 'missing'} state */
function messageOf(state) {
  if (state === 'searching') return texts.searching;
  if (state === 'failed') return texts.searchFailed;
  if (state === 'missing') return texts.bibMissing;
  return texts.unknownBib(followed ?? '');
}

function makeResult() {
  const close = element('button', { type: 'button', class: 'close' }, '×');
  close.addEventListener('click', () => {
    followed = undefined;
    shown = undefined;
    asking?.abort();
    clearTimeout(again);
    setParameter('bib', undefined);
    input.value = '';
    renderFound();
    input.focus();
  });
  return element(
    'article',
    { class: 'result' },
    element(
      'header',
      {},
      element('span', { class: 'bib' }),
      element('h2', { dir: 'auto' }),
      element('span', { class: 'final' }, ...makeTime()),
      close,
    ),
    element('dl', { class: 'facts' }),
    element('h3', {}),
    element('dl', { class: 'splits' }),
  );
}

/**
 * @param {HTMLElement} card
 * @param {Result} result
 */
function fillResult(card, result) {
  const part = (/** @type {string} */ selector) =>
    /** @type {HTMLElement} */ (card.querySelector(selector));
  setText(part('.bib'), result.bib_number ?? '–');
  const details = [result.gender && formatGender(result.gender), result.category, result.distance];
  const line = details.filter((detail) => detail).join(' · ');
  setText(part('h2'), result.name ?? line);
  fillTime(part('.final'), result);
  part('.final').classList.toggle('out', result.status !== 'FINISHED');
  part('.close').setAttribute('aria-label', texts.close);
  const place = (/** @type {number | null} */ position) => position && formatNumber(position);
  /** @type {[string, string | null | 0][]} */
  const facts = [
    [texts.overall, place(result.position_overall)],
    [formatGender(result.gender ?? ''), place(result.position_gender)],
    [result.category ?? '', place(result.position_category)],
    [texts.chipTime, result.chip_time && formatTime(result.chip_time)],
    [texts.gunTime, result.gun_time && formatTime(result.gun_time)],
  ];
  const known = facts.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  fillPairs(part('.facts'), known);
  setText(part('h3'), texts.splits);
  part('h3').hidden = result.splits.length === 0;
  fillPairs(
    part('.splits'),
    result.splits.map(({ name, time }) => ({ name, value: formatTime(time) })),
  );
}

/**
 * @param {HTMLElement} list
 * @param {readonly { name: string, value: string }[]} pairs
 */
function fillPairs(list, pairs) {
  keyed(
    list,
    pairs,
    (_, index) => String(index),
    () => element('div', {}, element('dt', { dir: 'auto' }), element('dd', {})),
    (pair, { name, value }) => {
      const [term, detail] = pair.children;
      if (term) setText(term, name);
      if (detail) setText(detail, value);
    },
  );
}
