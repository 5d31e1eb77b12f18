import { useEffect, useState } from 'preact/hooks';
import { DOT } from '../../shared/dom.ts';
import { isolated, textOfFile as text } from '../formats.ts';
import {
  MEANINGS,
  type Meaning,
  meaningsIn,
  POINT_MEANINGS,
  queryByHand,
  withMeaning,
} from './by-hand.ts';
import type { Actions } from './sending.ts';
import type { Ready } from './state.ts';

/**
 * The columns of the file, each with its meaning: the reader names the meanings by hand.
 * @param isNeeded whether the file cannot be read otherwise
 */
export function Columns({
  state,
  actions,
  isNeeded,
}: {
  state: Ready;
  actions: Actions;
  isNeeded: boolean;
}) {
  const { preview, work, isUnsure } = state;
  const [isOpen, setOpen] = useState(isNeeded);
  const [meanings, setMeanings] = useState(() => meaningsIn(preview));
  useEffect(() => setMeanings(meaningsIn(preview)), [preview]);
  const isOfPoint = work.point !== '';
  const read = () => {
    const shown = state.query ?? state.asked ?? '';
    actions.readByHand(work, queryByHand(shown, preview, meanings, isOfPoint));
  };
  if (preview.columns.length === 0) return null;
  return (
    <details
      class="columns"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{text('byHand')}</summary>
      <div class="stack">
        <p class="hint">{text('byHandHint')}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls with the keyboard */}
        <section class="scroll" aria-label={text('columnsTable')} tabIndex={0}>
          <table>
            <caption class="unseen">{text('columnsTable')}</caption>
            <thead>
              <tr>
                <th scope="col">{text('columnName')}</th>
                <th scope="col">{text('columnSamples')}</th>
                <th scope="col">{text('columnMeaning')}</th>
              </tr>
            </thead>
            <tbody>
              {preview.columns.map(({ name, samples }, at) => (
                <Column
                  key={`${at} ${name}`}
                  name={name === '' ? text('columnNumber', { number: at + 1 }) : isolated(name)}
                  samples={samples}
                  meaning={meanings[at] ?? 'ignore'}
                  among={isOfPoint ? POINT_MEANINGS : MEANINGS}
                  choose={(meaning) => setMeanings(withMeaning(meanings, at, meaning))}
                />
              ))}
            </tbody>
          </table>
        </section>
        <p>
          <button
            type="button"
            class={`button ${isNeeded ? 'primary' : ''}`}
            disabled={isUnsure}
            onClick={read}
          >
            {text('readByHand')}
          </button>
        </p>
      </div>
    </details>
  );
}

const Column = ({
  name,
  samples,
  meaning,
  among,
  choose,
}: {
  name: string;
  samples: readonly string[];
  meaning: Meaning;
  among: readonly Meaning[];
  choose: (meaning: Meaning) => void;
}) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{samples.map(isolated).join(DOT)}</td>
    <td>
      <select
        class="input"
        aria-label={text('meaningOf', { name })}
        value={meaning}
        onChange={({ currentTarget }) =>
          choose(among.find((one) => one === currentTarget.value) ?? 'ignore')
        }
      >
        {among.map((one) => (
          <option key={one} value={one}>
            {text(`meaning.${one}`)}
          </option>
        ))}
      </select>
    </td>
  </tr>
);
