import { byId, element } from '../shared/dom.js';
import { askToConfirm, closeConfirmation, showSecret } from './dialogs.js';
import { closeKeyForm, openKeyForm, resetKeyForm, wireKeyForm } from './key-form.js';
import { expiresSoon, keyItem, STATES, stateOf, wantedKeys } from './key-list.js';
import { announce, createRequests, focusable, kindOf, replaceItems } from './page.js';
import { relativeTime, texts } from './texts.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {import('./key-list.js').KeyState | 'all'} Filter */

/** Keys on the page before the reader asks for more. */
const SHOWN_AT_ONCE = 100;
/** With fewer keys than this, there is nothing to search. */
const SEARCHED_FROM = 6;

const list = byId('key-list', HTMLUListElement);
const trouble = byId('list-message', HTMLElement);
const search = byId('key-search', HTMLInputElement);
const filters = byId('key-filters', HTMLElement);
const tools = byId('key-tools', HTMLElement);
const sort = byId('key-sort', HTMLSelectElement);
const more = byId('more-keys', HTMLButtonElement);
const noMatch = byId('no-match', HTMLElement);

/**
 * The view of the keys.
 * @param {import('./page.js').PageOfViews} page
 */
export function createKeysView(page) {
  /** @type {ApiKey[]} */
  let keys = [];
  /** The keys with open details. @type {Map<string, import('./key-list.js').Opened>} */
  const opened = new Map();
  /** @type {Filter} */
  let filter = 'all';
  let limit = SHOWN_AT_ONCE;
  const requests = createRequests(page, trouble, { load: () => void load(), render });

  wireKeyForm(createKey);
  byId('new-key', HTMLButtonElement).addEventListener('click', openKeyForm);
  byId('empty', HTMLElement).querySelector('button')?.addEventListener('click', openKeyForm);
  search.addEventListener('input', () => {
    limit = SHOWN_AT_ONCE;
    render();
  });
  sort.addEventListener('change', render);
  more.addEventListener('click', () => {
    limit += SHOWN_AT_ONCE;
    render();
  });
  byId('clear-search', HTMLButtonElement).addEventListener('click', () => {
    search.value = '';
    filter = 'all';
    render();
    search.focus();
  });

  const load = () =>
    requests.run(
      list,
      (api) => api.keys(),
      (answer) => {
        keys = answer;
      },
    );

  /** @param {import('./api.js').NewKey} key */
  async function createKey(key) {
    const made = await ofSession((api) => api.create(key));
    if (!made) return;
    resetKeyForm();
    closeKeyForm();
    // The new key must not be hidden by what the reader searched before.
    search.value = '';
    filter = 'all';
    await reveal(made, texts.secretTitle(made.name));
    announce(texts.toastCreated(made.name));
  }

  /** @param {ApiKey} key */
  function rotate(key) {
    askToConfirm('rotate', key, async () => {
      const made = await ofSession((api) => api.rotate(key.id));
      if (!made) return;
      closeConfirmation();
      opened.delete(key.id);
      await reveal({ ...key, api_key: made.api_key }, texts.rotatedTitle(key.name));
      announce(texts.toastRotated(key.name));
    });
  }

  /** @param {ApiKey} key */
  function revoke(key) {
    askToConfirm('revoke', key, async () => {
      const done = await ofSession((api) => api.revoke(key.id).then(() => true));
      if (!done) return;
      closeConfirmation();
      opened.delete(key.id);
      await load();
      focusKey(key.id);
      announce(texts.toastRevoked(key.name));
    });
  }

  /** @param {ApiKey} key */
  async function toggle({ id }) {
    if (opened.delete(id)) return render();
    opened.set(id, {});
    render();
    try {
      const history = await ofSession((api) => api.history(id));
      if (history && opened.has(id)) opened.set(id, { history });
    } catch (error) {
      if (opened.has(id)) opened.set(id, { problem: texts.failures[kindOf(error)] });
    }
    render();
  }

  /**
   * Runs a request of the session. Returns undefined if the request ended the session.
   * @template T
   * @param {(api: import('./api.js').Api) => Promise<T>} request
   * @returns {Promise<T | undefined>}
   */
  async function ofSession(request) {
    const session = page.session();
    if (!session) return undefined;
    try {
      return await request(session.api);
    } catch (error) {
      const kind = kindOf(error);
      if (page.endIfRefused(kind)) return undefined;
      if (kind === 'unreachable') void load();
      throw error;
    }
  }

  /**
   * Shows the secret of a key and reloads the list behind it. Then moves the focus to the key.
   * @param {import('./api.js').ApiKeyWithSecret} key
   * @param {string} title
   */
  async function reveal(key, title) {
    const loaded = load();
    await showSecret(title, key.api_key);
    await loaded;
    focusKey(key.id);
  }

  /** @param {string} id */
  const focusKey = (id) => focusable(list, `${id} name`)?.focus();

  function render() {
    const session = page.session();
    if (!session) return;
    const found = wantedKeys(keys, search.value, filter, sort.value);
    requests.showTrouble();
    replaceItems(
      list,
      found.slice(0, limit).map((key) =>
        keyItem(key, session.userId, opened.get(key.id), {
          rotate,
          revoke,
          toggle: (one) => void toggle(one),
        }),
      ),
    );
    renderFilters();
    renderWarning();
    list.hidden = found.length === 0;
    noMatch.hidden = keys.length === 0 || found.length > 0;
    tools.hidden = keys.length < SEARCHED_FROM;
    more.hidden = found.length <= limit;
    more.textContent = texts.showMore(found.length - limit);
    byId('empty', HTMLElement).hidden = keys.length > 0;
    byId('new-key', HTMLElement).hidden = keys.length === 0;
  }

  function renderFilters() {
    /** @type {Filter[]} */
    const all = ['all', ...STATES];
    replaceItems(
      filters,
      all.map((state) => {
        const count =
          state === 'all' ? keys.length : keys.filter((key) => stateOf(key) === state).length;
        const button = element(
          'button',
          {
            type: 'button',
            class: 'button minor',
            'data-focus': state,
            'data-item': state,
            'aria-pressed': String(state === filter),
          },
          texts.filters[state],
          element('span', { class: 'soft' }, String(count)),
        );
        button.addEventListener('click', () => {
          filter = state;
          limit = SHOWN_AT_ONCE;
          render();
        });
        return button;
      }),
    );
  }

  /** Warns of the keys that stop working within a week, the first to stop at the top. */
  function renderWarning() {
    const ending = keys
      .filter(expiresSoon)
      .toSorted((a, b) => Date.parse(a.expires_at ?? '') - Date.parse(b.expires_at ?? ''));
    byId('expiry-warning', HTMLElement).hidden = ending.length === 0;
    byId('expiry-warning-title', HTMLElement).textContent = texts.expireSoon(ending.length);
    byId('expiry-warning-keys', HTMLElement).replaceChildren(
      ...ending.map(({ name, expires_at }) =>
        element(
          'li',
          {},
          element('strong', {}, name),
          ` · ${relativeTime(new Date(expires_at ?? ''))}`,
        ),
      ),
    );
  }

  return {
    render,
    /** @param {ApiKey[]} loaded */
    show(loaded) {
      keys = loaded;
      requests.forgetTrouble();
    },
    /** Forgets everything about the session. */
    clear() {
      keys = [];
      requests.forgetTrouble();
      opened.clear();
      search.value = '';
      filter = 'all';
      limit = SHOWN_AT_ONCE;
      list.replaceChildren();
      closeKeyForm();
      closeConfirmation();
    },
  };
}
