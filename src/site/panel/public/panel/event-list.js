import { element } from '../shared/dom.js';
import { absoluteTime, texts } from './texts.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {'board_enabled' | 'board_shows_names'} Switch */
/**
 * @typedef {object} EventActions
 * @property {(event: OrganizationEvent, name: Switch, isOn: boolean, input: HTMLInputElement) => void} set
 * @property {(event: OrganizationEvent) => void} copy
 * @property {(event: OrganizationEvent) => void} showCode
 */

/** @param {OrganizationEvent} event */
export const boardAddress = ({ id }) => `${location.origin}/board/${id}`;

/**
 * Makes the list item of an event.
 * @param {OrganizationEvent} event
 * @param {EventActions} actions
 */
export function eventItem(event, actions) {
  const { id, name, city, event_date, board_enabled: isOpen } = event;
  return element(
    'li',
    { class: 'event', 'data-event': id },
    element(
      'div',
      { class: 'event-main' },
      element('h2', { class: 'event-name' }, name),
      element(
        'p',
        { class: 'event-place' },
        element('time', { datetime: event_date }, absoluteTime(new Date(event_date))),
        ` · ${city}`,
      ),
    ),
    element(
      'div',
      { class: 'switches', role: 'group', 'aria-label': texts.boardOf(name) },
      switchOf(event, 'board_enabled', actions),
      switchOf(event, 'board_shows_names', actions),
    ),
    element(
      'div',
      { class: 'board' },
      address(event),
      element('div', { class: 'board-actions' }, ...boardActions(event, isOpen, actions)),
    ),
  );
}

/** @param {OrganizationEvent} event */
function address(event) {
  const place = element('p', { class: 'board-address' });
  const href = boardAddress(event);
  if (event.board_enabled) {
    place.append(
      element('a', { href, target: '_blank', rel: 'noopener' }, element('code', {}, href)),
    );
  } else {
    place.append(element('code', {}, href), element('small', {}, texts.boardIsOff));
  }
  return place;
}

/**
 * @param {OrganizationEvent} event
 * @param {boolean} isOpen
 * @param {EventActions} actions
 */
function boardActions(event, isOpen, actions) {
  const { id, name } = event;
  const copy = action(id, 'copy', texts.copyAddress, texts.copyAddressOf(name));
  copy.addEventListener('click', () => actions.copy(event));
  const code = action(id, 'code', texts.code, texts.codeOf(name));
  code.addEventListener('click', () => actions.showCode(event));
  return [copy, code, ...(isOpen ? previews(event) : [])];
}

/** @param {OrganizationEvent} event */
function previews(event) {
  const href = boardAddress(event);
  return [
    link(href, texts.preview, texts.previewOf(event.name)),
    link(`${href}?screen`, texts.previewWall, texts.previewWallOf(event.name)),
  ];
}

/**
 * @param {string} href
 * @param {string} text
 * @param {string} label
 */
const link = (href, text, label) =>
  element(
    'a',
    { class: 'button', href, target: '_blank', rel: 'noopener', 'aria-label': label },
    text,
  );

/**
 * @param {OrganizationEvent} event
 * @param {Switch} name
 * @param {EventActions} actions
 */
function switchOf(event, name, actions) {
  const { title, on, off } = texts.switches[name];
  const input = element('input', {
    type: 'checkbox',
    role: 'switch',
    'data-focus': `${event.id} ${name}`,
    'aria-describedby': `${name}-${event.id}`,
  });
  input.checked = event[name];
  input.addEventListener('change', () => actions.set(event, name, input.checked, input));
  return element(
    'div',
    { class: 'switch' },
    element('label', {}, input, element('span', {}, title)),
    element('p', { class: 'hint', id: `${name}-${event.id}` }, event[name] ? on : off),
  );
}

/**
 * @param {string} id
 * @param {string} what
 * @param {string} text
 * @param {string} label
 */
const action = (id, what, text, label) =>
  element('button', { type: 'button', 'aria-label': label, 'data-focus': `${id} ${what}` }, text);
