/** @typedef {'results' | 'uploads' | 'board'} RacePart */

/** @type {readonly RacePart[]} */
export const RACE_PARTS = ['results', 'uploads', 'board'];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param {string} text */
export const isUuid = (text) => UUID.test(text);

const asked = () => new URLSearchParams(location.search);

/** The race that the address names; blank if it names none. */
export function raceInAddress() {
  const race = asked().get('race') ?? '';
  return isUuid(race) ? race : '';
}

/** The view that the address names. @returns {'events' | 'keys' | 'race'} */
export function viewInAddress() {
  if (raceInAddress()) return 'race';
  return asked().get('view') === 'keys' ? 'keys' : 'events';
}

/** The part of the race's page that the address names. @returns {RacePart} */
export const partInAddress = () =>
  RACE_PARTS.find((part) => part === asked().get('part')) ?? 'results';

/** Whether the address names one of the parts that load later. */
export const isOfLaterPart = () => viewInAddress() === 'keys' || partInAddress() !== 'results';

/** @param {string} race @param {RacePart} [part] */
export const addressOf = (race, part = 'results') =>
  `/panel?race=${race}${part === 'results' ? '' : `&part=${part}`}`;
