import { useEffect, useMemo } from 'preact/hooks';
import { renderSVG } from 'uqr';
import { renewBoardCode } from '../../client/operations/renew-board-code.ts';
import type { OrganizationEvent } from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { raceDay, textOfParts as text } from '../formats.ts';
import { Message, type RaceSetting, useAttempt, useSession } from '../kit.tsx';
import { announce } from '../page.ts';

/** White modules around a QR code. Readers need four. */
const QUIET_MODULES = 4;

/** A longer name needs small letters on a poster. */
const LONG = 36;

/** The short address of the board, with its QR code: to save, and to print as a poster. */
export function Poster({ race, changed }: RaceSetting) {
  const path = race.board_code === null ? `/board/${race.id}` : `/b/${race.board_code}`;
  const address = location.origin + path;
  const image = useMemo(() => {
    const svg = renderSVG(address, { ecc: 'M', border: QUIET_MODULES });
    return URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  }, [address]);
  useEffect(() => () => URL.revokeObjectURL(image), [image]);
  return (
    <div id="board-code" class="card block stack">
      <h3>{text('poster')}</h3>
      {!race.board_enabled && <p class="notice warn">{text('boardOff')}</p>}
      <p id="code-name" class="strong">
        {race.name}
      </p>
      <img
        id="code"
        src={image}
        alt={text('codeOf', { name: race.name })}
        width={256}
        height={256}
      />
      {/* A narrow card breaks the line before the path. Who types the address needs all of it. */}
      <p id="code-address" class="mono">
        {location.origin}
        <wbr />
        {path}
      </p>
      <p class="row">
        <button type="button" id="code-print" class="button primary" onClick={() => window.print()}>
          {text('print')}
        </button>
        <a id="code-file" class="button" href={image} download={`board-${race.id}.svg`}>
          {text('codeFile')}
        </a>
      </p>
      <Renew race={race} changed={changed} />
      <Sheet race={race} image={image} path={path} />
    </div>
  );
}

/** Gives the board a new short address, or its first one. */
function Renew({ race, changed }: RaceSetting) {
  const { run, refresh } = useSession();
  const { attempt, message } = useAttempt();
  async function renew() {
    const now = await run(({ client, organization }) =>
      renewBoardCode(client, organization, race.id),
    );
    changed(now);
    announce(text('codeRenewed', { code: now.board_code ?? '' }));
    void refresh();
  }
  function ask() {
    askToConfirm({
      title: text('codeRenewTitle'),
      name: `/b/${race.board_code}`,
      what: text('codeRenewWhat'),
      after: text('codeRenewAfter'),
      accept: text('codeRenew'),
      work: renew,
      unsure: text('codeRenewUnsure'),
    });
  }
  return (
    <div>
      <button
        type="button"
        id="code-renew"
        class={`button ${race.board_code === null ? '' : 'quiet'}`}
        onClick={() => (race.board_code === null ? attempt(renew) : ask())}
      >
        {text(race.board_code === null ? 'codeMake' : 'codeRenew')}
      </button>
      <Message>{message}</Message>
    </div>
  );
}

/** The poster, for paper alone. */
const Sheet = ({ race, image, path }: { race: OrganizationEvent; image: string; path: string }) => (
  <article id="poster" hidden>
    <header>
      <p class="kicker">{text('posterKicker')}</p>
      <h1 dir="auto" class={race.name.length > LONG ? 'long' : ''}>
        {race.name}
      </h1>
      <p dir="auto">{[raceDay(race.event_date), race.city].filter(Boolean).join(' · ')}</p>
      <svg viewBox="0 0 1000 120" aria-hidden="true">
        <path d="M30 90C180 90 200 24 340 24s170 74 320 74 170-60 310-60" />
        <circle cx="30" cy="90" r="15" />
        <circle class="point" cx="340" cy="24" r="11" />
        <circle class="point" cx="660" cy="98" r="11" />
        <circle cx="970" cy="38" r="15" />
      </svg>
    </header>
    <img src={image} alt="" />
    <p class="address">
      {location.host}
      <b class={race.board_code === null ? 'long' : ''}>{path}</b>
    </p>
    <p class="how">{text('posterHow')}</p>
  </article>
);
