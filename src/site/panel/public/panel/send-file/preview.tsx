import { useEffect, useState } from 'preact/hooks';
import { textOfFile as text } from '../formats.ts';
import { Figures } from '../kit.tsx';
import { ChangeItem } from '../uploads/changes.tsx';
import { Columns } from './columns.tsx';
import { Left } from './left.tsx';
import { exampleOf, FailedRows, FirstRows, figuresOf, Warning } from './rows.tsx';
import type { Actions } from './sending.ts';
import { type Choice, countOfChosen, isStored, type Ready, rowsOf } from './state.ts';
import { differencesOf, readingOf } from './words.ts';

/** Each example costs a preview. */
const EXAMPLES_MAX = 6;

/** The rows that a file would store, the questions for a person, and the button for sending the file. */
export function Preview({
  state,
  actions,
  reason,
  setReason,
  send,
}: {
  state: Ready;
  actions: Actions;
  reason: string;
  setReason: (reason: string) => void;
  send: () => void;
}) {
  const { query, choices, preview, work, isUnsure } = state;
  const { counts } = preview;
  const count = counts.uploaded + counts.updated + countOfChosen(state);
  // Nothing can be sent before a reading stores rows.
  const isDecided = query !== undefined;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {choices.length > 0 && <Choices key={choices} state={state} actions={actions} />}
      <Reading state={state} />
      <Columns state={state} actions={actions} isNeeded={!isDecided && choices.length === 0} />
      {isDecided && <Left state={state} actions={actions} />}
      {isDecided && work.point === '' && (
        <div class="field">
          <label for="send-reason" class="strong">
            {text('reason')}
          </label>
          <input
            id="send-reason"
            class="input"
            maxLength={REASON_MAX}
            autocomplete="off"
            aria-describedby="reason-hint"
            value={reason}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
          <p id="reason-hint" class="hint">
            {text('reasonHint')}
          </p>
        </div>
      )}
      <div class="actions row">
        <button type="button" class="button" onClick={() => actions.cancel()}>
          {text('cancel')}
        </button>
        {isDecided && (
          <button type="submit" class="button primary" disabled={count === 0}>
            {isUnsure ? text('sendAgain') : text(work.point ? 'sendPassings' : 'send', { count })}
          </button>
        )}
      </div>
    </form>
  );
}

/** How the file is read, and the rows to store, once the reading is decided. */
function Reading({ state: { preview, query } }: { state: Ready }) {
  const { counts, columns, failed } = preview;
  const isRefusal = ({ code }: { code: string }) => Number(code === 'file_refused');
  const warnings = preview.warnings.toSorted((one, other) => isRefusal(other) - isRefusal(one));
  const hasChoices = warnings.some((warning) => (warning.choices ?? []).length > 0);
  const left = new Set(preview.left.map(({ row }) => row));
  const isStored = ({ row }: { row: number }) => !left.has(row);
  const changes = 'changes' in preview ? preview.changes.filter(isStored) : [];
  const unread = columns.filter(({ meaning, name }) => meaning === null && name !== '');
  const readAs =
    query === undefined
      ? text(hasChoices ? 'undecided' : 'unreadable')
      : text('readAs', { how: readingOf(preview, query) });
  return (
    <>
      <p id="read-as" class="hint" role="status">
        {readAs}
      </p>
      {query !== undefined && <Figures of={figuresOf(counts)} />}
      {warnings.length > 0 && (
        <ul class="warnings notice warn" aria-label={text('warnings')}>
          {warnings.map((warning) => (
            <Warning key={warning.code + warning.detail} {...warning} />
          ))}
        </ul>
      )}
      {query !== undefined && (
        <div class="pair">
          <FirstRows rows={rowsOf(preview).filter(isStored)} />
          {changes.length > 0 && (
            <div class="changes">
              <h3>{text('previewChanges')}</h3>
              <ul aria-label={text('previewChanges')}>
                {changes.map((change) => (
                  <ChangeItem key={change.bib_number} {...change} />
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
      {query !== undefined && unread.length > 0 && (
        <p class="hint">
          {text('unreadColumns', { names: unread.map(({ name }) => name).join(', ') })}
        </p>
      )}
      <FailedRows failed={failed} />
    </>
  );
}

/** Asks the questions for a person. Each answer shows a row in its stored form. */
function Choices({ state, actions }: { state: Ready; actions: Actions }) {
  const { choices, asked } = state;
  const differences = differencesOf(choices.map(({ query }) => query));
  const examples = useExamples(state, actions);
  return (
    <fieldset id="choices" class="stack">
      <legend class="strong">{text('chooseReading')}</legend>
      <div class="card readings">
        {choices.map((choice, at) => (
          <label key={choice.query}>
            <input
              type="radio"
              name="choice"
              checked={choice.query === asked}
              disabled={isStored(choice, state)}
              onChange={() => actions.answer(state.work, choice.query)}
            />
            <span title={choice.why}>
              {[differences[at], ...(isStored(choice, state) ? [text('sheetStored')] : [])].join(
                ' · ',
              )}
              <small>{examples[at]}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** For each choice, a row in its stored form: the first row that the choices store differently. */
function useExamples({ work, choices }: Ready, { preview }: Actions): readonly string[] {
  const [examples, setExamples] = useState<readonly string[]>([]);
  useEffect(() => {
    void examplesOf(choices.slice(0, EXAMPLES_MAX), (query) => preview(work, query)).then(
      setExamples,
    );
  }, []);
  return examples;
}

async function examplesOf(
  choices: readonly Choice[],
  preview: (query: string) => ReturnType<Actions['preview']>,
): Promise<readonly string[]> {
  const examples: (readonly string[] | undefined)[] = [];
  for (const { query } of choices) {
    const seen = await preview(query).catch(() => undefined);
    examples.push(seen?.rows.map(exampleOf));
  }
  // A choice whose preview got no answer says nothing about a row.
  const known = examples.filter((rows) => rows !== undefined);
  const differs = (row: number) => new Set(known.map((rows) => rows[row])).size > 1;
  // A row stored alike by all choices explains no choice.
  const shown = known[0]?.findIndex((_, row) => differs(row)) ?? -1;
  return shown < 0 ? [] : examples.map((rows) => rows?.[shown] ?? '');
}
