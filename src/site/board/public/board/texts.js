import { languageOf, localeOf, showTexts } from '../shared/languages.js';

const en = {
  title: (/** @type {string} */ event) => `${event} · results`,
  skip: 'Skip to the results',
  language: 'Language',
  dark: 'Dark colours',
  screen: 'Large text for a screen',
  loading: 'Loading…',
  /** @type {Record<Exclude<import('./feed.js').Connection['state'], 'current'>, string>} */
  connection: {
    connecting: 'Loading…',
    offline: 'Offline',
    failing: 'No answer',
    closed: 'Switched off',
  },
  /**
   * @param {import('./race-state.js').RaceState} state
   * @param {string} asOf
   * @param {string} latest
   */
  raceStatus: (state, asOf, latest) =>
    ({
      before: 'Before the race',
      waiting: 'No arrivals yet',
      live: `Live · ${asOf}`,
      quiet: `Last arrival ${latest}`,
      over: 'Race over',
      empty: 'No results',
    })[state],
  /** @type {Record<import('./race-state.js').RaceState, string>} */
  before: {
    before: 'Results will appear here.',
    waiting: 'Nobody has arrived yet. Results will appear here.',
    live: '',
    quiet: '',
    over: '',
    empty: 'This race has no results.',
  },
  offline: 'No connection. Trying again…',
  failing: 'The results server does not answer. Trying again…',
  offlineSince: (/** @type {string} */ time) =>
    `No connection. Showing results of ${time}. Trying again…`,
  offlineFirst: 'No connection. Trying again…',
  failingSince: (/** @type {string} */ time) =>
    `The results server does not answer. Showing results of ${time}. Trying again…`,
  failingFirst: 'The results server does not answer. Trying again…',
  closed: 'This board is no longer public.',
  races: 'Distances',
  noDistance: 'No distance',
  counts: 'Results so far',
  counted: {
    FINISHED: 'Finished',
    DNF: 'Did not finish',
    DNS: 'Did not start',
    DSQ: 'Disqualified',
  },
  /** @type {Record<NonNullable<import('../../../../worker/board/answer-schemas.ts').BoardResult['status']>, string>} */
  status: {
    FINISHED: 'Finished',
    DNF: 'Did not finish',
    DNS: 'Did not start',
    DSQ: 'Disqualified',
  },
  /** @type {Record<string, string>} */
  gender: { F: 'Women', M: 'Men', X: 'Non-binary' },
  bibLabel: 'Find a runner by bib',
  find: 'Find',
  searching: 'Searching…',
  unknownBib: (/** @type {string} */ bib) => `Nobody in this event has bib ${bib}.`,
  noResultYet: 'No result yet. It will appear here.',
  searchOffline: 'No connection. Trying again…',
  searchFailing: 'The results server does not answer. Trying again…',
  bibMissing: 'Type a bib number.',
  close: 'Close',
  share: 'Share',
  copied: 'Link copied',
  arrivals: 'Latest arrivals',
  lastArrival: (/** @type {string} */ at) => `last ${at}`,
  noArrivals: 'No arrivals yet.',
  newArrivals: (/** @type {number} */ count, /** @type {string} */ shown) =>
    count === 1 ? '1 new arrival' : `${shown} new arrivals`,
  newResults: 'New results',
  leaders: 'Overall',
  genders: 'By gender',
  categories: 'By category',
  finishers: (/** @type {number} */ count, /** @type {string} */ shown) =>
    count === 1 ? '1 finisher' : `${shown} finishers`,
  showAll: (/** @type {number} */ count, /** @type {string} */ shown) =>
    count === 1 ? 'Show the result' : `Show all ${shown} results`,
  allResults: 'All results',
  allResultsOf: (/** @type {string} */ distance) => `All results · ${distance}`,
  back: 'Back to the board',
  genderLabel: 'Gender',
  categoryLabel: 'Category',
  allGenders: 'All genders',
  allCategories: 'All categories',
  results: (/** @type {number} */ count, /** @type {string} */ shown) =>
    count === 1 ? '1 result' : `${shown} results`,
  noMatch: 'No results match.',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  pageOf: (/** @type {string} */ page, /** @type {string} */ pages) => `Page ${page} of ${pages}`,
  resultsAppear: (/** @type {string} */ date) => `${date}. Results will appear here.`,
  bib: 'Bib',
  bibIs: (/** @type {string} */ bib) => `Bib ${bib}`,
  bibNamed: (/** @type {string} */ bib) => `Bib ${bib}: show the result`,
  runner: 'Runner',
  place: 'Place',
  placeOf: (/** @type {string} */ place, /** @type {string} */ of) => `${place} of ${of}`,
  time: 'Time',
  overall: 'Overall',
  chipTime: 'Chip time',
  gunTime: 'Gun time',
  splits: 'Splits',
  heard: (/** @type {number} */ count, /** @type {string} */ bib, /** @type {string} */ time) =>
    count === 1
      ? `Bib ${bib} arrived: ${time}`
      : `${count} arrivals. The latest is bib ${bib}: ${time}`,
};

/** @typedef {typeof en} Texts */

/** @type {Texts} */
const es = {
  title: (event) => `${event} · resultados`,
  skip: 'Ir a los resultados',
  language: 'Idioma',
  dark: 'Colores oscuros',
  screen: 'Letra grande para pantallas',
  loading: 'Cargando…',
  connection: {
    connecting: 'Cargando…',
    offline: 'Sin conexión',
    failing: 'Sin respuesta',
    closed: 'Desactivado',
  },
  raceStatus: (state, asOf, latest) =>
    ({
      before: 'Antes de la carrera',
      waiting: 'Sin llegadas todavía',
      live: `En vivo · ${asOf}`,
      quiet: `Última llegada ${latest}`,
      over: 'Carrera terminada',
      empty: 'Sin resultados',
    })[state],
  before: {
    before: 'Los resultados aparecerán aquí.',
    waiting: 'Todavía no ha llegado nadie. Los resultados aparecerán aquí.',
    live: '',
    quiet: '',
    over: '',
    empty: 'Esta carrera no tiene resultados.',
  },
  offline: 'Sin conexión. Reintentando…',
  failing: 'El servidor de resultados no responde. Reintentando…',
  offlineSince: (time) => `Sin conexión. Resultados de las ${time}. Reintentando…`,
  offlineFirst: 'Sin conexión. Reintentando…',
  failingSince: (time) =>
    `El servidor de resultados no responde. Resultados de las ${time}. Reintentando…`,
  failingFirst: 'El servidor de resultados no responde. Reintentando…',
  closed: 'Este tablero ya no es público.',
  races: 'Distancias',
  noDistance: 'Sin distancia',
  counts: 'Resultados hasta ahora',
  counted: {
    FINISHED: 'Llegaron',
    DNF: 'No terminaron',
    DNS: 'No salieron',
    DSQ: 'Descalificados',
  },
  status: {
    FINISHED: 'Llegó',
    DNF: 'No terminó',
    DNS: 'No salió',
    DSQ: 'Descalificado',
  },
  gender: { F: 'Mujeres', M: 'Hombres', X: 'Personas no binarias' },
  bibLabel: 'Buscar por dorsal',
  find: 'Buscar',
  searching: 'Buscando…',
  unknownBib: (bib) => `Nadie lleva el dorsal ${bib} en este evento.`,
  noResultYet: 'Aún sin resultado. Aparecerá aquí.',
  searchOffline: 'Sin conexión. Reintentando…',
  searchFailing: 'El servidor de resultados no responde. Reintentando…',
  bibMissing: 'Escribe un dorsal.',
  close: 'Cerrar',
  share: 'Compartir',
  copied: 'Enlace copiado',
  arrivals: 'Últimas llegadas',
  lastArrival: (at) => `la última, ${at}`,
  noArrivals: 'Todavía no ha llegado nadie.',
  newArrivals: (count, shown) => (count === 1 ? '1 llegada nueva' : `${shown} llegadas nuevas`),
  newResults: 'Resultados nuevos',
  leaders: 'General',
  genders: 'Por género',
  categories: 'Por categoría',
  finishers: (count, shown) => (count === 1 ? '1 llegada' : `${shown} llegadas`),
  showAll: (count, shown) => (count === 1 ? 'Ver el resultado' : `Ver los ${shown} resultados`),
  allResults: 'Todos los resultados',
  allResultsOf: (distance) => `Todos los resultados · ${distance}`,
  back: 'Volver al tablero',
  genderLabel: 'Género',
  categoryLabel: 'Categoría',
  allGenders: 'Todos los géneros',
  allCategories: 'Todas las categorías',
  results: (count, shown) => (count === 1 ? '1 resultado' : `${shown} resultados`),
  noMatch: 'Ningún resultado coincide.',
  pages: 'Páginas',
  previous: 'Anterior',
  next: 'Siguiente',
  pageOf: (page, pages) => `Página ${page} de ${pages}`,
  resultsAppear: (date) => `${date}. Los resultados aparecerán aquí.`,
  bib: 'Dorsal',
  bibIs: (bib) => `Dorsal ${bib}`,
  bibNamed: (bib) => `Dorsal ${bib}: ver el resultado`,
  runner: 'Corredor',
  place: 'Puesto',
  placeOf: (place, of) => `${place} de ${of}`,
  time: 'Tiempo',
  overall: 'General',
  chipTime: 'Tiempo chip',
  gunTime: 'Tiempo pistola',
  splits: 'Parciales',
  heard: (count, bib, time) =>
    count === 1
      ? `Llegó el dorsal ${bib}: ${time}`
      : `${count} llegadas. La última es el dorsal ${bib}: ${time}`,
};

const LANGUAGES = { en, es };

/** The texts of the page in the current language. */
export let texts = en;
/** The locale of numbers and dates: the reader's own, if it has the current language. */
let locale = 'en';

/** @param {string} code of a language */
export function setLanguage(code) {
  const language = languageOf(code);
  texts = LANGUAGES[language];
  locale = localeOf(language);
  showTexts(language, texts);
}

/** @param {number} value */
export const formatNumber = (value) => new Intl.NumberFormat(locale).format(value);

/** The time of day, with its seconds. @param {number} at */
export const formatClock = (at) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(at);

/** The time of day, without seconds. @param {number} at */
export const formatMinute = (at) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', hourCycle: 'h23' }).format(at);

const DAY_MS = 24 * 3_600_000;

/** A moment: its time, and its date if it is not of the last day. @param {number} at @param {number} now */
export const formatMoment = (at, now) =>
  now - at < DAY_MS
    ? formatMinute(at)
    : new Intl.DateTimeFormat(locale, {
        dateStyle: 'medium',
        timeStyle: 'short',
        hourCycle: 'h23',
      }).format(at);

/**
 * The day of an event. Midnight in UTC stands for a date without a time, the same everywhere.
 * @param {string} instant ISO 8601
 */
export const formatDate = (instant) =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    ...(/T00:00:00(\.0+)?Z$/.test(instant) ? { timeZone: 'UTC' } : {}),
  }).format(new Date(instant));

/** @param {number} seconds a kilometre */
export const formatPace = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} /km`;

/** A race time without useless zeros: `01:28:03.500` becomes `1:28:03.5`. @param {string} time */
export const formatTime = (time) =>
  time.replace(/\.0+$|(\.\d+?)0+$/, '$1').replace(/^00:(?=\d\d:)|^0(?=\d:)/, '');

/** A known code becomes a word. @param {string} gender */
export const formatGender = (gender) => texts.gender[gender] ?? gender;

/** A gender and the category in it. @param {{ gender: string | null, category: string | null }} group */
export const formatGroup = ({ gender, category }) =>
  [gender && formatGender(gender), category].filter((part) => part).join(' ');
