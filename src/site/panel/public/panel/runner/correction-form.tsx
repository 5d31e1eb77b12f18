import { useRef } from 'preact/hooks';
import { LISTED_STATUSES, RESULT_STATUSES, STATUS_RULES } from '../../read/result-status.ts';
import type { Runner } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { ValidInput, WorkForm } from '../kit.tsx';
import type { Correction } from './correct.ts';
import { problemOf, TIMES } from './correction.ts';
import type { Form } from './form.ts';

/** The form for correcting or entering a runner's result. */
export function CorrectionForm({
  runner: { result },
  form: { entered, reason, typed, type },
  correction: { correct, remove, isBusy },
}: {
  runner: Runner;
  form: Form;
  correction: Correction;
}) {
  const status = useRef<HTMLSelectElement>(null);
  return (
    <WorkForm class="correct stack" isBusy={isBusy} work={() => correct()}>
      <h3>{text(result ? 'correct' : 'enter')}</h3>
      <div class="fields">
        <label class="field">
          <span class="strong">{text('figure.status')}</span>
          <select
            ref={status}
            class="input"
            value={entered.status}
            onChange={({ currentTarget: { value } }) => {
              const chosen = RESULT_STATUSES.find((known) => known === value);
              type({ ...typed, status: chosen ?? 'FINISHED' });
            }}
          >
            {LISTED_STATUSES.map((one) => (
              <option key={one} value={one}>
                {text(`status.${one}`)}
              </option>
            ))}
          </select>
        </label>
        {TIMES.map((name) => (
          <Time
            key={name}
            name={name}
            entered={entered}
            type={(time) => type({ ...typed, [name]: time })}
          />
        ))}
        <label class="field wide">
          <span class="strong">{text('reason')}</span>
          <input
            class="input"
            maxLength={REASON_MAX}
            autocomplete="off"
            value={reason}
            onInput={({ currentTarget }) => type({ ...typed, reason: currentTarget.value })}
          />
        </label>
      </div>
      <p class="hint">{text(result ? 'correctHint' : 'enterHint')}</p>
      <div class="row">
        <button type="submit" class="button primary">
          {text(result ? 'saveCorrection' : 'saveResult')}
        </button>
        {result && (
          <button
            type="button"
            class="button"
            onClick={() => remove(() => status.current?.focus())}
          >
            {text('removeResult')}
          </button>
        )}
      </div>
    </WorkForm>
  );
}

function Time({
  name,
  entered,
  type,
}: {
  name: (typeof TIMES)[number];
  entered: Form['entered'];
  type: (time: string) => void;
}) {
  const rules = STATUS_RULES[entered.status];
  const problem = problemOf(entered, rules, name);
  return (
    <label class="field">
      <span class="strong">{text(`figure.${name}`)}</span>
      <ValidInput
        class="input"
        problem={problem ? text(problem) : ''}
        disabled={!rules.keepsTimes}
        autocomplete="off"
        placeholder="1:28:03"
        value={entered[name]}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}
