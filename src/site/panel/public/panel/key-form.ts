import type { ApiKeyIn } from '../client/types.ts';
import { byId, element } from '../shared/dom.ts';
import type { OrganizationEvent } from './api.ts';
import { absoluteTime, textOfParts as text } from './formats.ts';
import { attempt, say } from './page.ts';
import { RUNS_MS, stateOf } from './race-state.ts';

/** What a timing company needs. */
const TIMING_SCOPES = ['events:read', 'inscriptions:read', 'results:write'];
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Corrections come for some days after a race. */
const AFTER_RACE_MS = 7 * DAY_MS;

const dialog = byId('form-dialog', HTMLDialogElement);
const form = byId('key-form', HTMLFormElement);
const name = byId('name', HTMLInputElement);
const firstScope = form.querySelector('[name=scope]') as HTMLInputElement;
const race = byId('key-race', HTMLSelectElement);
const date = byId('expiry-date', HTMLInputElement);
const message = byId('form-message', HTMLElement);

let races: readonly OrganizationEvent[] = [];

/**
 * Adds the listeners of the form.
 * @param create throws a Failure; the form then stays as it is
 */
export function wireKeyForm(create: (key: ApiKeyIn) => Promise<void>) {
  byId('form-cancel', HTMLButtonElement).addEventListener('click', closeKeyForm);
  byId('preset', HTMLButtonElement).addEventListener('click', fillPreset);
  form.addEventListener('input', check);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const when = expiry();
    const key: ApiKeyIn = { name: name.value.trim(), scopes: chosenScopes() };
    if (when) key.expires_at = when.toISOString();
    if (race.value) key.event_id = race.value;
    const tell = (words: string) => say(message, words);
    void attempt(form, tell, () => create(key), text('createUnsure'));
  });
}

/**
 * Opens the form. It keeps unfinished input.
 * @param events the races that a key can be for
 */
export function openKeyForm(events: readonly OrganizationEvent[]) {
  races = events;
  say(message);
  const chosen = race.value;
  race.replaceChildren(
    element('option', { value: '' }, text('allRaces')),
    ...events.map(({ id, name }) => element('option', { value: id }, name)),
  );
  race.value = events.some(({ id }) => id === chosen) ? chosen : '';
  check();
  dialog.showModal();
  name.focus();
}

/** The race that runs, or else the one that comes next. */
const nextRace = () =>
  races
    .filter((one) => isLive(one) || startOf(one) > Date.now() - RUNS_MS)
    .toSorted(
      (one, other) => Number(isLive(other)) - Number(isLive(one)) || startOf(one) - startOf(other),
    )[0];

const isLive = (race: OrganizationEvent) => stateOf(race) === 'live';

const startOf = ({ event_date }: OrganizationEvent) => Date.parse(event_date);

/** Fills in a key for a timing company: for one race, the next one if none is chosen, and until some days after it. */
function fillPreset() {
  for (const box of form.querySelectorAll('[name=scope]')) {
    if (box instanceof HTMLInputElement) box.checked = TIMING_SCOPES.includes(box.value);
  }
  name.value ||= text('presetName');
  race.value ||= nextRace()?.id ?? '';
  suggestExpiry();
  check();
}

/** Suggests when the key stops, unless the reader has chosen it. */
function suggestExpiry() {
  if (new FormData(form).get('expiry') !== 'never') return;
  const chosen = races.find(({ id }) => id === race.value);
  const from = Math.max(Date.now(), chosen ? startOf(chosen) : 0);
  date.value = localMinute(new Date(from + AFTER_RACE_MS));
  const onDate = form.querySelector('[name=expiry][value=date]');
  if (onDate instanceof HTMLInputElement) onDate.checked = true;
}

/** A minute as a field of date and time has it. */
const localMinute = (instant: Date) =>
  new Date(instant.getTime() - 60_000 * instant.getTimezoneOffset()).toISOString().slice(0, 16);

export const closeKeyForm = () => dialog.close();

export function resetKeyForm() {
  form.reset();
  say(message);
}

const chosenScopes = () => new FormData(form).getAll('scope') as ApiKeyIn['scopes'][number][];

/** Tells the browser what is wrong, by the rules of the API. The browser shows it when the form is sent. */
function check() {
  name.setCustomValidity(nameProblem(name.value));
  firstScope.setCustomValidity(chosenScopes().length === 0 ? text('scopesMissing') : '');
  const field = byId('expiry-date-field', HTMLElement);
  field.hidden = new FormData(form).get('expiry') !== 'date';
  const when = expiry();
  date.setCustomValidity(dateProblem(when));
  const known = when instanceof Date && !Number.isNaN(when.getTime());
  say(
    byId('expiry-preview', HTMLElement),
    known ? text('stopsOn', { when: absoluteTime(when) }) : '',
  );
}

/** @returns null for never; an invalid Date while none is chosen */
function expiry(): Date | null {
  const choice = String(new FormData(form).get('expiry'));
  if (choice === 'never') return null;
  return choice === 'date' ? new Date(date.value) : new Date(Date.now() + Number(choice) * DAY_MS);
}

/** The error of a key's name; empty if the name is right. */
export function nameProblem(value: string) {
  // Counts characters as the API does, not UTF-16 units.
  const length = [...value.trim()].length;
  if (length === 0) return text('nameMissing');
  const max = Number(name.dataset['max']);
  return length > max ? text('nameLong', { length, max }) : '';
}

function dateProblem(when: Date | null) {
  if (when === null) return '';
  if (Number.isNaN(when.getTime())) return text('dateMissing');
  return when.getTime() <= Date.now() ? text('datePast') : '';
}
