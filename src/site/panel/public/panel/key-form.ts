import type { ApiKeyIn } from '../client/types.ts';
import { byId, element } from '../shared/dom.ts';
import { absoluteTime, textOfParts as text } from './formats.ts';
import { attempt, say } from './page.ts';

const NAME_MAX = 100;
/** What a timing company needs. */
const TIMING_SCOPES = ['events:read', 'inscriptions:read', 'results:write'];
const DAY_MS = 24 * 60 * 60 * 1_000;

const dialog = byId('form-dialog', HTMLDialogElement);
const form = byId('key-form', HTMLFormElement);
const name = byId('name', HTMLInputElement);
const firstScope = form.querySelector('[name=scope]') as HTMLInputElement;
const race = byId('key-race', HTMLSelectElement);
const date = byId('expiry-date', HTMLInputElement);
const message = byId('form-message', HTMLElement);

/** The race that comes next; blank if none does. */
let nextRace = '';

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
export function openKeyForm(events: readonly { id: string; name: string; event_date: string }[]) {
  say(message);
  const chosen = race.value;
  race.replaceChildren(
    element('option', { value: '' }, text('allRaces')),
    ...events.map(({ id, name }) => element('option', { value: id }, name)),
  );
  race.value = events.some(({ id }) => id === chosen) ? chosen : '';
  [nextRace = ''] = events
    .filter(({ event_date }) => Date.parse(event_date) > Date.now() - DAY_MS)
    .toSorted((one, other) => Date.parse(one.event_date) - Date.parse(other.event_date))
    .map(({ id }) => id);
  check();
  dialog.showModal();
  name.focus();
}

/** Fills in a key for a timing company: for one race, the next one if none is chosen. */
function fillPreset() {
  for (const box of form.querySelectorAll('[name=scope]')) {
    if (box instanceof HTMLInputElement) box.checked = TIMING_SCOPES.includes(box.value);
  }
  name.value ||= text('presetName');
  race.value ||= nextRace;
  check();
}

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
  return length > NAME_MAX ? text('nameLong', { length }) : '';
}

function dateProblem(when: Date | null) {
  if (when === null) return '';
  if (Number.isNaN(when.getTime())) return text('dateMissing');
  return when.getTime() <= Date.now() ? text('datePast') : '';
}
