import { byId } from '../shared/dom.js';
import { showBoardCode } from './board-code.js';
import { boardAddress, eventItem, shortAddress, wantedEvents } from './event-list.js';
import { announce, createRequests, kindOf, replaceItems } from './page.js';
import { texts } from './texts.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */

/** Events on the page before the reader asks for more. */
const SHOWN_AT_ONCE = 50;
/** With fewer events than this, there is nothing to search. */
const SEARCHED_FROM = 6;

const list = byId('event-list', HTMLUListElement);
const trouble = byId('events-message', HTMLElement);
const search = byId('event-search', HTMLInputElement);
const more = byId('more-events', HTMLButtonElement);

/**
 * The view of the events and their boards.
 * @param {import('./page.js').PageOfViews} page
 */
export function createEventsView(page) {
  /** @type {OrganizationEvent[]} */
  let events = [];
  /** Why a switch stayed where it was. @type {Map<string, string>} */
  const problems = new Map();
  let limit = SHOWN_AT_ONCE;
  const requests = createRequests(page, trouble, { load: () => void load(), render });
  search.addEventListener('input', () => {
    limit = SHOWN_AT_ONCE;
    render();
  });
  more.addEventListener('click', () => {
    limit += SHOWN_AT_ONCE;
    render();
  });

  const load = () =>
    requests.run(
      list,
      (api) => api.events(),
      (answer) => {
        events = answer;
      },
    );

  /**
   * Moves a switch. It stays where it was until the API has answered. A failure is said beside the switch.
   * @param {OrganizationEvent} event
   * @param {import('./event-list.js').Switch} name
   * @param {boolean} isOn
   * @param {HTMLInputElement} input
   */
  async function set(event, name, isOn, input) {
    input.checked = !isOn;
    const session = page.session();
    if (!session || input.getAttribute('aria-busy') === 'true') return;
    input.setAttribute('aria-busy', 'true');
    const place = `${event.id} ${name}`;
    problems.delete(place);
    try {
      const changed = await session.api.switchBoard(event.id, { [name]: isOn });
      if (page.session() !== session) return;
      events = events.map((one) => (one.id === changed.id ? changed : one));
      announce(texts.switches[name][changed[name] ? 'toastOn' : 'toastOff'](changed.name));
    } catch (error) {
      const kind = kindOf(error);
      if (page.session() !== session || page.endIfRefused(kind)) return;
      problems.set(place, texts.failures[kind]);
    } finally {
      input.removeAttribute('aria-busy');
    }
    render();
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
    const found = wantedEvents(events, search.value);
    replaceItems(
      list,
      found.slice(0, limit).map((event) =>
        eventItem(event, problems, {
          set: (...change) => void set(...change),
          copy: (one) => void copy(one),
          showCode: (one) => void showBoardCode(one.name, boardAddress(one), shortAddress(one)),
        }),
      ),
    );
    list.hidden = found.length === 0;
    search.hidden = events.length < SEARCHED_FROM;
    more.hidden = found.length <= limit;
    more.textContent = texts.showMore(found.length - limit);
    byId('no-event-match', HTMLElement).hidden = events.length === 0 || found.length > 0;
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
      problems.clear();
      search.value = '';
      limit = SHOWN_AT_ONCE;
      requests.forgetTrouble();
      list.replaceChildren();
    },
  };
}
