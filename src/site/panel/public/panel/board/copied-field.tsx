import { useRef } from 'preact/hooks';
import { copied } from '../clipboard.ts';
import { textOfParts as text } from '../formats.ts';
import { announce } from '../page.ts';

/** A line for the reader to copy. */
export function CopiedField({ kind, value }: { kind: 'address' | 'frame'; value: string }) {
  const field = useRef<HTMLInputElement>(null);
  async function copy() {
    const isCopied = await copied(value);
    if (!isCopied) field.current?.select();
    announce(text(isCopied ? `copied.${kind}` : 'copyFieldByHand'));
  }
  const isFrame = kind === 'frame';
  return (
    <div class="field">
      <label for={`board-${kind}`} class="strong">
        {text(kind)}
      </label>
      <div class="row copied">
        <input
          ref={field}
          id={`board-${kind}`}
          class="input mono"
          readOnly
          value={value}
          aria-describedby={isFrame ? 'frame-hint' : undefined}
        />
        <button type="button" id={`copy-${kind}`} class="button" onClick={copy}>
          {text('copy')}
        </button>
      </div>
      {isFrame && (
        <p id="frame-hint" class="hint">
          {text('frameHint')}
        </p>
      )}
    </div>
  );
}
