import { createApiKey } from '../client/operations/create-api-key.ts';
import { listApiKeyEvents } from '../client/operations/list-api-key-events.ts';
import { listApiKeys } from '../client/operations/list-api-keys.ts';
import { renameApiKey } from '../client/operations/rename-api-key.ts';
import { revokeApiKey } from '../client/operations/revoke-api-key.ts';
import { rotateApiKey } from '../client/operations/rotate-api-key.ts';
import type { ApiKeyIn } from '../client/types.ts';
import { byId, element, keyed, part, setText, write } from '../shared/dom.ts';
import {
  type Api,
  type ApiKey,
  type ApiKeyEvent,
  type ApiKeyWithSecret,
  all,
  type Known,
} from './api.ts';
import { askToConfirm, closeConfirmation } from './dialogs.tsx';
import type { createEventsView } from './events.ts';
import { absoluteTime, isolated, relativeTime, textOfParts as text } from './formats.ts';
import { closeKeyForm, nameProblem, openKeyForm, resetKeyForm, wireKeyForm } from './key-form.ts';
import { createList, nameActions } from './lists.ts';
import { announce, attempt, failureIn, type Page, say } from './page.ts';
import { showSecret } from './secret-dialog.ts';

type KeyState = 'active' | 'expired' | 'revoked';

const SOON_MS = 7 * 24 * 60 * 60 * 1_000;

const view = byId('keys', HTMLElement);
const search = byId('key-search', HTMLInputElement);
const sort = byId('key-sort', HTMLSelectElement);

function stateOf({ is_active, expires_at }: ApiKey): KeyState {
  if (!is_active) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

const endsSoon = (key: ApiKey) =>
  stateOf(key) === 'active' &&
  key.expires_at !== null &&
  Date.parse(key.expires_at) - Date.now() < SOON_MS;

const usedAt = ({ last_used_at }: ApiKey) => (last_used_at === null ? 0 : Date.parse(last_used_at));

/** The view of the keys. */
export function createKeysView(page: Page, events: ReturnType<typeof createEventsView>) {
  /** The name of the race that a key is for; blank if it is for all. */
  const raceOf = (id: string | null) =>
    id && (events.items().find((event) => event.id === id)?.name ?? id);

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
    const form = event.target as HTMLFormElement;
    const tell = (words: string) => say(part(form, '.error'), words);
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

  async function createKey(key: ApiKeyIn) {
    const made = await changing(({ client, organization }) =>
      createApiKey(client, organization, key),
    );
    resetKeyForm();
    closeKeyForm();
    // The new key must not be hidden by what the reader searched before.
    search.value = '';
    await reveal(made, text('secretTitle', { name: isolated(made.name) }));
    announce(text('toastCreated', { name: isolated(made.name) }));
  }

  function rotate(key: ApiKey) {
    ask(key, 'rotate', async () => {
      const made = await changing(({ client, organization }) =>
        rotateApiKey(client, organization, key.id),
      );
      closeConfirmation();
      await reveal(made, text('rotatedTitle', { name: isolated(key.name) }));
      announce(text('toastRotated', { name: isolated(key.name) }));
    });
  }

  function revoke(key: ApiKey) {
    ask(key, 'revoke', async () => {
      await changing(({ client, organization }) => revokeApiKey(client, organization, key.id));
      closeConfirmation();
      await page.refresh();
      focusKey(key.id);
      announce(text('toastRevoked', { name: isolated(key.name) }));
    });
  }

  /** Shows the form for a new name in place of the name, or the name again. */
  function showRenaming(row: HTMLElement, isRenaming: boolean) {
    const input = part(row, '.rename input') as HTMLInputElement;
    part(row, '.rename').hidden = !isRenaming;
    part(row, '.key-name').hidden = isRenaming;
    if (!isRenaming) return part(row, 'strong').focus();
    say(part(row, '.rename .error'));
    input.value = part(row, 'strong').textContent;
    input.setCustomValidity('');
    input.select();
  }

  /** @param form in the row of a key */
  async function rename(form: HTMLFormElement) {
    const row = form.closest('li') as HTMLElement;
    const name = String(new FormData(form).get('name')).trim();
    const renamed = await page.run(({ client, organization }) =>
      renameApiKey(client, organization, row.dataset['key'] ?? '', { name }),
    );
    list.replace(renamed);
    showRenaming(row, false);
    announce(text('renamed', { name: isolated(renamed.name) }));
    showDetails(renamed.id);
  }

  /** Shows the permissions and the history of a key whose row is open. */
  function showDetails(id: string) {
    const row = rowOf(id);
    if (!row) return;
    const isOpen = row.classList.contains('open');
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    const place = part(row, '.history');
    place.hidden = !isOpen;
    if (!isOpen) return;
    const tell = (words: string) => say(part(place, '.hint'), words);
    void attempt(place, tell, async () => {
      tell(text('loading'));
      const history = await page.run(({ client, organization }) =>
        all(listApiKeyEvents(client, organization, id)),
      );
      const entries = history.map((entry) =>
        historyItem(entry, page.userId(), raceOf(entry.event_id)),
      );
      part(place, 'ol').replaceChildren(...entries);
      tell(entries.length > 0 ? '' : text('noHistory'));
    });
  }

  /** Runs a request that changes a key. If no answer came, the list shows whether it was done. */
  async function changing<Answer>(request: (api: Api) => Promise<Answer>): Promise<Known<Answer>> {
    try {
      return await page.run(request);
    } catch (error) {
      if (failureIn(error).kind === 'unreachable') void page.refresh();
      throw error;
    }
  }

  /** Shows the secret of a key and reloads the list behind it. Then moves the focus to the key. */
  async function reveal(key: ApiKeyWithSecret, title: string) {
    const loaded = page.refresh();
    await showSecret(title, key.api_key);
    await loaded;
    focusKey(key.id);
    showDetails(key.id);
  }

  const rowOf = (id: string): HTMLElement | null => view.querySelector(`[data-key="${id}"]`);

  function focusKey(id: string) {
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
        page.run(({ client, organization }) => all(listApiKeys(client, organization))),
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

/** Warns of the keys that stop working within a week, the first to stop at the top. */
function showEnding(keys: ApiKey[]) {
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

/** Asks before a key is rotated or revoked, and lists what stops working. */
const ask = (key: ApiKey, what: 'rotate' | 'revoke', work: () => Promise<void>) =>
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
 * @param userId the reader, who is shown as “you”
 * @param race the name of the only race
 */
function fillKey(item: HTMLElement, key: ApiKey, userId: string, race: string | null) {
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

const actorOf = (actor: string, userId: string) => (actor === userId ? text('you') : actor);

/** @param note instead of the date */
function fillFact(place: HTMLElement, instant: string | null, note?: string | null) {
  const time = part(place, 'time');
  const full = instant === null ? '' : absoluteTime(new Date(instant));
  setText(time, instant === null ? text('never') : relativeTime(new Date(instant)));
  time.setAttribute('datetime', instant ?? '');
  time.title = full;
  setText(part(place, 'small'), note || full);
  part(place, 'small').title = note || full;
}

/** @param race the name of the only race */
const historyItem = (
  { kind, actor, key_prefix, occurred_at }: ApiKeyEvent,
  userId: string,
  race: string | null,
) =>
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
