import { byId } from '../shared/dom.js';
import { showBoardCode } from './board-code.js';
import { boardAddress, eventItem } from './event-list.js';
import { announce, createRequests, replaceItems } from './page.js';
import { texts } from './texts.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */

const list = byId('event-list', HTMLUListElement);
const trouble = byId('events-message', HTMLElement);

/**
 * The view of the events and their boards.
 * @param {import('./page.js').PageOfViews} page
 */
export function createEventsView(page) {
  /** @type {OrganizationEvent[]} */
  let events = [];
  const requests = createRequests(page, trouble, { load: () => void load(), render });

  const load = () =>
    requests.run(
      list,
      (api) => api.events(),
      (answer) => {
        events = answer;
      },
    );

  /**
   * Moves a switch. It stays where it was until the API has answered.
   * @param {OrganizationEvent} event
   * @param {import('./event-list.js').Switch} name
   * @param {boolean} isOn
   * @param {HTMLInputElement} input
   */
  async function set(event, name, isOn, input) {
    input.checked = !isOn;
    if (input.getAttribute('aria-busy') === 'true') return;
    await requests.run(
      input,
      (api) => api.switchBoard(event.id, { [name]: isOn }),
      (changed) => {
        events = events.map((one) => (one.id === changed.id ? changed : one));
        announce(texts.switches[name][changed[name] ? 'toastOn' : 'toastOff'](changed.name));
      },
    );
  }

  /** @param {OrganizationEvent} event */
  async function copy(event) {
    try {
      await navigator.clipboard.writeText(boardAddress(event));
      announce(texts.addressCopied);
    } catch {
      announce(texts.addressNotCopied);
    }
  }

  function render() {
    if (!page.session()) return;
    requests.showTrouble();
    replaceItems(
      list,
      events.map((event) =>
        eventItem(event, {
          set: (...change) => void set(...change),
          copy: (one) => void copy(one),
          showCode: (one) => void showBoardCode(one.name, boardAddress(one)),
        }),
      ),
    );
    list.hidden = events.length === 0;
    byId('no-events', HTMLElement).hidden = events.length > 0;
  }

  return {
    render,
    /** @param {OrganizationEvent[]} loaded */
    show(loaded) {
      events = loaded;
      requests.forgetTrouble();
    },
    clear() {
      events = [];
      requests.forgetTrouble();
      list.replaceChildren();
    },
  };
}
