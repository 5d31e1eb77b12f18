import { element } from '../shared/dom.js';
import { absoluteTime, relativeTime, texts } from './texts.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {import('./api.js').ApiKeyEvent} ApiKeyEvent */
/** @typedef {'active' | 'expired' | 'revoked'} KeyState */
/**
 * What the list shows of a key beside the key: its history if it is open, and why there is none.
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
 * The keys that the reader looks for: active ones first, then the newest.
 * @param {readonly ApiKey[]} keys newest first
 * @param {string} search words that a key must have in its name, prefix, creator or scopes
 * @param {KeyState | 'all'} state
 */
export function wantedKeys(keys, search, state) {
  const words = plain(search).split(/\s+/);
  return keys
    .filter((key) => state === 'all' || stateOf(key) === state)
    .filter((key) => {
      const text = plain([key.name, key.key_prefix, key.created_by ?? '', ...key.scopes].join(' '));
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => STATES.indexOf(stateOf(a)) - STATES.indexOf(stateOf(b)));
}

/** Without accents, in lower case. @param {string} text */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/**
 * Makes the list item of a key.
 * @param {ApiKey} key
 * @param {string} userId the reader, who is shown as “you”
 * @param {Opened | undefined} opened
 * @param {KeyActions} actions
 */
export function keyItem(key, userId, opened, actions) {
  const state = stateOf(key);
  const soon = expiresSoon(key) && key.expires_at !== null;
  const item = element(
    'li',
    { class: `key ${state}${opened ? ' open' : ''}`, 'data-key': key.id },
    element(
      'div',
      { class: 'key-main' },
      element(
        'p',
        { class: 'key-name' },
        element('strong', { tabindex: '-1', 'data-focus': `${key.id} name` }, key.name),
        ' ',
        soon
          ? element(
              'span',
              { class: 'state soon' },
              texts.expiresIn(relativeTime(new Date(key.expires_at ?? ''))),
            )
          : element('span', { class: `state ${state}` }, texts.states[state]),
      ),
      element(
        'div',
        { class: 'key-id' },
        element('code', {}, `${key.key_prefix}…`),
        ' ',
        element(
          'ul',
          { class: 'scopes', 'aria-label': texts.scopes },
          ...key.scopes.map((scope) => element('li', {}, scope)),
        ),
      ),
    ),
    element('dl', { class: 'times' }, ...times(key, state, userId)),
    actionsOf(key, state, opened !== undefined, actions),
  );
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
 * Who did what to the key, newest first.
 * @param {ApiKey} key
 * @param {Opened} opened
 * @param {string} userId
 */
function historyOf(key, { history, problem }, userId) {
  const place = element(
    'div',
    { class: 'history', id: `history-${key.id}` },
    element('p', { class: 'history-title' }, texts.history),
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

/**
 * A revoked key can only be looked at. An expired key cannot be rotated.
 * @param {ApiKey} key
 * @param {KeyState} state
 * @param {boolean} isOpen
 * @param {KeyActions} actions
 */
function actionsOf(key, state, isOpen, actions) {
  const group = element('div', { class: 'key-actions' });
  if (state === 'active') {
    const rotate = action(key, 'rotate', texts.rotate, texts.rotateNamed(key.name));
    rotate.addEventListener('click', () => actions.rotate(key));
    group.append(rotate);
  }
  if (state !== 'revoked') {
    const revoke = action(key, 'revoke', texts.revoke, texts.revokeNamed(key.name));
    revoke.classList.add('danger');
    revoke.addEventListener('click', () => actions.revoke(key));
    group.append(revoke);
  }
  const toggle = action(key, 'toggle', texts.details, texts.detailsOf(key.name));
  toggle.classList.add('toggle');
  toggle.setAttribute('aria-expanded', String(isOpen));
  toggle.addEventListener('click', () => actions.toggle(key));
  group.append(toggle);
  return group;
}

/**
 * @param {ApiKey} key
 * @param {string} what
 * @param {string} text
 * @param {string} label
 */
const action = (key, what, text, label) =>
  element(
    'button',
    { type: 'button', 'aria-label': label, 'data-focus': `${key.id} ${what}` },
    text,
  );
