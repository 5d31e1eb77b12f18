import { useId } from 'preact/hooks';
import { updateEventBoard } from '../../client/operations/update-event-board.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import { type RaceSetting, SettledChoice, useAttempt, useSession } from '../kit.tsx';
import { announce } from '../page.ts';
import { CopiedField } from './copied-field.tsx';
import { HiddenNames } from './hidden-names.tsx';
import { Poster } from './poster.tsx';

const NAMES = ['none', 'initials', 'full'] as const;

/**
 * The board of a race: switches, addresses and the runners with names that the board never shows.
 * @param changed takes the race after a switch has moved
 */
export function Board({ race, changed }: RaceSetting) {
  const { id, name, board_enabled: isOpen, board_code: code } = race;
  const address = `${location.origin}/board/${id}`;
  const short = code === null ? address : `${location.origin}/b/${code}`;
  const frame = `<iframe src="${address}" title="${escaped(name)}" width="100%" height="800" allow="clipboard-write; web-share"></iframe>`;
  return (
    <>
      <h2 id="board-title" class="unseen">
        {text('board')}
      </h2>
      <div class="pair">
        <div class="card block stack">
          <h3>{text('boardShown')}</h3>
          <Switch race={race} changed={changed} />
          <Names race={race} changed={changed} />
          {isOpen && (
            <>
              <p class="row">
                <a class="button" href={address} target="_blank" rel="noopener">
                  {text('preview')}
                </a>
                <a class="button" href={`${address}?screen`} target="_blank" rel="noopener">
                  {text('previewWall')}
                </a>
              </p>
              <CopiedField kind="address" value={short} />
              <CopiedField kind="frame" value={frame} />
            </>
          )}
        </div>
        <Poster race={race} changed={changed} />
      </div>
      <HiddenNames race={race.id} />
    </>
  );
}

/** The switch keeps its position until the API has answered. */
function Switch({ race, changed }: RaceSetting) {
  const { run } = useSession();
  const { attempt, isBusy, message } = useAttempt();
  const hint = useId();
  const isOn = race.board_enabled;
  async function move() {
    const now = await run(({ client, organization }) =>
      updateEventBoard(client, organization, race.id, { board_enabled: !isOn }),
    );
    announce(text(isOn ? 'toastOff' : 'toastOn', { name: isolated(now.name) }));
    changed(now);
  }
  return (
    <div class="switch">
      <label>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          aria-describedby={hint}
          aria-busy={isBusy || undefined}
          checked={isOn}
          onChange={({ currentTarget }) => {
            currentTarget.checked = isOn;
            void attempt(move);
          }}
        />
        <span>{text('liveBoard')}</span>
      </label>
      <p id={hint} class="hint">
        {text(isOn ? 'isOn' : 'isOff')}
      </p>
      <p class="problem error" role="alert">
        {message}
      </p>
    </div>
  );
}

/** How much of the names the board shows. */
function Names({ race, changed }: RaceSetting) {
  const { run } = useSession();
  async function choose(board_names: (typeof NAMES)[number]) {
    const now = await run(({ client, organization }) =>
      updateEventBoard(client, organization, race.id, { board_names }),
    );
    announce(text(`shown.${board_names}`));
    changed(now);
  }
  return (
    <SettledChoice
      name="board-names"
      title={text('names')}
      hint={text(`shown.${race.board_names}`)}
      values={NAMES}
      value={race.board_names}
      wordsOf={(one) => text(`names.${one}`)}
      choose={choose}
    />
  );
}

/** A text within an attribute. */
const escaped = (name: string) =>
  name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
