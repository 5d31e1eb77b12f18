import { copyOf, element, part } from '../shared/dom.js';
import { writeTexts } from '../shared/languages.js';
import { plain } from './event-list.js';
import { absoluteTime, relativeTime, texts } from './texts.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {import('./api.js').ApiKeyEvent} ApiKeyEvent */
/** @typedef {'active' | 'expired' | 'revoked'} KeyState */
/**
 * The details of an open key: its history, or the reason why it could not be loaded.
 * @typedef {{ history?: ApiKeyEvent[], problem?: string }} Opened
 */
/**
 * @typedef {object} KeyActions
 * @property {(key: ApiKey) => void} rotate
 * @property {(key: ApiKey) => void} revoke
 * @property {(key: ApiKey) => void} toggle opens or closes the details
 */

const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

/** @type {readonly KeyState[]} */
export const STATES = ['active', 'expired', 'revoked'];

/**
 * @param {ApiKey} key
 * @returns {KeyState}
 */
export function stateOf(key) {
  if (!key.is_active || key.revoked_at !== null) return 'revoked';
  const expired = key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
  return expired ? 'expired' : 'active';
}

/** @param {ApiKey} key */
export const expiresSoon = (key) =>
  stateOf(key) === 'active' &&
  key.expires_at !== null &&
  Date.parse(key.expires_at) - Date.now() < SOON_MS;

/**
 * The keys that the reader looks for: active ones first, then the newest or those that were used last.
 * @param {readonly ApiKey[]} keys newest first
 * @param {string} search words that a key must have in its name, prefix, creator or scopes
 * @param {KeyState | 'all'} state
 * @param {string} order `newest` or `used`
 */
export function wantedKeys(keys, search, state, order) {
  const words = plain(search).split(/\s+/);
  return keys
    .filter((key) => state === 'all' || stateOf(key) === state)
    .filter((key) => {
      const text = plain([key.name, key.key_prefix, key.created_by ?? '', ...key.scopes].join(' '));
      return words.every((word) => text.includes(word));
    })
    .toSorted(
      (a, b) =>
        STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)) ||
        (order === 'used' ? usedAt(b) - usedAt(a) : 0),
    );
}

/** @param {ApiKey} key */
const usedAt = ({ last_used_at }) => (last_used_at === null ? 0 : Date.parse(last_used_at));

/**
 * The actions on a key, by its state. An expired key cannot be rotated.
 * @type {Record<KeyState, readonly (keyof KeyActions)[]>}
 */
const ALLOWED = {
  active: ['rotate', 'revoke', 'toggle'],
  expired: ['revoke', 'toggle'],
  revoked: ['toggle'],
};

/**
 * Makes the list item of a key.
 * @param {ApiKey} key
 * @param {string} userId the reader, who is shown as “you”
 * @param {Opened | undefined} opened
 * @param {KeyActions} actions
 */
export function keyItem(key, userId, opened, actions) {
  const state = stateOf(key);
  const isEnding = expiresSoon(key);
  const item = copyOf('key');
  writeTexts(item, texts);
  item.dataset['item'] = key.id;
  item.classList.add(state);
  item.classList.toggle('open', opened !== undefined);
  const name = part(item, 'strong');
  name.textContent = key.name;
  name.dataset['focus'] = `${key.id} name`;
  const pill = part(item, '.pill');
  pill.dataset['state'] = isEnding ? 'soon' : state;
  pill.textContent = isEnding
    ? texts.expiresIn(relativeTime(new Date(key.expires_at ?? '')))
    : texts.states[state];
  part(item, 'code').textContent = `${key.key_prefix}…`;
  part(item, '.times').append(...times(key, state, userId));
  const labels = { rotate: texts.rotateNamed, revoke: texts.revokeNamed, toggle: texts.detailsOf };
  for (const what of ALLOWED.active) {
    const button = part(item, `[data-action=${what}]`);
    button.hidden = !ALLOWED[state].includes(what);
    button.setAttribute('aria-label', labels[what](key.name));
    button.dataset['focus'] = `${key.id} ${what}`;
    button.addEventListener('click', () => actions[what](key));
  }
  part(item, '.toggle').setAttribute('aria-expanded', String(opened !== undefined));
  if (opened) item.append(historyOf(key, opened, userId));
  return item;
}

/**
 * @param {ApiKey} key
 * @param {KeyState} state
 * @param {string} userId
 */
function times(key, state, userId) {
  const end =
    state === 'revoked'
      ? fact(texts.revoked, key.revoked_at)
      : fact(state === 'expired' ? texts.expired : texts.expires, key.expires_at);
  if (expiresSoon(key)) end.classList.add('soon');
  const by = key.created_by === null ? undefined : texts.by(nameOf(key.created_by, userId));
  return [fact(texts.created, key.created_at, by), fact(texts.lastUsed, key.last_used_at), end];
}

/** @param {string} actor @param {string} userId */
const nameOf = (actor, userId) => (actor === userId ? texts.you : actor);

/**
 * @param {string} label
 * @param {string | null} instant
 * @param {string} [note] instead of the date
 */
function fact(label, instant, note) {
  const value = element('dd', {});
  if (instant === null) value.append(texts.never);
  else {
    const date = new Date(instant);
    const full = absoluteTime(date);
    value.append(
      element('time', { datetime: instant, title: full }, relativeTime(date)),
      element('small', { title: note ?? full }, note ?? full),
    );
  }
  return element('div', {}, element('dt', {}, label), value);
}

/**
 * The changes of a key and who made them, newest first.
 * @param {ApiKey} key
 * @param {Opened} opened
 * @param {string} userId
 */
function historyOf(key, { history, problem }, userId) {
  const place = element(
    'div',
    { class: 'notice info history', id: `history-${key.id}` },
    element(
      'ul',
      { class: 'scopes row', 'aria-label': texts.scopes },
      ...key.scopes.map((scope) => element('li', { class: 'pill mono' }, scope)),
    ),
    element('p', { class: 'strong' }, texts.history),
  );
  if (problem !== undefined) place.append(element('p', { class: 'error' }, problem));
  else if (!history) place.append(element('p', { class: 'hint' }, texts.loading));
  else if (history.length === 0) place.append(element('p', { class: 'hint' }, texts.noHistory));
  else
    place.append(
      element(
        'ol',
        { 'aria-label': texts.history },
        ...history.map((entry) => historyItem(entry, userId)),
      ),
    );
  return place;
}

/** @param {ApiKeyEvent} entry @param {string} userId */
const historyItem = ({ kind, actor, key_prefix, occurred_at }, userId) =>
  element(
    'li',
    {},
    element('strong', {}, texts.kinds[kind]),
    ` ${texts.by(nameOf(actor, userId))} · `,
    element('time', { datetime: occurred_at }, absoluteTime(new Date(occurred_at))),
    ' · ',
    element('code', {}, `${key_prefix}…`),
  );
