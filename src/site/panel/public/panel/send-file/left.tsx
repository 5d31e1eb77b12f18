import { useState } from 'preact/hooks';
import { DOT } from '../../shared/dom.ts';
import { isolated, outcomeOf, raceTime, shortTime, textOfFile as text } from '../formats.ts';
import { useSession } from '../kit.tsx';
import type { Actions } from './sending.ts';
import { type AnyPreview, groupsOf, type LeftRow, type Ready, rowsOf } from './state.ts';

const SHOWN = 10;

/** The rows that stay as a person decided, by reason. The reader chooses the groups to store anyway. */
export function Left({ state, actions }: { state: Ready; actions: Actions }) {
  const { counts } = state.preview;
  if (counts.left === 0) return null;
  return (
    <div class="left stack">
      <h3>{text('leftTitle', { count: counts.left })}</h3>
      <p class="hint">{text('leftLead')}</p>
      {groupsOf(state.preview.left).map(([reason, rows]) => (
        <fieldset key={reason} class="stack">
          <legend class="strong">{text(`left.${reason}`)}</legend>
          <div class="card readings">
            <label>
              <input
                type="checkbox"
                checked={state.chosen.includes(reason)}
                disabled={state.isUnsure}
                onChange={() => actions.choose(reason)}
              />
              <span>{text('storeAnyway', { count: rows.length })}</span>
            </label>
          </div>
          <Rows of={rows} preview={state.preview} name={text(`left.${reason}`)} />
        </fieldset>
      ))}
      {counts.left > state.preview.left.length && (
        <p class="hint">{text('moreLeft', { count: counts.left - state.preview.left.length })}</p>
      )}
    </div>
  );
}

function Rows({
  of,
  preview,
  name,
}: {
  of: readonly LeftRow[];
  preview: AnyPreview;
  name: string;
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? of : of.slice(0, SHOWN);
  return (
    <>
      <ul class="changes" aria-label={name}>
        {shown.map((row) => (
          <Row key={row.row} left={row} preview={preview} />
        ))}
      </ul>
      {shown.length < of.length && (
        <p>
          <button type="button" class="button" onClick={() => setWhole(true)}>
            {text('showAllLeft', { count: of.length })}
          </button>
        </p>
      )}
    </>
  );
}

/** A runner, the stored result → the file's result, and the decision: by which user, when and why. */
function Row({ left, preview }: { left: LeftRow; preview: AnyPreview }) {
  const { row, bib_number, given_names, surnames, stored, sender, at, reason } = left;
  const { userId } = useSession();
  const name = [given_names, surnames].filter(Boolean).join(' ');
  return (
    <li class="row">
      <strong class="bib">{bib_number}</strong>
      <span>
        {[isolated(name), [resultText(stored), inFile(preview, row)].filter(Boolean).join(' → ')]
          .filter(Boolean)
          .join(DOT)}
      </span>
      <small class="soft">
        {[
          sender && text('by', { actor: sender === userId ? text('you') : isolated(sender) }),
          at && raceTime(at),
          reason && isolated(reason),
        ]
          .filter(Boolean)
          .join(DOT)}
      </small>
    </li>
  );
}

const resultText = (stored: LeftRow['stored']) =>
  stored && 'time' in stored ? shortTime(stored.time) : outcomeOf(stored);

/** The result in the file. The preview has the results of the first rows and of the first changes. */
function inFile(preview: AnyPreview, line: number) {
  const isOfLine = ({ row }: { row: number }) => row === line;
  const read = rowsOf(preview).find(isOfLine);
  if (read && 'point' in read) return read.time && shortTime(read.time);
  const found = read ?? ('changes' in preview && preview.changes.find(isOfLine)?.after);
  return found ? outcomeOf(found) : '';
}
