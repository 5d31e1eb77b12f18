import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OrganizationEvent } from '../api.ts';
import { textOfFile as text } from '../formats.ts';
import { Message, useSession } from '../kit.tsx';
import { nameOfBatch } from '../race-state.ts';
import { takeBack, type Undoable } from '../uploads/take-back.ts';
import { Outcome } from './outcome.tsx';
import { Preview } from './preview.tsx';
import { type Actions, useSending } from './sending.ts';
import type { State, Work } from './state.ts';

/** The points of the course, which a file of a point changes. */
type Points = { reload(): Promise<void> };

/**
 * Looks at a chosen file, shows the rows to store, asks the questions for a person, stores the rows and shows the
 * outcome of each row.
 * @param reached runs at each step
 * @param end runs when the reader leaves the file, or with the reason why nobody can read the file
 */
export function ChosenFile({
  race,
  points,
  work,
  reached,
  end,
}: {
  race: OrganizationEvent;
  points: Points;
  work: Work;
  reached: (step: State['step']) => void;
  end: (message: string) => void;
}) {
  const [reason, setReason] = useState('');
  const [state, actions] = useSending(race.id, work, ({ point }) => point && points.reload());
  const undo = useUndo(race.id, state, actions, points);
  useLayoutEffect(() => {
    if (state.step === 'idle') end(state.message);
    else reached(state.step);
  }, [state.step]);
  const send = () => void (state.step === 'ready' && actions.send(state, reason.trim()));
  // After a cut, the reader learns at once whether the file was stored.
  useOnline(() => state.step === 'ready' && state.isUnsure && send());
  return (
    <>
      {'message' in state && <Message>{state.message}</Message>}
      <p class="row strong">
        <bdi id="file-name" tabIndex={-1} data-focus={state.step === 'ready' || undefined}>
          {[work.name, work.point].filter(Boolean).join(' · ')}
        </bdi>
      </p>
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
    </>
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

function useOnline(work: () => unknown) {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    const listener = () => void latest.current();
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  }, []);
}
