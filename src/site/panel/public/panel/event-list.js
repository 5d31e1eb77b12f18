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

/** In every time zone an event is of today from its eve to the morning after. */
const TODAY_MS = 18 * 3_600_000;

/** @param {OrganizationEvent} event */
const isToday = ({ event_date }) => Math.abs(Date.parse(event_date) - Date.now()) < TODAY_MS;

/** Without accents, in lower case. @param {string} text */
export const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/**
 * The events that the reader looks for, those of today first.
 * @param {readonly OrganizationEvent[]} events latest first
 * @param {string} search words of the name, the city or the date
 */
export function wantedEvents(events, search) {
  const words = plain(search).split(/\s+/);
  return events
    .filter(({ name, city, event_date }) => {
      const text = plain(`${name} ${city} ${event_date} ${absoluteTime(new Date(event_date))}`);
      return words.every((word) => text.includes(word));
    })
    .toSorted((one, other) => Number(isToday(other)) - Number(isToday(one)));
}

/** @param {OrganizationEvent} event */
export const boardAddress = ({ id }) => `${location.origin}/board/${id}`;

/** The board's address for a poster: the first digits of the id. @param {OrganizationEvent} event */
export const shortAddress = ({ id }) => `${location.origin}/board/${id.slice(0, 8)}`;

/**
 * Makes the list item of an event.
 * @param {OrganizationEvent} event
 * @param {ReadonlyMap<string, string>} problems why a switch stayed where it was, by its name for the focus
 * @param {EventActions} actions
 */
export function eventItem(event, problems, actions) {
  const { id, name, city, event_date, board_enabled: isOpen } = event;
  const item = copyOf('event');
  writeTexts(item, texts);
  item.dataset['item'] = id;
  item.classList.toggle('today', isToday(event));
  part(item, 'h2').textContent = name;
  part(item, 'h2').title = name;
  const time = element('time', { datetime: event_date }, absoluteTime(new Date(event_date)));
  part(item, '.place').append(time, ` · ${city}`);
  part(item, '.switches').setAttribute('aria-label', texts.boardOf(name));
  fillSwitch(item, event, 'board_enabled', problems, actions);
  fillSwitch(item, event, 'board_shows_names', problems, actions);

  const href = boardAddress(event);
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
 * @param {ReadonlyMap<string, string>} problems
 * @param {EventActions} actions
 */
function fillSwitch(item, event, name, problems, actions) {
  const { title, on, off } = texts.switches[name];
  const place = part(item, `[data-switch=${name}]`);
  const input = /** @type {HTMLInputElement} */ (part(place, 'input'));
  const hint = part(place, '.unseen');
  hint.id = `${name}-${event.id}`;
  hint.textContent = event[name] ? on : off;
  part(place, 'span').textContent = title;
  part(place, 'label').title = hint.textContent;
  part(place, '.problem').textContent = problems.get(`${event.id} ${name}`) ?? '';
  input.setAttribute('role', 'switch');
  input.setAttribute('aria-describedby', hint.id);
  input.dataset['focus'] = `${event.id} ${name}`;
  input.toggleAttribute('checked', event[name]);
  input.addEventListener('change', () => actions.set(event, name, input.checked, input));
}
