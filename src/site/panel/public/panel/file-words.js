import { element } from '../shared/dom.js';
import { isolated, textOfParts as text } from './formats.js';

/** @typedef {import('./api.js').Preview} Preview */
/** @typedef {import('./api.js').Upload} Upload */
/** @typedef {Exclude<keyof typeof import('../../../../timing-files/read/parameters.ts').FILE_PARAMETERS, 'point'>} Parameter */
/** @typedef {import('../../../../timing-files/read/bib-formats.ts').BibFormat} BibFormat */
/** @typedef {import('../../../../timing-files/read/time-formats.ts').TimeFormat} TimeFormat */
/** @typedef {import('../../../../timing-files/read/result-status.ts').ResultStatus} ResultStatus */

/** The parameters of a reading, in the order in which they are told. @type {readonly Parameter[]} */
const PARAMETERS = [
  'sheet',
  'encoding',
  'header_line',
  'bib',
  'chip_time',
  'gun_time',
  'status',
  'split',
  'bib_format',
  'time_format',
  'where',
  'status_word',
];

const QUOTED_MAX = 8;

/** What a sentence of the API quotes: cells and names of the file. @param {string} sentence */
const quotedIn = (sentence) =>
  Array.from(sentence.matchAll(/"(?:[^"\\]|\\.)*"/g), ([json]) => quote(JSON.parse(json)))
    .slice(0, QUOTED_MAX)
    .join(', ');

/** @param {string} value */
const quote = (value) => `“${isolated(value)}”`;

/** Why a row failed, with what was found in it. @param {Upload['failed'][number]} failure */
export function reasonOf({ reason_code, reason, bib_number }) {
  const found = reason_code === 'unknown_bib' ? quote(bib_number ?? '') : quotedIn(reason);
  return [text(`reason.${reason_code}`), found].filter(Boolean).join(': ');
}

/**
 * A warning, with what it is about in the file. Who reads English reads the sentence of the API at once, and everybody
 * else can open it.
 * @param {Preview['warnings'][number]} warning
 */
export function warningItem({ code, detail, rows }) {
  const title = element('strong', {}, text(`warning.${code}`));
  if (document.documentElement.lang === 'en') return element('li', {}, title, ` ${detail}`);
  const lines =
    rows.length > 0 ? text('inLines', { count: rows.length, rows: rows.join(', ') }) : '';
  return element(
    'li',
    {},
    title,
    ` ${[quotedIn(detail), lines].filter(Boolean).join(' · ')}`,
    element(
      'details',
      {},
      element('summary', {}, text('apiSays')),
      element('p', { lang: 'en' }, detail),
    ),
  );
}

/** What each of these readings does otherwise than the others. @param {readonly string[]} queries */
export function differencesOf(queries) {
  const all = queries.map((query) => valuesIn(query));
  const different = PARAMETERS.filter(
    (name) => new Set(all.map((values) => values[name].join('\n'))).size > 1,
  );
  return all.map((values) => sentenceOf(values, different));
}

/** How a file is read: what each column is, and what the query says beside them. @param {Pick<Preview, 'columns'>} preview @param {string} query */
export function readingOf({ columns }, query) {
  const named = /** @type {const} */ (['bib', 'chip_time', 'gun_time', 'status', 'split']).flatMap(
    (meaning) => {
      const names = columns.filter((column) => column.meaning === meaning);
      const all = names.map(({ name }) => quote(name)).join(', ');
      return names.length === 0 ? [] : [`${text(`column.${meaning}`)}: ${all}`];
    },
  );
  const values = valuesIn(query);
  const beside = /** @type {const} */ ([
    'sheet',
    'encoding',
    'bib_format',
    'time_format',
    'where',
    'status_word',
  ]);
  const sent = beside.filter((name) => values[name].length > 0);
  return [...named, ...sent.map((name) => partOf(name, values[name]))].join(' · ');
}

/** @param {string} query @returns {Record<Parameter, string[]>} */
function valuesIn(query) {
  const sent = new URLSearchParams(query);
  return /** @type {Record<Parameter, string[]>} */ (
    Object.fromEntries(PARAMETERS.map((name) => [name, sent.getAll(name)]))
  );
}

/** @param {Record<Parameter, string[]>} values @param {readonly Parameter[]} names */
const sentenceOf = (values, names) => names.map((name) => partOf(name, values[name])).join(' · ');

/** What one parameter says. @param {Parameter} name @param {readonly string[]} values @returns {string} */
function partOf(name, values) {
  const [value] = values;
  if (name === 'bib_format') {
    return text(`bibs.${/** @type {BibFormat} */ (value ?? 'exact')}`);
  }
  if (name === 'time_format') {
    return text(`format.${/** @type {TimeFormat} */ (value ?? 'clock')}`);
  }
  if (name === 'status_word') {
    return values.length === 0 ? text('noStatusWord') : values.map(statusWord).join(', ');
  }
  if (name === 'where') {
    return value === undefined ? text('allRows') : text('onlyRows', { values: listOf(values) });
  }
  const label = text(`column.${name}`);
  if (value === undefined) return `${label}: ${text('asFile')}`;
  if (value.trim() === '' || (name === 'header_line' && Number(value) === 0)) {
    return `${label}: ${text('noneInFile')}`;
  }
  return `${label}: ${name === 'header_line' ? value : listOf(values)}`;
}

/** @param {readonly string[]} values */
const listOf = (values) => values.map(quote).join(', ');

/** @param {string} pair such as `Abandon:DNF` */
function statusWord(pair) {
  const at = pair.lastIndexOf(':');
  const status = text(`status.${/** @type {ResultStatus} */ (pair.slice(at + 1))}`);
  return text('statusWord', { word: quote(pair.slice(0, at)), status });
}
