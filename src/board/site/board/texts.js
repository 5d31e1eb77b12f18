const en = {
  title: (/** @type {string} */ event) => `${event} · live results`,
  skip: 'Skip to the latest arrivals',
  language: 'Language',
  dark: 'Dark colours',
  screen: 'Large type for a screen',
  connecting: 'Connecting…',
  live: 'Live',
  offline: 'Offline',
  lost: (/** @type {string} */ time) => `Connection lost, showing ${time}; trying again`,
  lostEmpty: 'No connection yet; trying again',
  closed: 'This board is not public any more.',
  off: 'Switched off',
  counts: 'Results so far',
  /** @type {Record<import('../../schemas.ts').BoardRunner['status'], string>} */
  counted: {
    FINISHED: 'Finished',
    DNF: 'Did not finish',
    DNS: 'Did not start',
    DSQ: 'Disqualified',
  },
  /** @type {Record<import('../../schemas.ts').BoardRunner['status'], string>} */
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
  searching: 'Looking…',
  unknownBib: (/** @type {string} */ bib) =>
    `No result for bib ${bib} yet. This looks again by itself.`,
  searchFailed: 'No answer just now; trying again.',
  bibMissing: 'Type a bib number.',
  close: 'Close',
  arrivals: 'Latest arrivals',
  noArrivals: 'Nobody has arrived yet.',
  leaders: 'Overall',
  genders: 'By gender',
  categories: 'By category',
  distances: 'By distance',
  finishers: (/** @type {number} */ count, /** @type {string} */ shown) =>
    count === 1 ? '1 finisher' : `${shown} finishers`,
  bib: 'Bib',
  bibNamed: (/** @type {string} */ bib) => `Bib ${bib}: show the result`,
  runner: 'Runner',
  place: 'Place',
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
  title: (event) => `${event} · resultados en vivo`,
  skip: 'Ir a las últimas llegadas',
  language: 'Idioma',
  dark: 'Colores oscuros',
  screen: 'Letra grande para pantalla',
  connecting: 'Conectando…',
  live: 'En vivo',
  offline: 'Sin conexión',
  lost: (time) => `Sin conexión, se muestran las ${time}; reintentando`,
  lostEmpty: 'Aún sin conexión; reintentando',
  closed: 'Este tablero ya no es público.',
  off: 'Desactivado',
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
  gender: { F: 'Mujeres', M: 'Hombres', X: 'No binario' },
  bibLabel: 'Buscar por dorsal',
  find: 'Buscar',
  searching: 'Buscando…',
  unknownBib: (bib) => `El dorsal ${bib} aún no tiene resultado. Se vuelve a buscar solo.`,
  searchFailed: 'Sin respuesta por ahora; reintentando.',
  bibMissing: 'Escribe un dorsal.',
  close: 'Cerrar',
  arrivals: 'Últimas llegadas',
  noArrivals: 'Todavía no ha llegado nadie.',
  leaders: 'General',
  genders: 'Por género',
  categories: 'Por categoría',
  distances: 'Por distancia',
  finishers: (count, shown) => (count === 1 ? '1 llegada' : `${shown} llegadas`),
  bib: 'Dorsal',
  bibNamed: (bib) => `Dorsal ${bib}: ver el resultado`,
  runner: 'Corredor',
  place: 'Puesto',
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

/** What the page says, in the language in force. */
export let texts = en;
/** For numbers and dates: the reader's own locale where it is of the language in force. */
let locale = 'en';

/** @typedef {keyof typeof LANGUAGES} Language */

/** @param {string} code anything but Spanish is English @returns {Language} */
export const languageOf = (code) => (code.toLowerCase().startsWith('es') ? 'es' : 'en');

/** @param {Language} language */
export function setLanguage(language) {
  texts = LANGUAGES[language];
  locale = navigator.languages.find((known) => known.split('-')[0] === language) ?? language;
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll('[data-text]')) {
    place.textContent = textOf(place.getAttribute('data-text'));
  }
  for (const place of document.querySelectorAll('[data-label]')) {
    const text = textOf(place.getAttribute('data-label'));
    place.setAttribute('aria-label', text);
    if (place instanceof HTMLButtonElement) place.title = text;
  }
}

/** @param {string | null} name */
function textOf(name) {
  const text = Object.entries(texts).find(([known]) => known === name)?.[1];
  if (typeof text !== 'string') throw new Error(`no text is named ${name}`);
  return text;
}

/** @param {number} value */
export const formatNumber = (value) => new Intl.NumberFormat(locale).format(value);

/** The time of day, with its seconds. @param {number} at */
export const formatClock = (at) =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' }).format(at);

/** @param {string} instant ISO 8601 */
export const formatDate = (instant) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(instant));

/** A race time without what says nothing: `01:28:03.500` is `1:28:03.5`. @param {string} time */
export const formatTime = (time) =>
  time.replace(/\.0+$|(\.\d+?)0+$/, '$1').replace(/^00:(?=\d\d:)|^0(?=\d:)/, '');

/** What is known of these letters is said in words. @param {string} gender */
export const formatGender = (gender) => texts.gender[gender] ?? gender;
