import { useState } from 'preact/hooks';
import { createApiKey } from '../../client/operations/create-api-key.ts';
import { listApiKeys } from '../../client/operations/list-api-keys.ts';
import { revokeApiKey } from '../../client/operations/revoke-api-key.ts';
import { rotateApiKey } from '../../client/operations/rotate-api-key.ts';
import type { ApiKeyIn } from '../../client/types.ts';
import {
  type Api,
  type ApiKey,
  type ApiKeyWithSecret,
  all,
  type Known,
  type OrganizationEvent,
} from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import type { Events } from '../events/state.ts';
import { isolated, relativeTime, textOfKeys as text } from '../formats.ts';
import { useEvery, useLoaded, useSession, useShown, useTitle, useWhenShown } from '../kit.tsx';
import { announce, failureIn } from '../page.ts';
import { SearchedList } from '../searched-list.tsx';
import { Trouble } from '../trouble.tsx';
import { useTyped } from '../typed.ts';
import { KeyForm } from './key-form.tsx';
import { letterOf } from './letter.ts';
import { KeyRow } from './row.tsx';
import { showSecret } from './secret.tsx';
import { endsSoon, KEY_STATES, stateOf, usedAt } from './state.ts';

const REFRESH_MS = 30_000;

/** The keys of the organization. @param events the possible races of a key */
export function Keys({ events }: { events: Events }) {
  const races = events.items ?? [];
  useWhenShown(() => events.items ?? events.reload(), []);
  useTitle(text('keysTitle'));
  const [search, setSearch] = useTyped('key-search', '');
  const [order, setOrder] = useState<'newest' | 'used'>('newest');
  const [isMaking, setMaking] = useState(false);
  const { loaded, shownId, setShownId, create, ask } = useKeys(races, () => {
    setMaking(false);
    // The new key must not be hidden by an earlier search.
    setSearch('');
  });
  const keys = loaded.value;
  useShown(keys !== undefined || loaded.message !== '');
  const sorted =
    order === 'used' ? keys?.toSorted((one, other) => usedAt(other) - usedAt(one)) : keys;
  const raceOf = (id: string | null) =>
    id === null ? '' : (races.find((event) => event.id === id)?.name ?? id);
  return (
    <>
      <Trouble message={loaded.message} retry={loaded.reload} />
      <section id="keys" class="stack" aria-labelledby="keys-title">
        <div class="title-row row spread">
          <div>
            <h1 id="keys-title" tabIndex={-1}>
              {text('keysTitle')}
            </h1>
            <p class="lead soft">{text('keysLead')}</p>
          </div>
          {(keys?.length ?? 0) > 0 && (
            <button type="button" class="button primary" onClick={() => setMaking(true)}>
              <span aria-hidden="true">+</span>
              <span>{text('newKey')}</span>
            </button>
          )}
        </div>
        <Ending keys={(keys ?? []).filter(endsSoon)} />
        <SearchedList
          label={text('keysTitle')}
          items={keys}
          groups={KEY_STATES.map((state) => ({
            name: state,
            items: (sorted ?? []).filter((key) => stateOf(key) === state),
            ...(state !== 'active' && {
              title: (count: number) => text(`folded.${state}`, { count }),
            }),
          }))}
          textsOf={({ name, key_prefix, created_by, scopes, event_id }) => [
            ...[name, key_prefix, created_by ?? '', raceOf(event_id)],
            ...scopes,
          ]}
          search={search}
          tools={<Tools search={search} setSearch={setSearch} order={order} setOrder={setOrder} />}
          row={(key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              race={raceOf(key.event_id)}
              raceOf={raceOf}
              isShown={key.id === shownId}
              shown={() => setShownId('')}
              ask={(what) => ask(key, what)}
              reload={loaded.reload}
            />
          )}
          noMatch={text('noMatch')}
          none={<None create={() => setMaking(true)} />}
        />
      </section>
      {isMaking && <KeyForm races={races} create={create} close={() => setMaking(false)} />}
    </>
  );
}

/**
 * Loads the keys, and makes, rotates and revokes them. `shownId` is the key to which the reader's focus moves next.
 * @param races the races of the organization
 * @param made runs when a key is made
 */
function useKeys(races: readonly OrganizationEvent[], made: () => void) {
  const { run } = useSession();
  const [shownId, setShownId] = useState('');
  const loaded = useLoaded<ApiKey[]>(
    () => run(({ client, organization }) => all(listApiKeys(client, organization))),
    [],
  );
  useEvery(REFRESH_MS, loaded.reload);

  /** Runs a request with a change of a key. If no answer came, the list shows whether the key changed. */
  async function changing<Answer>(request: (api: Api) => Promise<Answer>): Promise<Known<Answer>> {
    try {
      return await run(request);
    } catch (error) {
      if (failureIn(error).kind === 'unreachable') void loaded.reload();
      throw error;
    }
  }

  /** Shows the secret of a key during the loading of the list behind. Then moves the focus to the key. */
  async function reveal(key: ApiKeyWithSecret, title: string) {
    const reloaded = loaded.reload();
    const race = races.find(({ id }) => id === key.event_id);
    await showSecret(title, key.api_key, letterOf(key, race, location.origin));
    await reloaded;
    setShownId(key.id);
  }

  async function create(key: ApiKeyIn, forget: () => void) {
    const now = await changing(({ client, organization }) =>
      createApiKey(client, organization, key),
    );
    forget();
    made();
    await reveal(now, text('secretTitle', { name: isolated(now.name) }));
    announce(text('toastCreated', { name: isolated(now.name) }));
  }

  const ask = (key: ApiKey, what: 'rotate' | 'revoke') =>
    what === 'rotate' ? rotate(key) : revoke(key);

  function rotate(key: ApiKey) {
    const name = isolated(key.name);
    let now: ApiKeyWithSecret | undefined;
    askToConfirm({
      ...questionOf(key, 'rotate'),
      async work() {
        now = await changing(({ client, organization }) =>
          rotateApiKey(client, organization, key.id),
        );
      },
      async done() {
        if (now) await reveal(now, text('rotatedTitle', { name }));
        announce(text('toastRotated', { name }));
      },
    });
  }

  const revoke = (key: ApiKey) =>
    askToConfirm({
      ...questionOf(key, 'revoke'),
      work: () =>
        changing(({ client, organization }) => revokeApiKey(client, organization, key.id)),
      async done() {
        await loaded.reload();
        setShownId(key.id);
        announce(text('toastRevoked', { name: isolated(key.name) }));
      },
    });

  return { loaded, shownId, setShownId, create, ask };
}

/** The question before a key is rotated or revoked, with the consequences. */
const questionOf = (key: ApiKey, what: 'rotate' | 'revoke') => ({
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
  unsure: text(what === 'rotate' ? 'rotateUnsure' : 'failures.unreachable'),
});

const Tools = ({
  search,
  setSearch,
  order,
  setOrder,
}: {
  search: string;
  setSearch: (search: string) => void;
  order: 'newest' | 'used';
  setOrder: (order: 'newest' | 'used') => void;
}) => (
  <>
    <input
      class="input"
      type="search"
      aria-label={text('searchKeys')}
      placeholder={text('searchedFields')}
      autocomplete="off"
      spellcheck={false}
      value={search}
      onInput={({ currentTarget }) => setSearch(currentTarget.value)}
    />
    <select
      class="input"
      aria-label={text('sortKeys')}
      value={order}
      onChange={({ currentTarget }) => setOrder(currentTarget.value === 'used' ? 'used' : 'newest')}
    >
      <option value="newest">{text('sortNewest')}</option>
      <option value="used">{text('sortUsed')}</option>
    </select>
  </>
);

/** Warns of the keys that end within a week, the first end at the top. */
function Ending({ keys }: { keys: readonly ApiKey[] }) {
  if (keys.length === 0) return null;
  const ending = keys.toSorted(
    (one, other) => Date.parse(one.expires_at ?? '') - Date.parse(other.expires_at ?? ''),
  );
  return (
    <details id="expiry-warning" class="notice warn">
      <summary class="strong">{text('expireSoon', { count: ending.length })}</summary>
      <ul>
        {ending.map(({ id, name, expires_at }) => (
          <li key={id}>
            <strong>{name}</strong>
            {` · ${relativeTime(new Date(expires_at ?? ''))}`}
          </li>
        ))}
      </ul>
      <p>{text('expireSoonWhat')}</p>
    </details>
  );
}

const None = ({ create }: { create: () => void }) => (
  <div id="empty" class="card empty">
    <img src="/favicon.svg" alt="" width={48} height={48} />
    <h2>{text('emptyTitle')}</h2>
    <p>{text('emptyLead')}</p>
    <button type="button" class="button primary" onClick={create}>
      {text('emptyAction')}
    </button>
  </div>
);
