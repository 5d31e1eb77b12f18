import { byId } from '../shared/dom.js';
import { showBoardCode } from './board-code.js';
import { boardAddress, eventItem } from './event-list.js';
import { announce, kindOf, replaceItems, showTrouble } from './page.js';
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
  /** Why the last request failed. @type {import('./api.js').FailureKind | undefined} */
  let failed;

  trouble.querySelector('button')?.addEventListener('click', () => void load());

  async function load() {
    const asked = page.session();
    if (!asked) return;
    list.setAttribute('aria-busy', 'true');
    try {
      const answer = await asked.api.events();
      // The reader has signed out meanwhile.
      if (page.session() !== asked) return;
      events = answer;
      failed = undefined;
    } catch (error) {
      if (page.session() !== asked) return;
      const kind = kindOf(error);
      if (!page.endIfRefused(kind)) failed = kind;
    } finally {
      list.removeAttribute('aria-busy');
      render();
    }
  }

  /**
   * Moves a switch. It stays where it was until the API has answered.
   * @param {OrganizationEvent} event
   * @param {import('./event-list.js').Switch} name
   * @param {boolean} isOn
   * @param {HTMLInputElement} input
   */
  async function set(event, name, isOn, input) {
    const asked = page.session();
    if (!asked) return;
    input.checked = !isOn;
    if (input.getAttribute('aria-busy') === 'true') return;
    input.setAttribute('aria-busy', 'true');
    try {
      const changed = await asked.api.switchBoard(event.id, { [name]: isOn });
      if (page.session() !== asked) return;
      events = events.map((one) => (one.id === changed.id ? changed : one));
      failed = undefined;
      announce(texts.switches[name][changed[name] ? 'toastOn' : 'toastOff'](changed.name));
    } catch (error) {
      if (page.session() !== asked) return;
      const kind = kindOf(error);
      if (!page.endIfRefused(kind)) failed = kind;
    } finally {
      input.removeAttribute('aria-busy');
      render();
    }
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
    showTrouble(trouble, failed && texts.failures[failed]);
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
    load,
    render,
    /** @param {OrganizationEvent[]} loaded */
    show(loaded) {
      events = loaded;
      failed = undefined;
    },
    clear() {
      events = [];
      failed = undefined;
      list.replaceChildren();
    },
  };
}
