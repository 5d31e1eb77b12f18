import { languageOf, localeOf, showTexts } from '../shared/languages.js';
import { isDay } from './race-state.js';

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
      updated: `Updated ${latest}`,
      empty: 'No results',
    })[state],
  /** @type {Record<import('./race-state.js').RaceState, string>} */
  before: {
    before: 'Results will appear here.',
    waiting: 'Nobody has arrived yet. Results will appear here.',
    live: '',
    quiet: '',
    over: '',
    updated: '',
    empty: 'This race has no results.',
  },
  startsAt: (/** @type {string} */ time) => `Start ${time}`,
  startsIn: (/** @type {number} */ hours, /** @type {number} */ minutes) =>
    hours > 0 ? `in ${hours} h ${minutes} min` : `in ${minutes} min`,
  sinceStart: (/** @type {string} */ clock) => `Since the start ${clock}`,
  offlineSince: (/** @type {string} */ time) =>
    `No connection. Showing results of ${time}. Trying again…`,
  offlineFirst: 'No connection. Trying again…',
  failingSince: (/** @type {string} */ time) =>
    `The results server does not answer. Showing results of ${time}. Trying again…`,
  failingFirst: 'The results server does not answer. Trying again…',
  closed: 'This board is no longer public.',
  closedTitle: 'Live results',
  closedWhy: 'The organization has switched it off. If it is switched on again, it appears here.',
  races: 'Distances',
  noDistance: 'No distance',
  counts: 'Results so far',
  /** @type {Record<NonNullable<import('./search.js').Result['status']>, (count: number) => string>} */
  counted: {
    FINISHED: () => 'Finished',
    DNF: () => 'Did not finish',
    DNS: () => 'Did not start',
    DSQ: () => 'Disqualified',
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
  gap: 'Gap',
  fasterThan: (/** @type {string} */ share) => `Faster than ${share} % of the finishers`,
  inList: 'In the full list',
  placeLabel: 'Go to place',
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
      updated: `Actualizado ${latest}`,
      empty: 'Sin resultados',
    })[state],
  before: {
    before: 'Los resultados aparecerán aquí.',
    waiting: 'Todavía no ha llegado nadie. Los resultados aparecerán aquí.',
    live: '',
    quiet: '',
    over: '',
    updated: '',
    empty: 'Esta carrera no tiene resultados.',
  },
  startsAt: (time) => `Salida ${time}`,
  startsIn: (hours, minutes) => (hours > 0 ? `en ${hours} h ${minutes} min` : `en ${minutes} min`),
  sinceStart: (clock) => `Desde la salida ${clock}`,
  offlineSince: (time) => `Sin conexión. Resultados de las ${time}. Reintentando…`,
  offlineFirst: 'Sin conexión. Reintentando…',
  failingSince: (time) =>
    `El servidor de resultados no responde. Resultados de las ${time}. Reintentando…`,
  failingFirst: 'El servidor de resultados no responde. Reintentando…',
  closed: 'Este tablero ya no es público.',
  closedTitle: 'Resultados en vivo',
  closedWhy: 'La organización lo ha desactivado. Si lo vuelve a activar, aparecerá aquí.',
  races: 'Distancias',
  noDistance: 'Sin distancia',
  counts: 'Resultados hasta ahora',
  counted: {
    FINISHED: (count) => (count === 1 ? 'Llegó' : 'Llegaron'),
    DNF: (count) => (count === 1 ? 'No terminó' : 'No terminaron'),
    DNS: (count) => (count === 1 ? 'No salió' : 'No salieron'),
    DSQ: (count) => (count === 1 ? 'Descalificado' : 'Descalificados'),
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
  gap: 'Diferencia',
  fasterThan: (share) => `Más rápido que el ${share} % de quienes llegaron`,
  inList: 'En la lista completa',
  placeLabel: 'Ir al puesto',
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

/**
 * The time zone of the event's place. Where it is not known, times are the reader's and name their zone.
 * @type {Intl.DateTimeFormatOptions}
 */
let zone = { timeZoneName: 'short' };

/** @param {string | null} name as the event has it: any text */
export function setZone(name) {
  try {
    new Intl.DateTimeFormat(locale, { timeZone: name ?? '' });
    zone = { timeZone: name ?? '' };
  } catch {
    zone = { timeZoneName: 'short' };
  }
}

/** @type {Intl.DateTimeFormatOptions} */
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

/** @param {Intl.DateTimeFormatOptions} options @param {number} at */
const formatAt = (options, at) =>
  new Intl.DateTimeFormat(locale, { ...options, ...zone }).format(at);

/** The time of day, with its seconds. @param {number} at */
export const formatClock = (at) => formatAt({ ...MINUTE, second: '2-digit' }, at);

/** The time of day, without seconds. @param {number} at */
export const formatMinute = (at) => formatAt(MINUTE, at);

const DAY_MS = 24 * 3_600_000;

/** A moment: its time, and its date if it is not of the last day. @param {number} at @param {number} now */
export const formatMoment = (at, now) =>
  formatAt(now - at < DAY_MS ? MINUTE : { ...MINUTE, day: 'numeric', month: 'short' }, at);

/** The day of an event, in its place. @param {string} instant ISO 8601 */
export const formatDate = (instant) =>
  new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    ...(isDay(instant) ? { timeZone: 'UTC' } : zone.timeZone ? { timeZone: zone.timeZone } : {}),
  }).format(new Date(instant));

/** @param {number} seconds a kilometre */
export const formatPace = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} /km`;

/** A race time without useless zeros: `01:28:03.500` becomes `1:28:03.5`. @param {string} time */
export const formatTime = (time) =>
  time.replace(/\.0+$|(\.\d+?)0+$/, '$1').replace(/^00:(?=\d\d:)|^0(?=\d:)/, '');

/** A known code becomes a word. @param {string} gender */
export const formatGender = (gender) => texts.gender[gender] ?? gender;

/** Words of categories that say the gender, in the languages of the board. */
const GENDER_WORDS = new Map([
  [
    'F',
    'f w women woman womens female females ladies lady girls mujer mujeres dama damas femenino femenina',
  ],
  [
    'M',
    'm men man mens male males boys hombre hombres varón varones masculino masculina caballeros',
  ],
  ['X', 'x nonbinary binary binario'],
]);

/**
 * A gender and the category in it. A category that says the gender itself stands alone.
 * @param {{ gender: string | null, category: string | null }} group
 */
export function formatGroup({ gender, category }) {
  const name = gender && formatGender(gender);
  if (!name || !category) return name || category || '';
  const known = `${GENDER_WORDS.get(gender) ?? ''} ${name}`.toLowerCase().split(' ');
  const words = category.toLowerCase().split(/[^\p{L}]+/u);
  const isSaid = words.some((word) => word !== '' && known.includes(word));
  return isSaid ? category : `${name} ${category}`;
}
