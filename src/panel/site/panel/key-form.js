import { byId, element, mark, say, whileBusy } from './dom.js';
import { absoluteTime, texts } from './texts.js';

/** @typedef {import('./api.js').NewKey} NewKey */
/** @typedef {import('./api.js').Failure} Failure */

const SCOPES = [
  'events:read',
  'participants:read',
  'inscriptions:read',
  'stats:read',
  'payments:read',
  'results:write',
];
const NAME_MAX = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;

const dialog = byId('form-dialog', HTMLDialogElement);
const form = byId('key-form', HTMLFormElement);
const name = byId('name', HTMLInputElement);
const scopes = byId('scopes', HTMLFieldSetElement);
const dateField = byId('expiry-date-field', HTMLElement);
const date = byId('expiry-date', HTMLInputElement);
const FIELDS = [name, scopes, date];
const preview = byId('expiry-preview', HTMLElement);
const message = byId('form-message', HTMLElement);
const submit = /** @type {HTMLButtonElement} */ (form.querySelector('[type=submit]'));

/**
 * Wires the form up.
 * @param {(key: NewKey) => Promise<void>} create throws a Failure; the form then stays as it is
 */
export function wireKeyForm(create) {
  byId('form-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
  form.addEventListener('input', () => {
    showExpiry();
    // What was wrong is judged again with every keystroke; what is not finished yet, only when sent.
    for (const field of FIELDS) if (field.hasAttribute('aria-invalid')) mark(field, problem(field));
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const key = checked();
    if (key) void whileBusy(submit, () => submitted(key, create));
  });
}

/** @param {NewKey} key @param {(key: NewKey) => Promise<void>} create */
async function submitted(key, create) {
  say(message);
  try {
    await create(key);
  } catch (error) {
    const { kind, detail } = /** @type {Failure} */ (error);
    if (kind === 'refused' && detail) {
      say(message, texts.refusedWith, ' ', element('span', { lang: 'en' }, detail));
    } else say(message, kind === 'unreachable' ? texts.createUnsure : texts.failures[kind]);
  }
}

/** Opens the form with what was typed before, if it was left unfinished. */
export function openKeyForm() {
  say(message);
  showScopes();
  showExpiry();
  dialog.showModal();
}

export const closeKeyForm = () => dialog.close();

export function resetKeyForm() {
  form.reset();
  say(message);
  for (const field of FIELDS) mark(field);
}

/** The scopes as checkboxes, in the language in force; those chosen stay chosen. */
function showScopes() {
  const chosen = new Set(chosenScopes());
  byId('scope-choices', HTMLElement).replaceChildren(
    ...SCOPES.map((scope) => {
      const { title, allows } = texts.scope[scope] ?? { title: scope, allows: '' };
      const box = element('input', { type: 'checkbox', name: 'scope', value: scope });
      box.checked = chosen.has(scope);
      const heading = element('span', { class: 'scope-title' }, title, ' ');
      heading.append(element('code', {}, scope));
      if (scope === 'participants:read') heading.append(' ', tag(texts.personal));
      if (scope === 'results:write') heading.append(' ', tag(texts.writes));
      const text = element('span', { class: 'scope-text' }, heading);
      text.append(' ', element('span', { class: 'hint' }, allows));
      return element('label', { class: 'scope' }, box, text);
    }),
  );
}

/** @param {string} text */
const tag = (text) => element('span', { class: 'tag' }, text);

const chosenScopes = () => new FormData(form).getAll('scope').map(String);

function showExpiry() {
  dateField.hidden = new FormData(form).get('expiry') !== 'date';
  if (dateField.hidden) mark(date);
  const when = expiry();
  const known = when instanceof Date && !Number.isNaN(when.getTime());
  preview.textContent = known ? texts.stopsOn(absoluteTime(when)) : '';
}

/** @returns {Date | null} null for never; an invalid Date while none is chosen */
function expiry() {
  const choice = String(new FormData(form).get('expiry'));
  if (choice === 'never') return null;
  return choice === 'date' ? new Date(date.value) : new Date(Date.now() + Number(choice) * DAY_MS);
}

/** The key as typed, by the API's own rules; undefined when a field is wrong and has been marked. */
function checked() {
  for (const field of FIELDS) mark(field, problem(field));
  const wrong = FIELDS.find((field) => field.hasAttribute('aria-invalid'));
  if (wrong) {
    (wrong === scopes ? scopes.querySelector('input') : wrong)?.focus();
    return undefined;
  }
  const when = expiry();
  /** @type {NewKey} */
  const key = { name: name.value.trim(), scopes: chosenScopes() };
  if (when) key.expires_at = when.toISOString();
  return key;
}

/** @param {HTMLElement} field */
function problem(field) {
  if (field === name) return nameProblem();
  if (field === date) return dateProblem(expiry());
  return chosenScopes().length === 0 ? texts.scopesMissing : undefined;
}

function nameProblem() {
  // Characters as the API counts them, not UTF-16 units.
  const length = [...name.value.trim()].length;
  if (length === 0) return texts.nameMissing;
  return length > NAME_MAX ? texts.nameLong(length) : undefined;
}

/** @param {Date | null} when */
function dateProblem(when) {
  if (when === null) return undefined;
  if (Number.isNaN(when.getTime())) return texts.dateMissing;
  return when.getTime() <= Date.now() ? texts.datePast : undefined;
}
