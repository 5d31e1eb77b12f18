import { byId, element } from '../shared/dom.js';
import { mark, say, whileBusy } from './form.js';
import { absoluteTime, texts } from './texts.js';

/** @typedef {import('./api.js').NewKey} NewKey */
/** @typedef {import('./api.js').Failure} Failure */

const NAME_MAX = 100;
const DAY_MS = 24 * 60 * 60 * 1_000;
/** Scopes that no operation needs yet. */
const RESERVED = new Set(['inscriptions:read', 'payments:read']);

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
 * Adds the listeners of the form.
 * @param {(key: NewKey) => Promise<void>} create throws a Failure; the form then stays as it is
 */
export function wireKeyForm(create) {
  byId('form-cancel', HTMLButtonElement).addEventListener('click', () => dialog.close());
  form.addEventListener('input', () => {
    showExpiry();
    // Each keystroke checks only the fields that are marked as wrong. Submitting checks all fields.
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

/** Opens the form. It keeps unfinished input. */
export function openKeyForm() {
  say(message);
  showScopes();
  showExpiry();
  dialog.showModal();
  name.focus();
}

export const closeKeyForm = () => dialog.close();

export function resetKeyForm() {
  form.reset();
  say(message);
  for (const field of FIELDS) mark(field);
}

/** Shows the scopes as checkboxes in the current language. Checked boxes stay checked. */
function showScopes() {
  const chosen = new Set(chosenScopes());
  byId('scope-choices', HTMLElement).replaceChildren(
    ...Object.entries(texts.scope).map(([scope, { title, allows }]) => {
      const box = element('input', { type: 'checkbox', name: 'scope', value: scope });
      box.checked = chosen.has(scope);
      const heading = element('span', {}, element('strong', {}, title), ' ');
      heading.append(element('code', { class: 'soft' }, scope));
      if (scope === 'participants:read') heading.append(' ', tag(texts.personal, 'warn'));
      if (RESERVED.has(scope)) heading.append(' ', tag(texts.reserved));
      if (scope === 'results:write') heading.append(' ', tag(texts.writes, 'warn'));
      const text = element('span', {}, heading);
      text.append(' ', element('small', {}, allows));
      return element('label', { class: 'scope' }, box, text);
    }),
  );
}

/** @param {string} text @param {string} look */
const tag = (text, look = '') => element('span', { class: `pill ${look}` }, text);

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

/** Checks the input by the rules of the API. Returns undefined if it marks a field as wrong. */
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
  // Counts characters as the API does, not UTF-16 units.
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
