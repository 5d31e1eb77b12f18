import { rejectedTable } from '../../../../../timing-files/write/own-files.ts';
import { csvFile, saveFile } from '../downloads/csv-file.ts';
import { textOfParts as text } from '../formats.ts';
import { Figures, Message, useAttempt } from '../kit.tsx';
import { FailedRows, figuresOf } from './rows.tsx';
import type { Actions } from './sending.ts';
import { hasNextSheet, type State } from './state.ts';
import { reasonOf } from './words.ts';

/** The outcome of each row, and the reader's next steps. */
export function Outcome({
  state,
  actions,
  undo,
}: {
  state: State & { step: 'done' };
  actions: Actions;
  undo: () => Promise<void>;
}) {
  const { attempt, isBusy, message } = useAttempt();
  const { work, stored } = state;
  const hasNext = hasNextSheet(state);
  const save = () => {
    const table = rejectedTable(
      stored.failed,
      (failure) => `${reasonOf(failure)} (${failure.reason})`,
    );
    saveFile(csvFile(table), text('failedFile.name', { name: work.name }));
  };
  return (
    <div class="stack">
      <h3 id="sent-title" tabIndex={-1} data-focus>
        {text('sent')}
      </h3>
      <Figures of={figuresOf(stored)} />
      {work.point !== '' && <p class="hint">{text('sentPoint')}</p>}
      <FailedRows failed={stored.failed} />
      <Message>{message}</Message>
      <div class="row">
        {stored.failed.length > 0 && (
          <button type="button" class="button" onClick={save}>
            {text('saveFailed')}
          </button>
        )}
        {stored.uploaded + stored.updated - stored.unchanged > 0 && (
          <button
            type="button"
            id="undo-sent"
            class="button"
            aria-busy={isBusy || undefined}
            onClick={() => attempt(undo)}
          >
            {text(work.point ? 'undoPoint' : 'undo')}
          </button>
        )}
        <button
          type="button"
          class={`button ${hasNext ? '' : 'primary'}`}
          onClick={() => actions.cancel()}
        >
          {text('sendAnother')}
        </button>
        {hasNext && (
          <button type="button" class="button primary" onClick={() => actions.nextSheet(work)}>
            {text('nextSheet')}
          </button>
        )}
      </div>
    </div>
  );
}
