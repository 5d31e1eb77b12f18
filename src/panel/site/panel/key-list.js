import { element } from './dom.js';
import { absoluteTime, relativeTime, texts } from './texts.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {{ rotate(key: ApiKey): void, revoke(key: ApiKey): void }} KeyActions */

const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * @param {ApiKey} key
 * @returns {'active' | 'expired' | 'revoked'}
 */
export function stateOf(key) {
  if (!key.is_active || key.revoked_at !== null) return 'revoked';
  const expired = key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
  return expired ? 'expired' : 'active';
}

/**
 * One key as an item of the list.
 * @param {ApiKey} key
 * @param {KeyActions} actions
 */
export function keyItem(key, actions) {
  const state = stateOf(key);
  return element(
    'li',
    { class: `key ${state}`, 'data-key': key.id },
    element(
      'div',
      { class: 'key-main' },
      element(
        'p',
        { class: 'key-name' },
        element('strong', { tabindex: '-1', 'data-focus': `${key.id} name` }, key.name),
        ' ',
        element('span', { class: `state ${state}` }, texts.states[state]),
      ),
      element('p', { class: 'key-id' }, element('code', {}, `${key.key_prefix}…`)),
      element(
        'ul',
        { class: 'scopes', 'aria-label': texts.scopes },
        ...key.scopes.map((scope) => element('li', {}, scope)),
      ),
    ),
    element('dl', { class: 'times' }, ...times(key, state)),
    actionsOf(key, state, actions),
  );
}

/**
 * @param {ApiKey} key
 * @param {ReturnType<typeof stateOf>} state
 */
function times(key, state) {
  const facts = [
    fact(texts.created, key.created_at),
    fact(texts.lastUsed, key.last_used_at),
    state === 'revoked'
      ? fact(texts.revoked, key.revoked_at)
      : fact(state === 'expired' ? texts.expired : texts.expires, key.expires_at),
  ];
  const soon =
    state === 'active' &&
    key.expires_at !== null &&
    Date.parse(key.expires_at) - Date.now() < SOON_MS;
  if (soon) facts[2]?.classList.add('soon');
  return facts;
}

/**
 * @param {string} label
 * @param {string | null} instant
 */
function fact(label, instant) {
  const value = element('dd', {});
  if (instant === null) value.append(texts.never);
  else {
    const date = new Date(instant);
    value.append(
      element('time', { datetime: instant }, relativeTime(date)),
      element('small', {}, absoluteTime(date)),
    );
  }
  return element('div', {}, element('dt', {}, label), value);
}

/**
 * A revoked key has nothing left to do; a new secret would not revive an expired one.
 * @param {ApiKey} key
 * @param {ReturnType<typeof stateOf>} state
 * @param {KeyActions} actions
 */
function actionsOf(key, state, actions) {
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
