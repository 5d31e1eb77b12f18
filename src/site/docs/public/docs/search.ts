import { byId, element } from '../shared/dom.ts';
import { isSpanish, texts } from './words.ts';

type Entry = [href: string, guide: string, heading: string, text: string];

const SHOWN = 8;
const EXCERPT = 110;

/** Readers' words for the words of the pages. */
const SAID: Record<string, string> = {
  pagination: 'page_size',
  paging: 'page_size',
  webhook: 'polling',
  webhooks: 'polling',
  cors: 'backend',
  browser: 'backend',
  disqualify: 'dsq',
  disqualified: 'dsq',
  auth: 'authorization',
  ratelimit: '429',
  undo: 'revert',
  certificate: 'print',
  certificado: 'print',
  subir: 'upload',
  resultados: 'results',
  clave: 'key',
  carrera: 'race',
  dorsal: 'bib',
  archivo: 'file',
  nombres: 'names',
};

/** Words without information about a page. */
const EMPTY = new Set([
  'a',
  'an',
  'the',
  'in',
  'of',
  'to',
  'my',
  'how',
  'el',
  'la',
  'los',
  'en',
  'de',
  'del',
  'un',
  'una',
  'por',
  'para',
  'mi',
  'como',
]);

let index: Promise<Entry[]> | undefined;

const box = byId('search', HTMLElement);
const input = byId('search-words', HTMLInputElement);
const results = byId('search-results', HTMLElement);

// Searches the parts of all pages. The index is loaded when the reader begins to search.
input.addEventListener('focus', () => void load().catch(() => undefined));
input.addEventListener('input', () => void show());
box.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    input.value = '';
    open(false);
    input.focus();
  }
  if (event.key === 'Enter' && event.target === input) results.querySelector('a')?.click();
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    step(event.key === 'ArrowDown' ? 1 : -1);
  }
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea');
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey;
  const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  if (!isSlash && !isCtrlK) return;
  event.preventDefault();
  input.focus();
  input.select();
});
document.addEventListener('click', (event) => {
  const isOutside = event.target instanceof Node && !box.contains(event.target);
  // A result on this page only changes the fragment.
  if (isOutside || (event.target instanceof Element && event.target.closest('.results a'))) {
    open(false);
  }
});

function open(isOpen: boolean) {
  results.hidden = !isOpen;
  input.setAttribute('aria-expanded', String(isOpen));
}

/** Moves the focus among the field and the results. */
function step(by: 1 | -1) {
  const stops: (Element | null)[] = [input, ...results.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  const next = stops[(at + by + stops.length) % stops.length];
  if (next instanceof HTMLElement) next.focus();
}

function load() {
  index ??= fetch(texts.index).then((answer) => {
    if (!answer.ok) throw new Error(`The search answered ${answer.status}.`);
    return answer.json();
  });
  return index;
}

async function show() {
  const sought = input.value;
  const words = wordsOf(sought);
  open(words.length > 0);
  if (words.length === 0) return;
  try {
    const entries = await load();
    // The reader has typed on meanwhile.
    if (input.value !== sought) return;
    const matches = find(entries, words);
    results.replaceChildren(
      matches.length > 0
        ? element('ul', { role: 'list' }, ...matches.map((entry) => item(entry, words)))
        : element('p', { role: 'status' }, `${texts.nothingFound} “${sought.trim()}”.`),
    );
  } catch {
    index = undefined;
    results.replaceChildren(element('p', { role: 'status' }, texts.notLoaded));
  }
}

/** `edicion` finds `edición`. */
const folded = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

function wordsOf(text: string) {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => !EMPTY.has(word));
  return telling.length > 0 ? telling : words;
}

/**
 * The parts with every word: on a Spanish page Spanish parts first, and then parts with all words in the heading.
 * `chiptime` finds `chip_time`.
 */
function find(entries: Entry[], words: string[]) {
  const hits = (text: string) => {
    const plain = folded(text);
    const joined = plain.replace(/[\s_-]/g, '');
    return words.filter((word) => {
      const meant = SAID[word];
      return plain.includes(word) || joined.includes(word) || (meant && plain.includes(meant));
    }).length;
  };
  return entries
    .filter((entry) => hits(entry.slice(1).join(' ')) === words.length)
    .map((entry) => ({
      entry,
      rank: 2 * hits(entry[2]) + hits(entry[1]) - (isForeign(entry) ? 3 * words.length : 0),
    }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, SHOWN)
    .map(({ entry }) => entry);
}

/** Whether a part is in English, for a reader of Spanish. */
const isForeign = ([href]: Entry) => isSpanish && !href.startsWith('/docs/es');

function item(entry: Entry, words: string[]) {
  const [href, guide, heading, text] = entry;
  const at = Math.max(0, folded(text).indexOf(words[0] ?? '') - EXCERPT / 3);
  const excerpt = `${at > 0 ? '…' : ''}${text.slice(at, at + EXCERPT).trim()}…`;
  return element(
    'li',
    {},
    element(
      'a',
      isForeign(entry) ? { href, hreflang: 'en', lang: 'en' } : { href },
      element('strong', {}, heading),
      ...(heading === guide ? [] : [element('span', {}, ` ${guide}`)]),
      ...(isForeign(entry) ? [element('span', { lang: 'es' }, ' (en inglés)')] : []),
      element('small', {}, excerpt),
    ),
  );
}
