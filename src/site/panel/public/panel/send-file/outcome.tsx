import { rejectedTable } from '../../../../../timing-files/write/own-files.ts';
import { csvFile, saveFile } from '../downloads/csv-file.ts';
import { textOfFile as text } from '../formats.ts';
import { Figures, Message, useAttempt } from '../kit.tsx';
import { FailedRows, figuresOf } from './rows.tsx';
import type { Actions } from './sending.ts';
import { type AnyUpload, hasNextSheet, type State } from './state.ts';
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
  const { work, stored, chosen } = state;
  const failed = [...stored.failed, ...(chosen?.failed ?? [])];
  const hasNext = hasNextSheet(state);
  const save = () => {
    const table = rejectedTable(failed, (failure) => `${reasonOf(failure)} (${failure.reason})`);
    saveFile(csvFile(table), text('failedFile.name', { name: work.name }));
  };
  return (
    <div class="stack">
      <h3 id="sent-title" tabIndex={-1} data-focus>
        {text('sent')}
      </h3>
      <Figures of={figuresOf(countsOf(stored, chosen))} />
      {chosen && <p class="hint">{text('twoUploads')}</p>}
      {work.point !== '' && <p class="hint">{text('sentPoint')}</p>}
      <FailedRows failed={failed} />
      <Message>{message}</Message>
      <div class="row">
        {failed.length > 0 && (
          <button type="button" class="button" onClick={save}>
            {text('saveFailed')}
          </button>
        )}
        {!chosen && stored.uploaded + stored.updated - stored.unchanged > 0 && (
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

/** The counts of a file. Rows left at first and sent afterwards count with their later outcome. */
function countsOf({ left, ...stored }: AnyUpload, chosen: AnyUpload | undefined) {
  const counts = { ...stored, left: left.length };
  if (!chosen) return counts;
  for (const name of COUNTS) counts[name] += chosen[name];
  return { ...counts, left: left.length - chosen.total_processed };
}

const COUNTS = ['uploaded', 'updated', 'unchanged', 'not_found', 'errors', 'duplicates'] as const;
