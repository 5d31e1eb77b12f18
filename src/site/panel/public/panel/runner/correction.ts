import type { ResultStatus } from '../../../../../timing-files/read/result-status.ts';

export type Entered = { status: ResultStatus; chip_time: string; gun_time: string };
/** The changes of a correction. */
type Correction = {
  status?: ResultStatus;
  chip_time?: string | null;
  gun_time?: string | null;
  reason?: string;
};
/** The rules of a status. */
type Rules = { keepsTimes: boolean; hasPosition: boolean };

export const TIMES = ['chip_time', 'gun_time'] as const;

/** A time in the API's form. */
const RACE_TIME = /^(\d{1,3}:[0-5]\d|\d{1,2}):[0-5]\d([.,]\d{1,3})?$/;

/** Describes the fault of a time in the form. A result with a position needs a time. */
export function problemOf(
  entered: Entered,
  { keepsTimes, hasPosition }: Rules,
  name: (typeof TIMES)[number],
) {
  if (!keepsTimes) return undefined;
  if (hasPosition && TIMES.every((one) => entered[one] === '')) return 'timeMissing';
  return entered[name] === '' || RACE_TIME.test(entered[name]) ? undefined : 'timeWrong';
}

/**
 * The fields changed in the form; undefined without a change.
 * @param rules of the entered status
 */
export function changeIn(entered: Entered, stored: Entered | undefined, { keepsTimes }: Rules) {
  const change: Correction = {};
  if (entered.status !== stored?.status) change.status = entered.status;
  for (const name of keepsTimes ? TIMES : []) {
    if (entered[name] !== (stored?.[name] ?? '')) change[name] = entered[name] || null;
  }
  return Object.keys(change).length > 0 ? change : undefined;
}
