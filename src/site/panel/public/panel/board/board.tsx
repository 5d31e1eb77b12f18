import { useId } from 'preact/hooks';
import { updateEventBoard } from '../../client/operations/update-event-board.ts';
import type { OrganizationEvent } from '../api.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import { useAttempt, useSession } from '../kit.tsx';
import { announce } from '../page.ts';
import { CopiedField } from './copied-field.tsx';
import { HiddenNames } from './hidden-names.tsx';
import { QrCode } from './qr-code.tsx';

const SWITCHES = ['board_enabled', 'board_names'] as const;
type SwitchName = (typeof SWITCHES)[number];

const isSwitchedOn = (race: OrganizationEvent, name: SwitchName): boolean =>
  name === 'board_names' ? race.board_names !== 'none' : race.board_enabled;

const moved = (name: SwitchName, isOn: boolean) =>
  name === 'board_names'
    ? ({ board_names: isOn ? 'initials' : 'none' } as const)
    : { board_enabled: isOn };

/**
 * The board of a race: switches, addresses and the runners with names that the board never shows.
 * @param changed takes the race after a switch has moved
 */
export function Board({
  race,
  changed,
}: {
  race: OrganizationEvent;
  changed: (race: OrganizationEvent) => void;
}) {
  const { id, name, board_enabled: isOpen } = race;
  const address = `${location.origin}/board/${id}`;
  const frame = `<iframe src="${address}" title="${escaped(name)}" width="100%" height="800" allow="clipboard-write; web-share"></iframe>`;
  return (
    <>
      <h2 id="board-title" class="unseen">
        {text('board')}
      </h2>
      <div class="pair">
        <div class="card block stack">
          <h3>{text('boardShown')}</h3>
          {SWITCHES.map((one) => (
            <Switch key={one} race={race} name={one} changed={changed} />
          ))}
          {isOpen && (
            <p class="row">
              <a class="button" href={address} target="_blank" rel="noopener">
                {text('preview')}
              </a>
              <a class="button" href={`${address}?screen`} target="_blank" rel="noopener">
                {text('previewWall')}
              </a>
            </p>
          )}
          <CopiedField kind="address" value={address} />
          <CopiedField kind="frame" value={frame} />
        </div>
        <QrCode race={race} address={address} />
      </div>
      <HiddenNames race={race.id} />
    </>
  );
}

/** A switch keeps its position until the API has answered. */
function Switch({
  race,
  name,
  changed,
}: {
  race: OrganizationEvent;
  name: SwitchName;
  changed: (race: OrganizationEvent) => void;
}) {
  const { run } = useSession();
  const { attempt, isBusy, message } = useAttempt();
  const hint = useId();
  const isOn = isSwitchedOn(race, name);
  async function move() {
    const now = await run(({ client, organization }) =>
      updateEventBoard(client, organization, race.id, moved(name, !isOn)),
    );
    const values = { name: isolated(now.name) };
    announce(text(isOn ? `toastOff.${name}` : `toastOn.${name}`, values));
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
        <span>{text(`switch.${name}`)}</span>
      </label>
      <p id={hint} class="hint">
        {isOn ? text(`on.${name}`) : text(`off.${name}`)}
      </p>
      <p class="problem error" role="alert">
        {message}
      </p>
    </div>
  );
}

/** A text within an attribute. */
const escaped = (name: string) =>
  name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
