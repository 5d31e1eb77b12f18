import { byId, element, keyed, part, setText } from '../shared/dom.js';
import { askToConfirm, closeConfirmation, showSecret, wordsOf } from './dialogs.js';
import { absoluteTime, isolated, relativeTime, searching, text } from './formats.js';
import { closeKeyForm, nameProblem, openKeyForm, resetKeyForm, wireKeyForm } from './key-form.js';
import { announce, copyOf, failureIn, say, whileBusy, wireActions } from './page.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {import('./api.js').ApiKeyEvent} ApiKeyEvent */
/** @typedef {'active' | 'expired' | 'revoked'} KeyState */

/** With fewer keys than this, there is nothing to search. */
const SEARCHED_FROM = 6;
const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

const view = byId('keys', HTMLElement);
const list = byId('key-list', HTMLUListElement);
const folded = {
  expired: byId('expired-keys', HTMLDetailsElement),
  revoked: byId('revoked-keys', HTMLDetailsElement),
};
const FOLDED = /** @type {const} */ (['expired', 'revoked']);
const search = byId('key-search', HTMLInputElement);
const sort = byId('key-sort', HTMLSelectElement);

/** @param {ApiKey} key @returns {KeyState} */
function stateOf({ is_active, expires_at }) {
  if (!is_active) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

/** @param {ApiKey} key */
const endsSoon = (key) =>
  stateOf(key) === 'active' &&
  key.expires_at !== null &&
  Date.parse(key.expires_at) - Date.now() < SOON_MS;

/** @param {ApiKey} key */
const usedAt = ({ last_used_at }) => (last_used_at === null ? 0 : Date.parse(last_used_at));

/**
 * The view of the keys.
 * @param {import('./page.js').Page} page
 */
export function createKeysView(page) {
  /** Newest first. @type {ApiKey[]} */
  let keys = [];

  wireKeyForm(createKey);
  byId('new-key', HTMLButtonElement).addEventListener('click', openKeyForm);
  byId('first-key', HTMLButtonElement).addEventListener('click', openKeyForm);
  search.addEventListener('input', () => {
    for (const state of FOLDED) folded[state].open = search.value !== '';
    render();
  });
  sort.addEventListener('change', render);
  wireActions(view, {
    rotate: (id) => withKey(id, rotate),
    revoke: (id) => withKey(id, revoke),
    toggle: (id, row) => {
      row.classList.toggle('open');
      void showDetails(id);
    },
    rename: (_, row) => showRenaming(row, true),
    cancel: (_, row) => showRenaming(row, false),
  });
  view.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    void whileBusy(form, () => rename(form));
  });
  view.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'name') {
      target.setCustomValidity(nameProblem(target.value));
    }
  });
  view.addEventListener('keydown', ({ key, target }) => {
    const row = target instanceof Element && target.closest('.rename')?.closest('li');
    if (key === 'Escape' && row) showRenaming(row, false);
  });

  /** @param {string} id @param {(key: ApiKey) => void} work */
  function withKey(id, work) {
    const key = keys.find((one) => one.id === id);
    if (key) work(key);
  }

  /** @param {import('./api.js').NewKey} key */
  async function createKey(key) {
    const made = await changing((api) => api.create(key));
    if (!made) return;
    resetKeyForm();
    closeKeyForm();
    // The new key must not be hidden by what the reader searched before.
    search.value = '';
    await reveal(made, text('secretTitle', { name: isolated(made.name) }));
    announce(text('toastCreated', { name: isolated(made.name) }));
  }

  /** @param {ApiKey} key */
  function rotate(key) {
    ask(key, 'rotate', async () => {
      const made = await changing((api) => api.rotate(key.id));
      if (!made) return;
      closeConfirmation();
      await reveal(made, text('rotatedTitle', { name: isolated(key.name) }));
      announce(text('toastRotated', { name: isolated(key.name) }));
    });
  }

  /** @param {ApiKey} key */
  function revoke(key) {
    ask(key, 'revoke', async () => {
      if (!(await changing((api) => api.revoke(key.id)))) return;
      closeConfirmation();
      await page.refresh();
      focusKey(key.id);
      announce(text('toastRevoked', { name: isolated(key.name) }));
    });
  }

  /**
   * Shows the form for a new name in place of the name, or the name again.
   * @param {HTMLElement} row
   * @param {boolean} isRenaming
   */
  function showRenaming(row, isRenaming) {
    const input = /** @type {HTMLInputElement} */ (part(row, '.rename input'));
    part(row, '.rename').hidden = !isRenaming;
    part(row, '.key-name').hidden = isRenaming;
    if (!isRenaming) return part(row, 'strong').focus();
    say(part(row, '.rename .error'));
    input.value = part(row, 'strong').textContent;
    input.setCustomValidity('');
    input.select();
  }

  /** @param {HTMLFormElement} form in the row of a key */
  async function rename(form) {
    const row = /** @type {HTMLElement} */ (form.closest('li'));
    const id = row.dataset['key'] ?? '';
    const message = part(form, '.error');
    say(message);
    try {
      const name = String(new FormData(form).get('name')).trim();
      const renamed = await page.run((api) => api.rename(id, name));
      if (!renamed) return;
      keys = keys.map((key) => (key.id === id ? renamed : key));
      render();
      showRenaming(row, false);
      announce(text('renamed', { name: isolated(renamed.name) }));
      await showDetails(id);
    } catch (error) {
      say(message, wordsOf(failureIn(error)));
    }
  }

  /** Shows the permissions and the history of a key whose row is open. @param {string} id */
  async function showDetails(id) {
    const row = rowOf(id);
    if (!row) return;
    const isOpen = row.classList.contains('open');
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    part(row, '.history').hidden = !isOpen;
    if (!isOpen) return;
    const message = part(row, '.history .hint');
    say(message, text('loading'));
    try {
      const history = await page.run((api) => api.history(id));
      if (!history) return;
      const entries = history.map((entry) => historyItem(entry, page.userId()));
      part(row, 'ol').replaceChildren(...entries);
      say(message, entries.length > 0 ? '' : text('noHistory'));
    } catch (error) {
      say(message, wordsOf(failureIn(error)));
    }
  }

  /**
   * Runs a request that changes a key. If no answer came, the list shows whether it was done.
   * @template Answer
   * @param {(api: import('./page.js').Api) => Promise<Answer>} request
   */
  async function changing(request) {
    try {
      return await page.run(request);
    } catch (error) {
      if (failureIn(error).kind === 'unreachable') void page.refresh();
      throw error;
    }
  }

  /**
   * Shows the secret of a key and reloads the list behind it. Then moves the focus to the key.
   * @param {import('./api.js').ApiKeyWithSecret} key
   * @param {string} title
   */
  async function reveal(key, title) {
    const loaded = page.refresh();
    await showSecret(title, key.api_key);
    await loaded;
    focusKey(key.id);
    await showDetails(key.id);
  }

  /** @param {string} id @returns {HTMLElement | null} */
  const rowOf = (id) => view.querySelector(`[data-key="${id}"]`);

  /** @param {string} id */
  function focusKey(id) {
    const row = rowOf(id);
    const fold = row?.closest('details');
    if (fold) fold.open = true;
    row?.querySelector('strong')?.focus();
  }

  function render() {
    const isWanted = searching(search.value);
    const found = keys
      .filter((key) => isWanted(key.name, key.key_prefix, key.created_by ?? '', ...key.scopes))
      .toSorted((a, b) => (sort.value === 'used' ? usedAt(b) - usedAt(a) : 0));
    const active = found.filter((key) => stateOf(key) === 'active');
    showList(list, active);
    list.hidden = active.length === 0;
    for (const state of FOLDED) {
      const ended = found.filter((key) => stateOf(key) === state);
      showList(part(folded[state], 'ul'), ended);
      folded[state].hidden = ended.length === 0;
      setText(part(folded[state], 'summary'), text(`folded.${state}`, { count: ended.length }));
    }
    renderWarning();
    byId('no-match', HTMLElement).hidden = keys.length === 0 || found.length > 0;
    byId('key-tools', HTMLElement).hidden = keys.length < SEARCHED_FROM;
    byId('empty', HTMLElement).hidden = keys.length > 0;
    byId('new-key', HTMLElement).hidden = keys.length === 0;
  }

  /** @param {HTMLElement} place @param {ApiKey[]} shown */
  const showList = (place, shown) =>
    keyed(
      place,
      shown,
      ({ id }) => id,
      () => copyOf('key'),
      (item, key) => fillKey(item, key, page.userId()),
    );

  /** Warns of the keys that stop working within a week, the first to stop at the top. */
  function renderWarning() {
    const ending = keys
      .filter(endsSoon)
      .toSorted((a, b) => Date.parse(a.expires_at ?? '') - Date.parse(b.expires_at ?? ''));
    const warning = byId('expiry-warning', HTMLDetailsElement);
    warning.hidden = ending.length === 0;
    setText(part(warning, 'summary'), text('expireSoon', { count: ending.length }));
    part(warning, 'ul').replaceChildren(
      ...ending.map(({ name, expires_at }) => {
        const when = ` · ${relativeTime(new Date(expires_at ?? ''))}`;
        return element('li', {}, element('strong', {}, name), when);
      }),
    );
  }

  return {
    render,
    async refresh() {
      const loaded = await page.run((api) => api.keys());
      if (loaded) keys = loaded;
    },
    /** @param {ApiKey[]} loaded */
    show(loaded) {
      keys = loaded;
    },
    /** Forgets everything about the session. */
    clear() {
      keys = [];
      search.value = '';
      for (const state of FOLDED) folded[state].open = false;
      closeKeyForm();
      closeConfirmation();
      render();
    },
  };
}

/**
 * Asks before a key is rotated or revoked, and lists what stops working.
 * @param {ApiKey} key
 * @param {'rotate' | 'revoke'} what
 * @param {() => Promise<void>} work
 */
const ask = (key, what, work) =>
  askToConfirm({
    title: text(`title.${what}`),
    name: key.name,
    code: `${key.key_prefix}…`,
    facts: key.last_used_at
      ? text('usedAgo', { ago: relativeTime(new Date(key.last_used_at)) })
      : text('neverUsed'),
    what: text(`what.${what}`),
    intro: text(`stops.${what}`),
    points: key.scopes.map((scope) => text(`scope.${scope}.stops`)),
    after: text(`after.${what}`),
    accept: text(what),
    isDanger: what === 'revoke',
    work,
    unsure: text(what === 'rotate' ? 'rotateUnsure' : 'failures.unreachable'),
  });

/**
 * @param {HTMLElement} item
 * @param {ApiKey} key
 * @param {string} userId the reader, who is shown as “you”
 */
function fillKey(item, key, userId) {
  const { name } = key;
  const state = stateOf(key);
  const isEnding = endsSoon(key);
  setText(part(item, 'strong'), name);
  part(item, 'strong').title = name;
  const pill = part(item, '.pill');
  pill.dataset['state'] = isEnding ? 'soon' : state;
  const ends =
    isEnding && text('expiresIn', { when: relativeTime(new Date(key.expires_at ?? '')) });
  setText(pill, ends || text(`states.${state}`));
  setText(part(item, 'code'), `${key.key_prefix}…`);
  for (const [action, label, isAllowed] of /** @type {const} */ ([
    ['rename', 'renameNamed', true],
    ['rotate', 'rotateNamed', state === 'active'],
    ['revoke', 'revokeNamed', state !== 'revoked'],
    ['toggle', 'detailsOf', true],
  ])) {
    const button = part(item, `[data-action=${action}]`);
    button.hidden = !isAllowed;
    button.setAttribute('aria-label', text(label, { name }));
  }
  const by = key.created_by && text('by', { actor: actorOf(key.created_by, userId) });
  fillFact(part(item, '.created'), key.created_at, by);
  fillFact(part(item, '.used'), key.last_used_at);
  fillFact(part(item, '.ends'), state === 'revoked' ? key.revoked_at : key.expires_at);
  setText(part(item, '.ends dt'), text(`ends.${state}`));
  part(item, '.ends').classList.toggle('soon', isEnding);
  keyed(
    part(item, '.scopes'),
    key.scopes,
    (scope) => scope,
    (scope) => element('li', { class: 'pill mono' }, scope),
    () => {},
  );
}

/** @param {string} actor @param {string} userId */
const actorOf = (actor, userId) => (actor === userId ? text('you') : actor);

/**
 * @param {HTMLElement} place
 * @param {string | null} instant
 * @param {string | null} [note] instead of the date
 */
function fillFact(place, instant, note) {
  const time = part(place, 'time');
  const full = instant === null ? '' : absoluteTime(new Date(instant));
  setText(time, instant === null ? text('never') : relativeTime(new Date(instant)));
  time.setAttribute('datetime', instant ?? '');
  time.title = full;
  setText(part(place, 'small'), note || full);
  part(place, 'small').title = note || full;
}

/** @param {ApiKeyEvent} entry @param {string} userId */
const historyItem = ({ kind, actor, key_prefix, occurred_at }, userId) =>
  element(
    'li',
    {},
    element('strong', {}, text(`kinds.${kind}`)),
    ` ${text('by', { actor: actorOf(actor, userId) })} · `,
    element('time', { datetime: occurred_at }, absoluteTime(new Date(occurred_at))),
    ' · ',
    element('code', {}, `${key_prefix}…`),
  );
