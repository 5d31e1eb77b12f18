import { LISTED_STATUSES } from '../read/result-status.ts';

export const RUNNER_STATES = ['NONE', ...LISTED_STATUSES, 'INCOMPLETE'] as const;

export const RACE_PARTS = ['results', 'uploads', 'course', 'board', 'settings'] as const;

export type RacePart = (typeof RACE_PARTS)[number] | 'speaker';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string) => UUID.test(text);

const asked = () => new URLSearchParams(location.search);

/** The race in the address; blank without a race. */
export function raceInAddress() {
  const race = asked().get('race') ?? '';
  return isUuid(race) ? race : '';
}

export function viewInAddress(): 'events' | 'keys' | 'race' {
  if (raceInAddress()) return 'race';
  return asked().get('view') === 'keys' ? 'keys' : 'events';
}

/** The part of the race's page in the address. */
export const partInAddress = (): RacePart =>
  [...RACE_PARTS, 'speaker' as const].find((part) => part === asked().get('part')) ?? 'results';

/** The part in the address, if its script loads later. */
export function laterPart(): 'keys' | Exclude<RacePart, 'results' | 'speaker'> | undefined {
  if (viewInAddress() === 'keys') return 'keys';
  const part = partInAddress();
  return part === 'results' ? undefined : part === 'speaker' ? 'course' : part;
}

/** The filter of the list of runners: a status, no result or incomplete data. Blank for all. */
export function stateInAddress(): (typeof RUNNER_STATES)[number] | '' {
  const state = asked().get('state');
  return RUNNER_STATES.find((known) => known === state) ?? '';
}

const GROUP_FIELDS = ['distance', 'gender', 'category'] as const;

/** A group of runners: any of the three fields. */
export type Group = { readonly [Field in (typeof GROUP_FIELDS)[number]]?: string };

/** The group of runners in the address. Without fields: everybody. */
export function groupInAddress(): Group {
  const query = asked();
  return Object.fromEntries(
    GROUP_FIELDS.flatMap((field) => (query.get(field) ? [[field, query.get(field)]] : [])),
  );
}

/** Which runners the address asks for. The key tells two filters apart. */
export function filterInAddress() {
  const [state, group] = [stateInAddress(), groupInAddress()];
  return { state, group, key: JSON.stringify([state, group]) };
}

/** The query of a page of runners, by the address and a search. */
export function runnersQuery(search: string, page: number) {
  const state = stateInAddress();
  return { page, search, ...(state && { status: state }), ...groupInAddress() };
}

export const addressOf = (
  race: string,
  part: RacePart = 'results',
  state = '',
  group: Group = {},
) => {
  const query = { ...(part !== 'results' && { part }), ...(state && { state }), ...group };
  return `/panel?${new URLSearchParams({ race, ...query })}`;
};
