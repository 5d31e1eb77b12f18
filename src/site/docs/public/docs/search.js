import { byId, element } from '../shared/dom.js';

/** @typedef {[href: string, guide: string, heading: string, text: string]} Entry */

const SHOWN = 8;
const EXCERPT = 110;

/** @type {Promise<Entry[]> | undefined} */
let index;

/** Searches the parts of all guides. The index is loaded when the reader begins to search. */
export function startSearch() {
  const place = byId('search', HTMLElement);
  const input = byId('search-words', HTMLInputElement);
  const results = byId('search-results', HTMLElement);
  place.hidden = false;
  input.addEventListener('focus', () => void load());
  input.addEventListener('input', () => void show(input, results));
  place.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      input.value = '';
      results.hidden = true;
      input.focus();
    }
    if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click();
  });
  document.addEventListener('click', (event) => {
    const isOutside = event.target instanceof Node && !place.contains(event.target);
    // A result on this page only changes the fragment.
    if (isOutside || (event.target instanceof Element && event.target.closest('.results a'))) {
      results.hidden = true;
    }
  });
}

function load() {
  index ??= fetch('/docs/search.json').then((answer) => {
    if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
    return answer.json();
  });
  return index;
}

/** @param {HTMLInputElement} input @param {HTMLElement} results */
async function show(input, results) {
  const sought = input.value;
  const words = wordsOf(sought);
  results.hidden = words.length === 0;
  if (words.length === 0) return;
  try {
    const entries = await load();
    // The reader has typed on meanwhile.
    if (input.value !== sought) return;
    const found = find(entries, words);
    results.replaceChildren(
      found.length > 0
        ? element('ul', { role: 'list' }, ...found.map((entry) => item(entry, words)))
        : element('p', { role: 'status' }, `No guide has “${sought.trim()}”.`),
    );
  } catch {
    index = undefined;
    results.replaceChildren(
      element('p', { role: 'status' }, 'The search did not load. Try again.'),
    );
  }
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * The parts that have every word: those with all words in the heading first.
 * @param {Entry[]} entries
 * @param {string[]} words
 */
function find(entries, words) {
  /** @param {string} text */
  const hits = (text) => words.filter((word) => text.toLowerCase().includes(word)).length;
  return entries
    .filter((entry) => hits(entry.slice(1).join(' ')) === words.length)
    .map((entry) => ({ entry, rank: 2 * hits(entry[2]) + hits(entry[1]) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}

/** @param {Entry} entry @param {string[]} words */
function item([href, guide, heading, text], words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? '') - EXCERPT / 3);
  const excerpt = `${at > 0 ? '…' : ''}${text.slice(at, at + EXCERPT).trim()}…`;
  return element(
    'li',
    {},
    element(
      'a',
      { href },
      element('strong', {}, heading),
      ...(heading === guide ? [] : [element('span', {}, ` ${guide}`)]),
      element('small', {}, excerpt),
    ),
  );
}
