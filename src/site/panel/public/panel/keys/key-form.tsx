import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiKeyIn } from '../../client/types.ts';
import type { OrganizationEvent } from '../api.ts';
import { absoluteTime, textOfParts as text } from '../formats.ts';
import { Message, useAttempt, ValidInput } from '../kit.tsx';
import { useTyped } from '../typed.ts';
import {
  dateProblem,
  EMPTY,
  EXPIRIES,
  expiryOf,
  type Form,
  keyOf,
  nameProblem,
  presetOf,
  type Scope,
} from './form-state.ts';

/** The scopes of operations, and whether the form warns the reader of a scope. */
const SCOPES: readonly (readonly [Scope, 'personal' | 'writes' | undefined])[] = [
  ['events:read', undefined],
  ['participants:read', 'personal'],
  ['inscriptions:read', 'personal'],
  ['stats:read', undefined],
  ['results:write', 'writes'],
];

/**
 * The form of a new key. The form keeps unfinished input.
 * @param races the possible races of the key
 * @param create throws a Failure; the form then stays
 */
export function KeyForm({
  races,
  create,
  close,
}: {
  races: readonly OrganizationEvent[];
  create: (key: ApiKeyIn, forget: () => void) => Promise<void>;
  close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [form, setForm] = useTyped('key-form', EMPTY);
  const { attempt, isBusy, message } = useAttempt(text('createUnsure'));
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const change = (changed: Partial<Form>) => setForm({ ...form, ...changed });
  return (
    <dialog ref={dialog} id="form-dialog" aria-labelledby="form-title" onClose={close}>
      <form
        id="key-form"
        autocomplete="off"
        aria-busy={isBusy || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => create(keyOf(form), () => setForm(EMPTY)));
        }}
      >
        <div class="dialog-head">
          <h2 id="form-title">{text('formTitle')}</h2>
        </div>
        <div class="dialog-body stack">
          <p class="row preset">
            <button
              type="button"
              class="button"
              aria-describedby="preset-hint"
              onClick={() => setForm(presetOf(form, races))}
            >
              {text('preset')}
            </button>{' '}
            <span id="preset-hint" class="hint">
              {text('presetHint')}
            </span>
          </p>
          <Name name={form.name} change={change} />
          <Scopes scopes={form.scopes} change={change} />
          <Race race={form.race} races={races} change={change} />
          <Expiry form={form} change={change} />
        </div>
        <div class="dialog-foot stack">
          <Message>{message}</Message>
          <div class="actions row">
            <button type="button" class="button" onClick={close}>
              {text('cancel')}
            </button>
            <button type="submit" class="button primary">
              {text('create')}
            </button>
          </div>
        </div>
      </form>
    </dialog>
  );
}

type Change = (changed: Partial<Form>) => void;

const Name = ({ name, change }: { name: string; change: Change }) => (
  <div class="field">
    <label for="name" class="strong">
      {text('name')}
    </label>
    <ValidInput
      id="name"
      class="input"
      problem={nameProblem(name)}
      autocomplete="off"
      autofocus
      aria-describedby="name-hint"
      value={name}
      onInput={({ currentTarget }) => change({ name: currentTarget.value })}
    />
    <p id="name-hint" class="hint">
      {text('nameHint')}
    </p>
  </div>
);

const Scopes = ({ scopes, change }: { scopes: readonly Scope[]; change: Change }) => (
  <fieldset>
    <legend>{text('scopes')}</legend>
    <div class="card scope-choices">
      {SCOPES.map(([scope, warning], at) => (
        <label key={scope} class="scope">
          <ValidInput
            type="checkbox"
            name="scope"
            value={scope}
            problem={at === 0 && scopes.length === 0 ? text('scopesMissing') : ''}
            checked={scopes.includes(scope)}
            onChange={({ currentTarget }) => {
              const others = scopes.filter((one) => one !== scope);
              change({ scopes: currentTarget.checked ? [...others, scope] : others });
            }}
          />
          <span>
            <strong>{text(`scope.${scope}.title`)}</strong> <code class="soft">{scope}</code>{' '}
            {warning && <span class="pill warn">{text(warning)}</span>}
            <small>{text(`scope.${scope}.allows`)}</small>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);

const Race = ({
  race,
  races,
  change,
}: {
  race: string;
  races: readonly OrganizationEvent[];
  change: Change;
}) => (
  <div class="field">
    <label for="key-race" class="strong">
      {text('race')}
    </label>
    <select
      id="key-race"
      class="input"
      aria-describedby="key-race-hint"
      value={races.some(({ id }) => id === race) ? race : ''}
      onChange={({ currentTarget }) => change({ race: currentTarget.value })}
    >
      <option value="">{text('allRaces')}</option>
      {races.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
    <p id="key-race-hint" class="hint">
      {text('raceHint')}
    </p>
  </div>
);

function Expiry({ form, change }: { form: Form; change: Change }) {
  const when = expiryOf(form);
  const problem = dateProblem(when);
  return (
    <fieldset>
      <legend>{text('expiry')}</legend>
      <div class="choices row">
        {EXPIRIES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="expiry"
              checked={form.expiry === one}
              onChange={() => change({ expiry: one })}
            />
            <span>{text(EXPIRY_NAMES[one])}</span>
          </label>
        ))}
      </div>
      {form.expiry === 'date' && (
        <div class="field">
          <label for="expiry-date" class="strong">
            {text('dateAndTime')}
          </label>
          <ValidInput
            id="expiry-date"
            class="input"
            type="datetime-local"
            problem={problem}
            value={form.date}
            onInput={({ currentTarget }) => change({ date: currentTarget.value })}
          />
        </div>
      )}
      <p class="hint" role="status">
        {when && problem !== text('dateMissing') && text('stopsOn', { when: absoluteTime(when) })}
      </p>
    </fieldset>
  );
}

const EXPIRY_NAMES = {
  never: 'expiryNever',
  30: 'expiry30',
  90: 'expiry90',
  365: 'expiry365',
  date: 'expiryDate',
} as const;
