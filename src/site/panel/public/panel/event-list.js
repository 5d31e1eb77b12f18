import { copyOf, element, part } from '../shared/dom.js';
import { writeTexts } from '../shared/languages.js';
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
  const item = copyOf('event');
  writeTexts(item, texts);
  item.dataset['event'] = id;
  part(item, 'h2').textContent = name;
  const time = element('time', { datetime: event_date }, absoluteTime(new Date(event_date)));
  part(item, '.place').append(time, ` · ${city}`);
  part(item, '.switches').setAttribute('aria-label', texts.boardOf(name));
  fillSwitch(item, event, 'board_enabled', actions);
  fillSwitch(item, event, 'board_shows_names', actions);

  const href = boardAddress(event);
  part(item, '.board-address code').textContent = href;
  part(item, '.board-address small').hidden = isOpen;
  const address = part(item, '.board-address a');
  if (isOpen) address.setAttribute('href', href);
  else address.removeAttribute('href');
  for (const [what, label, to] of /** @type {const} */ ([
    ['preview', texts.previewOf, href],
    ['wall', texts.previewWallOf, `${href}?screen`],
  ])) {
    const link = part(item, `[data-action=${what}]`);
    link.hidden = !isOpen;
    link.setAttribute('href', to);
    link.setAttribute('aria-label', label(name));
  }
  for (const [what, label, act] of /** @type {const} */ ([
    ['copy', texts.copyAddressOf, actions.copy],
    ['code', texts.codeOf, actions.showCode],
  ])) {
    const button = part(item, `[data-action=${what}]`);
    button.setAttribute('aria-label', label(name));
    button.dataset['focus'] = `${id} ${what}`;
    button.addEventListener('click', () => act(event));
  }
  return item;
}

/**
 * @param {HTMLElement} item
 * @param {OrganizationEvent} event
 * @param {Switch} name
 * @param {EventActions} actions
 */
function fillSwitch(item, event, name, actions) {
  const { title, on, off } = texts.switches[name];
  const place = part(item, `[data-switch=${name}]`);
  const input = /** @type {HTMLInputElement} */ (part(place, 'input'));
  const hint = part(place, '.hint');
  hint.id = `${name}-${event.id}`;
  hint.textContent = event[name] ? on : off;
  part(place, 'span').textContent = title;
  input.setAttribute('role', 'switch');
  input.setAttribute('aria-describedby', hint.id);
  input.dataset['focus'] = `${event.id} ${name}`;
  input.checked = event[name];
  input.addEventListener('change', () => actions.set(event, name, input.checked, input));
}
