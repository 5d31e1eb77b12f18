import type { ApiKeyIn } from '../../client/types.ts';
import type { OrganizationEvent } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { RUNS_MS, stateOf } from '../race-state.ts';

/** No operation needs the scope of payments. */
export type Scope = Exclude<ApiKeyIn['scopes'][number], 'payments:read'>;

/** The scopes for a timing company. */
const TIMING_SCOPES: readonly Scope[] = ['events:read', 'inscriptions:read', 'results:write'];
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Corrections come for some days after a race. */
const AFTER_RACE_MS = 7 * DAY_MS;

/** The fields of a key's form. */
export interface Form {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The id of the only race; blank for all races. */
  readonly race: string;
  readonly expiry: (typeof EXPIRIES)[number];
  /** A minute, in the form of a field of date and time. */
  readonly date: string;
}

/** Never, in so many days, or on a date. */
export const EXPIRIES = ['never', '30', '90', '365', 'date'] as const;

export const EMPTY: Form = { name: '', scopes: [], race: '', expiry: 'never', date: '' };

/** A key for a timing company: for a single race, by default the next race, until some days after the race. */
export function presetOf(form: Form, races: readonly OrganizationEvent[]): Form {
  const name = form.name || text('presetName');
  const race = form.race || (nextRace(races)?.id ?? '');
  const preset = { ...form, name, race, scopes: TIMING_SCOPES };
  if (form.expiry !== 'never') return preset;
  const chosen = races.find(({ id }) => id === race);
  const from = Math.max(Date.now(), chosen ? startOf(chosen) : 0);
  return { ...preset, expiry: 'date', date: localMinute(new Date(from + AFTER_RACE_MS)) };
}

/** The running race, or else the next race. */
const nextRace = (races: readonly OrganizationEvent[]) =>
  races
    .filter((one) => isLive(one) || startOf(one) > Date.now() - RUNS_MS)
    .toSorted(
      (one, other) => Number(isLive(other)) - Number(isLive(one)) || startOf(one) - startOf(other),
    )[0];

const isLive = (race: OrganizationEvent) => stateOf(race) === 'live';

const startOf = ({ event_date }: OrganizationEvent) => Date.parse(event_date);

const localMinute = (instant: Date) =>
  new Date(instant.getTime() - 60_000 * instant.getTimezoneOffset()).toISOString().slice(0, 16);

/** When the key stops: null for never, an invalid Date while no date is chosen. */
export function expiryOf({ expiry, date }: Form): Date | null {
  if (expiry === 'never') return null;
  return expiry === 'date' ? new Date(date) : new Date(Date.now() + Number(expiry) * DAY_MS);
}

export function keyOf(form: Form): ApiKeyIn {
  const when = expiryOf(form);
  return {
    name: form.name.trim(),
    scopes: [...form.scopes],
    ...(when && { expires_at: when.toISOString() }),
    ...(form.race && { event_id: form.race }),
  };
}

/** The error of a key's name; empty if the name is right. */
export function nameProblem(value: string) {
  // Counts characters as the API does, not UTF-16 units.
  const length = [...value.trim()].length;
  if (length === 0) return text('nameMissing');
  return length > KEY_NAME_MAX ? text('nameLong', { length, max: KEY_NAME_MAX }) : '';
}

export function dateProblem(when: Date | null) {
  if (when === null) return '';
  if (Number.isNaN(when.getTime())) return text('dateMissing');
  return when.getTime() <= Date.now() ? text('datePast') : '';
}
