import { useEffect, useRef, useState } from 'preact/hooks';
import { listApiKeyEvents } from '../../client/operations/list-api-key-events.ts';
import { renameApiKey } from '../../client/operations/rename-api-key.ts';
import { type ApiKey, type ApiKeyEvent, all } from '../api.ts';
import { absoluteTime, isolated, relativeTime, textOfKeys as text } from '../formats.ts';
import { RowButton, useAttempt, useLoaded, useSession, ValidInput, WorkForm } from '../kit.tsx';
import { announce } from '../page.ts';
import { nameProblem } from './form-state.ts';
import { endsSoon, stateOf } from './state.ts';
import { Uses } from './uses.tsx';

/** A key in the list. */
export function KeyRow({
  apiKey: key,
  race,
  raceOf,
  isShown,
  shown,
  ask,
  reload,
}: {
  apiKey: ApiKey;
  /** The name of the only race; blank for all races. */
  race: string;
  raceOf: (id: string | null) => string;
  /** Whether the reader has just changed the key, and finds the key here. */
  isShown: boolean;
  shown: () => void;
  ask: (what: 'rotate' | 'revoke') => void;
  reload: () => Promise<void>;
}) {
  const [isOpen, setOpen] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const name = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isShown) return;
    const fold = name.current?.closest('details');
    if (fold) fold.open = true;
    name.current?.focus();
    shown();
  }, [isShown]);
  const stopRenaming = () => {
    setRenaming(false);
    requestAnimationFrame(() => name.current?.focus());
  };
  return (
    <li class={`key ${isOpen ? 'open' : ''}`}>
      {isRenaming ? (
        <Rename apiKey={key} reload={reload} close={stopRenaming} />
      ) : (
        <div class="key-name row">
          <strong ref={name} tabIndex={-1} title={key.name}>
            {key.name}
          </strong>
          <button
            type="button"
            class="icon"
            aria-label={text('renameNamed', { name: key.name })}
            onClick={() => setRenaming(true)}
          >
            ✎
          </button>
          <State apiKey={key} /> <code class="soft">{`${key.key_prefix}…`}</code>{' '}
          {race !== '' && (
            <span class="only soft">{text('onlyRace', { name: isolated(race) })}</span>
          )}
        </div>
      )}
      <Times apiKey={key} />
      <div class="key-actions row">
        <RowButton
          name={text('detailsOf', { name: key.name })}
          class="toggle"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {text('details')}
        </RowButton>
      </div>
      {isOpen && <Details apiKey={key} raceOf={raceOf} ask={ask} />}
    </li>
  );
}

function State({ apiKey: key }: { apiKey: ApiKey }) {
  const state = stateOf(key);
  if (!endsSoon(key)) {
    return (
      <span class="pill" data-state={state}>
        {text(`states.${state}`)}
      </span>
    );
  }
  const when = relativeTime(new Date(key.expires_at ?? 0));
  return (
    <span class="pill" data-state="soon">
      {text('expiresIn', { when })}
    </span>
  );
}

function Times({ apiKey: key }: { apiKey: ApiKey }) {
  const { userId } = useSession();
  const state = stateOf(key);
  const by = key.created_by && text('by', { actor: actorOf(key.created_by, userId) });
  return (
    <dl class="times thirds">
      <Fact name={text('created')} instant={key.created_at} note={by} />
      <Fact name={text('lastUsed')} instant={key.last_used_at} />
      <Fact
        name={text(`ends.${state}`)}
        instant={state === 'revoked' ? key.revoked_at : key.expires_at}
        isSoon={endsSoon(key)}
      />
    </dl>
  );
}

/** @param note instead of the date */
function Fact({
  name,
  instant,
  note,
  isSoon = false,
}: {
  name: string;
  instant: string | null;
  note?: string | null;
  isSoon?: boolean;
}) {
  const full = instant === null ? '' : absoluteTime(new Date(instant));
  return (
    <div class={isSoon ? 'soon' : ''}>
      <dt>{name}</dt>
      <dd>
        <time dateTime={instant ?? ''} title={full}>
          {instant === null ? text('never') : relativeTime(new Date(instant))}
        </time>
        <small title={note || full}>{note || full}</small>
      </dd>
    </div>
  );
}

/** The form for a new name, in place of the name. */
function Rename({
  apiKey: key,
  reload,
  close,
}: {
  apiKey: ApiKey;
  reload: () => Promise<void>;
  close: () => void;
}) {
  const { run } = useSession();
  const { attempt, isBusy, message } = useAttempt();
  const [name, setName] = useState(key.name);
  async function rename() {
    const renamed = await run(({ client, organization }) =>
      renameApiKey(client, organization, key.id, { name: name.trim() }),
    );
    await reload();
    close();
    announce(text('renamed', { name: isolated(renamed.name) }));
  }
  return (
    <WorkForm class="rename row" isBusy={isBusy} work={() => attempt(rename)}>
      <ValidInput
        class="input"
        problem={nameProblem(name)}
        autocomplete="off"
        aria-label={text('name')}
        value={name}
        isSelected
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={({ key: pressed }) => pressed === 'Escape' && close()}
      />
      <button type="submit" class="button minor">
        {text('save')}
      </button>
      <button type="button" class="button minor" onClick={close}>
        {text('cancel')}
      </button>
      {message !== '' && (
        <p class="error" role="alert">
          {message}
        </p>
      )}
    </WorkForm>
  );
}

/** The permissions, the uses and the history of a key. */
function Details({
  apiKey: key,
  raceOf,
  ask,
}: {
  apiKey: ApiKey;
  raceOf: (id: string | null) => string;
  ask: (what: 'rotate' | 'revoke') => void;
}) {
  const { run, userId } = useSession();
  const { value: history, message } = useLoaded<ApiKeyEvent[]>(
    () => run(({ client, organization }) => all(listApiKeyEvents(client, organization, key.id))),
    [key.name, key.key_prefix, key.revoked_at],
  );
  const state = stateOf(key);
  const { name } = key;
  return (
    <div class="notice info history">
      <div class="row spread">
        <ul class="scopes row" aria-label={text('scopes')}>
          {key.scopes.map((scope) => (
            <li key={scope} class="pill mono">
              {scope}
            </li>
          ))}
        </ul>
        <div class="row">
          {state === 'active' && (
            <RowButton name={text('rotateNamed', { name })} onClick={() => ask('rotate')}>
              {text('rotate')}
            </RowButton>
          )}
          {state !== 'revoked' && (
            <RowButton name={text('revokeNamed', { name })} onClick={() => ask('revoke')}>
              {text('revoke')}
            </RowButton>
          )}
        </div>
      </div>
      <Uses keyId={key.id} />
      <p class="strong">{text('history')}</p>
      <p class="hint" role="status">
        {message || (history ? history.length === 0 && text('noHistory') : text('loading'))}
      </p>
      <ol aria-label={text('history')}>
        {history?.map((entry) => (
          <li key={entry.kind + entry.occurred_at}>
            <strong>{text(`kinds.${entry.kind}`)}</strong>{' '}
            {text('by', { actor: actorOf(entry.actor, userId) })} ·{' '}
            <time dateTime={entry.occurred_at}>{absoluteTime(new Date(entry.occurred_at))}</time> ·{' '}
            <code>{`${entry.key_prefix}…`}</code>
            {entry.event_id && ` · ${text('onlyRace', { name: isolated(raceOf(entry.event_id)) })}`}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The actor of a change. The reader is “you”. */
const actorOf = (actor: string, userId: string) => (actor === userId ? text('you') : actor);
