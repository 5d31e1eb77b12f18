import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApiKeyIn } from '../../client/types.ts';
import type { OrganizationEvent } from '../api.ts';
import { absoluteTime, textOfKeys as text } from '../formats.ts';
import { Message, useAttempt, ValidInput, WorkForm } from '../kit.tsx';
import { useTyped } from '../typed.ts';
import {
  EMPTY,
  EXPIRIES,
  expiryOf,
  expiryProblem,
  type Form,
  keyOf,
  nameProblem,
  PURPOSES,
  type Scope,
  withPurpose,
  withRace,
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
      <WorkForm
        id="key-form"
        autocomplete="off"
        isBusy={isBusy}
        work={() => attempt(() => create(keyOf(form, races), () => setForm(EMPTY)))}
      >
        <div class="dialog-head">
          <h2 id="form-title">{text('formTitle')}</h2>
        </div>
        <div class="dialog-body stack">
          <Purposes form={form} races={races} setForm={setForm} />
          <Name name={form.name} change={change} />
          <Scopes scopes={form.scopes} change={change} />
          <Race
            race={form.race}
            races={races}
            choose={(race) => setForm(withRace(form, race, races))}
          />
          <Expiry form={form} races={races} change={change} />
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
      </WorkForm>
    </dialog>
  );
}

type Change = (changed: Partial<Form>) => void;

/** Asks first for the use of the key: the answer suggests the further fields. */
const Purposes = ({
  form,
  races,
  setForm,
}: {
  form: Form;
  races: readonly OrganizationEvent[];
  setForm: (form: Form) => void;
}) => (
  <fieldset>
    <legend>{text('purpose')}</legend>
    <div class="card readings">
      {PURPOSES.map((purpose, at) => (
        <label key={purpose}>
          <input
            type="radio"
            name="purpose"
            autofocus={at === 0}
            checked={form.purpose === purpose}
            onChange={() => setForm(withPurpose(form, purpose, races))}
          />
          <span>
            {text(`purpose.${purpose}`)}
            <small>{text(`purpose.${purpose}.hint`)}</small>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);

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
  choose,
}: {
  race: string;
  races: readonly OrganizationEvent[];
  choose: (race: string) => void;
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
      onChange={({ currentTarget }) => choose(currentTarget.value)}
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

function Expiry({
  form,
  races,
  change,
}: {
  form: Form;
  races: readonly OrganizationEvent[];
  change: Change;
}) {
  const when = expiryOf(form, races);
  const problem = expiryProblem(form, races);
  const isDate = form.expiry === 'date';
  return (
    <fieldset>
      <legend>{text('expiry')}</legend>
      <div class="choices row">
        {EXPIRIES.filter((one) => one !== 'race' || form.race !== '').map((one) => (
          <label key={one}>
            <ValidInput
              type="radio"
              name="expiry"
              problem={form.expiry === one && !isDate ? problem : ''}
              checked={form.expiry === one}
              onChange={() => change({ expiry: one })}
            />
            <span>{text(EXPIRY_NAMES[one])}</span>
          </label>
        ))}
      </div>
      {isDate && (
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
  race: 'expiryRace',
  30: 'expiry30',
  90: 'expiry90',
  365: 'expiry365',
  date: 'expiryDate',
} as const;
