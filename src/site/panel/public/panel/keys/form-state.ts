import { isDay } from '../../../../../timing-files/read/event-day.ts';
import type { ApiKeyIn } from '../../client/types.ts';
import type { OrganizationEvent } from '../api.ts';
import { textOfKeys as text } from '../formats.ts';
import { RUNS_MS, type StateFacts, stateOf } from '../race/phase.ts';

/** No operation needs the scope of payments. */
export type Scope = Exclude<ApiKeyIn['scopes'][number], 'payments:read'>;

/** A use of a key. The use suggests the scopes. */
const SCOPES_OF = {
  timing: ['events:read', 'inscriptions:read', 'results:write'],
  site: ['events:read'],
  other: [],
} as const satisfies Record<string, readonly Scope[]>;

type Purpose = keyof typeof SCOPES_OF;

export const PURPOSES: readonly Purpose[] = ['timing', 'site', 'other'];

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Corrections come for some days after a race. */
const AFTER_RACE_MS = 7 * DAY_MS;

/** The fields of a key's form. */
export interface Form {
  /** Blank until the reader chooses. */
  readonly purpose: Purpose | '';
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The id of the only race; blank for all races. */
  readonly race: string;
  readonly expiry: (typeof EXPIRIES)[number];
  /** A minute, in the form of a field of date and time. */
  readonly date: string;
}

/** Never, some days after the race, in so many days, or on a date. */
export const EXPIRIES = ['never', 'race', '30', '90', '365', 'date'] as const;

export const EMPTY: Form = {
  purpose: '',
  name: '',
  scopes: [],
  race: '',
  expiry: 'never',
  date: '',
};

/** A race, as far as an expiry depends on the race. */
type Race = Pick<OrganizationEvent, 'id'> & StateFacts;

/** Suggests a name and scopes. The key of a timing company is for a single race, by default the next race. */
export function withPurpose(form: Form, purpose: Purpose, races: readonly Race[]): Form {
  const isTyped = !['', ...PURPOSES.map(nameFor)].includes(form.name.trim());
  const suggested = {
    ...form,
    purpose,
    name: isTyped ? form.name : nameFor(purpose),
    scopes: SCOPES_OF[purpose],
  };
  if (purpose !== 'timing' || form.race) return suggested;
  return withRace(suggested, nextRace(races)?.id ?? '', races);
}

const nameFor = (purpose: Purpose) => (purpose === 'other' ? '' : text(`purpose.${purpose}.name`));

/** Chooses the race. The expiry follows the race, unless the reader chose a later expiry. */
export function withRace(form: Form, race: string, races: readonly Race[]): Form {
  const chosen = { ...form, race };
  if (!race) return form.expiry === 'race' ? { ...chosen, expiry: 'never' } : chosen;
  const follows = form.expiry === 'never' || endsTooEarly(chosen, races);
  return follows ? { ...chosen, expiry: 'race' } : chosen;
}

/** The running race, or else the next race. */
const nextRace = (races: readonly Race[]) =>
  races
    .filter((one) => isLive(one) || startOf(one) > Date.now() - RUNS_MS)
    .toSorted(
      (one, other) => Number(isLive(other)) - Number(isLive(one)) || startOf(one) - startOf(other),
    )[0];

const isLive = (race: Race) => stateOf(race) === 'live';

const startOf = ({ event_date }: Race) => Date.parse(event_date);

/** The end of a race. A day without a time lasts until its end in every zone. */
const endOf = (race: Race) => startOf(race) + (isDay(race.event_date) ? 1.5 * DAY_MS : RUNS_MS);

/** When the key stops: null for never, an invalid Date while no date is chosen. */
export function expiryOf({ expiry, date, race }: Form, races: readonly Race[]): Date | null {
  if (expiry === 'never') return null;
  if (expiry === 'date') return new Date(date);
  if (expiry !== 'race') return new Date(Date.now() + Number(expiry) * DAY_MS);
  const chosen = races.find(({ id }) => id === race);
  return chosen ? new Date(Math.max(Date.now(), endOf(chosen)) + AFTER_RACE_MS) : null;
}

function endsTooEarly(form: Form, races: readonly Race[]) {
  const when = expiryOf(form, races);
  const race = races.find(({ id }) => id === form.race);
  return when !== null && race !== undefined && when.getTime() < endOf(race);
}

export function keyOf(form: Form, races: readonly Race[]): ApiKeyIn {
  const when = expiryOf(form, races);
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

/** The error of the chosen expiry; empty if the expiry is right. */
export function expiryProblem(form: Form, races: readonly Race[]) {
  const when = expiryOf(form, races);
  if (when === null) return '';
  if (Number.isNaN(when.getTime())) return text('dateMissing');
  if (when.getTime() <= Date.now()) return text('datePast');
  return endsTooEarly(form, races) ? text('endsBeforeRace') : '';
}
