import { byId, element, keyed, part, setText, write } from '../shared/dom.js';
import { askToConfirm, closeConfirmation } from './dialogs.js';
import { absoluteTime, isolated, relativeTime, textOfParts as text } from './formats.js';
import { closeKeyForm, nameProblem, openKeyForm, resetKeyForm, wireKeyForm } from './key-form.js';
import { createList, nameActions } from './lists.js';
import { announce, attempt, failureIn, say } from './page.js';
import { showSecret } from './secret-dialog.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {import('./api.js').ApiKeyEvent} ApiKeyEvent */
/** @typedef {'active' | 'expired' | 'revoked'} KeyState */

const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

const view = byId('keys', HTMLElement);
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
 * @param {ReturnType<typeof import('./events.js').createEventsView>} events
 */
export function createKeysView(page, events) {
  /** The name of the race that a key is for; blank if it is for all. @param {string | null} id */
  const raceOf = (id) => id && (events.items().find((event) => event.id === id)?.name ?? id);

  const list = createList({
    view,
    template: 'key',
    groupOf: stateOf,
    order: (one, other) => (sort.value === 'used' ? usedAt(other) - usedAt(one) : 0),
    textsOf: ({ name, key_prefix, created_by, scopes, event_id }) => [
      name,
      key_prefix,
      created_by ?? '',
      raceOf(event_id) ?? '',
      ...scopes,
    ],
    fill: (row, key) => fillKey(row, key, page.userId(), raceOf(key.event_id)),
    actions: {
      rotate,
      revoke,
      toggle: ({ id }, row) => {
        row.classList.toggle('open');
        showDetails(id);
      },
      rename: (_, row) => showRenaming(row, true),
      cancel: (_, row) => showRenaming(row, false),
    },
  });

  wireKeyForm(createKey);
  for (const id of ['new-key', 'first-key']) {
    byId(id, HTMLButtonElement).addEventListener('click', () => openKeyForm(events.items()));
  }
  sort.addEventListener('change', list.render);
  view.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const tell = (/** @type {string} */ words) => say(part(form, '.error'), words);
    void attempt(form, tell, () => rename(form));
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

  /** @param {import('./api.js').NewKey} key */
  async function createKey(key) {
    const made = await changing((api) => api.create(key));
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
      closeConfirmation();
      await reveal(made, text('rotatedTitle', { name: isolated(key.name) }));
      announce(text('toastRotated', { name: isolated(key.name) }));
    });
  }

  /** @param {ApiKey} key */
  function revoke(key) {
    ask(key, 'revoke', async () => {
      await changing((api) => api.revoke(key.id));
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
    const name = String(new FormData(form).get('name')).trim();
    const renamed = await page.run((api) => api.rename(row.dataset['key'] ?? '', name));
    list.replace(renamed);
    showRenaming(row, false);
    announce(text('renamed', { name: isolated(renamed.name) }));
    showDetails(renamed.id);
  }

  /** Shows the permissions and the history of a key whose row is open. @param {string} id */
  function showDetails(id) {
    const row = rowOf(id);
    if (!row) return;
    const isOpen = row.classList.contains('open');
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    const place = part(row, '.history');
    place.hidden = !isOpen;
    if (!isOpen) return;
    const tell = (/** @type {string} */ words) => say(part(place, '.hint'), words);
    void attempt(place, tell, async () => {
      tell(text('loading'));
      const history = await page.run((api) => api.history(id));
      const entries = history.map((entry) =>
        historyItem(entry, page.userId(), raceOf(entry.event_id)),
      );
      part(place, 'ol').replaceChildren(...entries);
      tell(entries.length > 0 ? '' : text('noHistory'));
    });
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
    showDetails(key.id);
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

  return {
    render() {
      list.render();
      showEnding(list.items().filter(endsSoon));
      byId('new-key', HTMLElement).hidden = list.items().length === 0;
    },
    /** Loads the keys, and the races that they can be for. */
    async refresh() {
      const [loaded] = await Promise.all([
        page.run((api) => api.keys()),
        events.isLoaded() || events.refresh(),
      ]);
      list.show(loaded);
    },
    resetForm: resetKeyForm,
    /** Forgets everything about the session. */
    clear() {
      list.clear();
      closeKeyForm();
      closeConfirmation();
    },
  };
}

/** Warns of the keys that stop working within a week, the first to stop at the top. @param {ApiKey[]} keys */
function showEnding(keys) {
  const ending = keys.toSorted(
    (one, other) => Date.parse(one.expires_at ?? '') - Date.parse(other.expires_at ?? ''),
  );
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
 * @param {string | null} race the name of the only race
 */
function fillKey(item, key, userId, race) {
  const { name } = key;
  const state = stateOf(key);
  const isEnding = endsSoon(key);
  const end = relativeTime(new Date(key.expires_at ?? 0));
  write(item, {
    strong: name,
    '.pill': isEnding ? text('expiresIn', { when: end }) : text(`states.${state}`),
    code: `${key.key_prefix}…`,
    '.ends dt': text(`ends.${state}`),
  });
  part(item, 'strong').title = name;
  part(item, '.only').hidden = !race;
  setText(part(item, '.only'), race ? text('onlyRace', { name: isolated(race) }) : '');
  part(item, '.pill').dataset['state'] = isEnding ? 'soon' : state;
  nameActions(item, {
    rename: text('renameNamed', { name }),
    rotate: state === 'active' ? text('rotateNamed', { name }) : '',
    revoke: state === 'revoked' ? '' : text('revokeNamed', { name }),
    toggle: text('detailsOf', { name }),
  });
  const by = key.created_by && text('by', { actor: actorOf(key.created_by, userId) });
  fillFact(part(item, '.created'), key.created_at, by);
  fillFact(part(item, '.used'), key.last_used_at);
  fillFact(part(item, '.ends'), state === 'revoked' ? key.revoked_at : key.expires_at);
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

/** @param {ApiKeyEvent} entry @param {string} userId @param {string | null} race the name of the only race */
const historyItem = ({ kind, actor, key_prefix, occurred_at }, userId, race) =>
  element(
    'li',
    {},
    element('strong', {}, text(`kinds.${kind}`)),
    ` ${text('by', { actor: actorOf(actor, userId) })} · `,
    element('time', { datetime: occurred_at }, absoluteTime(new Date(occurred_at))),
    ' · ',
    element('code', {}, `${key_prefix}…`),
    race ? ` · ${text('onlyRace', { name: isolated(race) })}` : '',
  );
