import { useEffect, useMemo } from 'preact/hooks';
import { renderSVG } from 'uqr';
import type { OrganizationEvent } from '../api.ts';
import { textOfParts as text } from '../formats.ts';

/** White modules around a QR code. Readers need four. */
const QUIET_MODULES = 4;

/** The address of the board as a QR code, to print or to save. */
export function QrCode({ race, address }: { race: OrganizationEvent; address: string }) {
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
      {/* A narrow card breaks the line before the path and the id. Who types the address needs all of it. */}
      <p id="code-address" class="mono">
        {location.origin}
        <wbr />
        /board/
        <wbr />
        {race.id}
      </p>
      <p class="row">
        <a id="code-file" class="button" href={image} download={`board-${race.id}.svg`}>
          {text('codeFile')}
        </a>
        <button type="button" id="code-print" class="button" onClick={() => window.print()}>
          {text('print')}
        </button>
      </p>
    </div>
  );
}
