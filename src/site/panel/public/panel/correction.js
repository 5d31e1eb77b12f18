/** @typedef {import('./api.js').Correction} Correction */
/** @typedef {import('../read/result-status.ts').ResultStatus} ResultStatus */
/** @typedef {{ status: ResultStatus, chip_time: string, gun_time: string }} Entered */
/** @typedef {{ keepsTimes: boolean, hasPosition: boolean }} Rules of a status */

export const TIMES = /** @type {const} */ (['chip_time', 'gun_time']);

/** A time as the API reads it. */
const RACE_TIME = /^(\d{1,3}:[0-5]\d|\d{1,2}):[0-5]\d([.,]\d{1,3})?$/;

/**
 * Says what is wrong with a time of the form. A result with a position needs one of the two.
 * @param {Entered} entered
 * @param {Rules} rules
 * @param {typeof TIMES[number]} name
 */
export function problemOf(entered, { keepsTimes, hasPosition }, name) {
  if (!keepsTimes) return undefined;
  if (hasPosition && TIMES.every((one) => entered[one] === '')) return 'timeMissing';
  return entered[name] === '' || RACE_TIME.test(entered[name]) ? undefined : 'timeWrong';
}

/**
 * The fields that the form changes; undefined if it changes none.
 * @param {Entered} entered
 * @param {Entered | undefined} stored
 * @param {Rules} rules of the status that is entered
 */
export function changeIn(entered, stored, { keepsTimes }) {
  /** @type {Correction} */
  const change = {};
  if (entered.status !== stored?.status) change.status = entered.status;
  for (const name of keepsTimes ? TIMES : []) {
    if (entered[name] !== (stored?.[name] ?? '')) change[name] = entered[name] || null;
  }
  return Object.keys(change).length > 0 ? change : undefined;
}
