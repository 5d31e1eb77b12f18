import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrganizationEvent } from '../api.ts';
import { textOfUploads as text } from '../formats.ts';
import { Message, useSession } from '../kit.tsx';
import type { Points } from '../points/points.tsx';
import { nameOfBatch } from '../race-state.ts';
import { takeBack, type Undoable } from '../uploads/take-back.ts';
import { Outcome } from './outcome.tsx';
import { Preview } from './preview.tsx';
import { type Actions, useSending } from './sending.ts';
import type { State } from './state.ts';

/**
 * Sends a results file: looks at the file, shows the rows to store, asks the questions for a person, stores the rows
 * and shows the outcome of each row.
 */
export function SendFile({ race, points }: { race: OrganizationEvent; points: Points }) {
  const [point, setPoint] = useState<string>();
  const [reason, setReason] = useState('');
  const [isOver, setOver] = useState(false);
  const section = useRef<HTMLElement>(null);
  const [state, actions] = useSending(race.id, ({ point }) => point && points.reload());
  const undo = useUndo(race.id, state, actions, points);
  useFocus(section, state.step);
  const isFree = state.step === 'idle' || state.step === 'done';
  const look = (file: File | undefined) => {
    setReason('');
    if (!file) return;
    if (point === undefined) return actions.look(file, '');
    if (point.trim() !== '') return actions.look(file, point.trim());
    actions.cancel(text('pointMissing'));
    section.current?.querySelector<HTMLElement>('#point')?.focus();
  };
  const send = () => void (state.step === 'ready' && actions.send(state, reason.trim()));
  // After a cut, the reader learns at once whether the file was stored.
  useOnline(() => state.step === 'ready' && state.isUnsure && send());
  return (
    <section
      ref={section}
      id="send-file"
      aria-labelledby="send-title"
      class={`card stack ${isOver && isFree ? 'over' : ''}`}
      data-step={state.step}
      onDragEnter={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (isFree) look(event.dataTransfer?.files[0]);
      }}
    >
      <h2 id="send-title">{text('sendTitle')}</h2>
      {state.step === 'idle' && (
        <>
          <TimesOf point={point} choose={setPoint} />
          <Drop look={look} />
        </>
      )}
      {'message' in state && <Message>{state.message}</Message>}
      {'work' in state && (
        <p class="row strong">
          <bdi id="file-name" tabIndex={-1} data-focus={state.step === 'ready' || undefined}>
            {[state.work.name, state.work.point].filter(Boolean).join(' · ')}
          </bdi>
        </p>
      )}
      {state.step === 'looking' && <p role="status">{text('looking')}</p>}
      {state.step === 'sending' && (
        <div class="stack">
          <p role="status">{text(state.share < 1 ? 'sending' : 'storing')}</p>
          <progress max={1} value={state.share} aria-label={text('progress')} />
        </div>
      )}
      {state.step === 'ready' && (
        <Preview
          state={state}
          actions={actions}
          reason={reason}
          setReason={setReason}
          send={send}
        />
      )}
      {state.step === 'done' && <Outcome state={state} actions={actions} undo={undo} />}
    </section>
  );
}

/** The function that reverts the stored rows. */
function useUndo(race: string, state: State, actions: Actions, points: Points) {
  const session = useSession();
  return async () => {
    if (state.step !== 'done') return;
    const { work, stored } = state;
    const name = nameOfBatch({
      source: 'csv',
      file_name: work.name,
      total_processed: stored.total_processed,
    });
    const upload: Undoable = {
      ...('batch_id' in stored
        ? { kind: 'results', id: stored.batch_id }
        : { kind: 'passings', id: stored.upload_id }),
      ...{ name, facts: '' },
    };
    const nothing = await takeBack(session, race, upload, () => {
      actions.cancel();
      return upload.kind === 'results' ? session.refresh() : points.reload();
    });
    actions.tell(nothing);
  };
}

/** Moves the focus when the control in use is gone. */
function useFocus(section: RefObject<HTMLElement | null>, step: State['step']) {
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step)
      section.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    before.current = step;
  }, [step]);
}

function useOnline(work: () => unknown) {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const listener = () => void latest.current();
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, []);
}

/** Asks whether the times are of the finish or of a point. @param point undefined for the finish */
const TimesOf = ({
  point,
  choose,
}: {
  point: string | undefined;
  choose: (point: string | undefined) => void;
}) => (
  <div class="stack">
    <fieldset class="choices row">
      <legend class="strong">{text('timesOf')}</legend>
      <label>
        <input
          type="radio"
          name="times"
          checked={point === undefined}
          onChange={() => choose(undefined)}
        />
        <span>{text('timesOfFinish')}</span>
      </label>
      <label>
        <input
          type="radio"
          name="times"
          checked={point !== undefined}
          onChange={() => choose('')}
        />
        <span>{text('timesOfPoint')}</span>
      </label>
    </fieldset>
    {point !== undefined && (
      <div class="field">
        <label for="point" class="strong">
          {text('pointName')}
        </label>
        <input
          id="point"
          class="input"
          list="points"
          maxLength={POINT_LENGTH_MAX}
          autocomplete="off"
          aria-describedby="point-hint"
          value={point}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
        />
        <p id="point-hint" class="hint">
          {text('pointHint')}
        </p>
      </div>
    )}
  </div>
);

function Drop({ look }: { look: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="drop stack">
      <p>{text('sendLead')}</p>
      <input
        ref={input}
        id="file"
        class="unseen"
        type="file"
        accept=".csv,.txt,.tsv,.xlsx"
        tabIndex={-1}
        aria-label={text('chooseFile')}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          currentTarget.value = '';
          look(chosen);
        }}
      />
      <p class="row">
        <button
          type="button"
          id="choose-file"
          class="button primary"
          data-focus
          onClick={() => input.current?.click()}
        >
          {text('chooseFile')}
        </button>{' '}
        <span class="hint">{text('orDrop')}</span>
      </p>
    </div>
  );
}
