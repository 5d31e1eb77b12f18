import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { copied } from '../clipboard.ts';
import { textOfKeys as text } from '../formats.ts';

const place = document.body.appendChild(document.createElement('div'));

/**
 * Shows a secret once, beside the page: the secret stays when the session ends. Resolves when the reader has saved the
 * secret and the page no longer contains the secret.
 * @param letter a text for the receiver of the key, without the secret
 */
export const showSecret = (title: string, apiKey: string, letter: string) =>
  new Promise<void>((resolve) => {
    const close = () => {
      render(null, place);
      resolve();
    };
    render(<Secret title={title} apiKey={apiKey} letter={letter} close={close} />, place);
  });

function Secret({
  title,
  apiKey,
  letter,
  close,
}: {
  title: string;
  apiKey: string;
  letter: string;
  close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    // A reload now would lose the secret.
    const hold = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    shown?.showModal();
    return () => {
      window.removeEventListener('beforeunload', hold);
      shown?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="small"
      closedby="none"
      aria-labelledby="secret-title"
      aria-describedby="secret-warning"
      // Some browsers do not know closedby=none. In such browsers, Escape must not close the secret.
      onCancel={(event) => event.preventDefault()}
    >
      <div class="dialog-head">
        <h2 id="secret-title">{title}</h2>
      </div>
      <div class="dialog-body stack">
        <p id="secret-warning" class="notice warn">
          {text('secretWarning')}
        </p>
        <Copied id="secret" name={text('secret')} value={apiKey} rows={2}>
          {text('copy')}
        </Copied>
        <Copied id="letter" name={text('sendText')} value={letter} rows={6}>
          {text('copyText')}
        </Copied>
        <p class="hint">{text('sendTextHint')}</p>
      </div>
      <div class="dialog-foot actions row">
        <button type="button" id="secret-saved" class="button" onClick={close}>
          {text('secretSaved')}
        </button>
      </div>
    </dialog>
  );
}

/** A text with a button that copies the text. @param children the name of the button */
function Copied({
  id,
  name,
  value,
  rows,
  children,
}: {
  id: string;
  name: string;
  value: string;
  rows: number;
  children: string;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [message, tell] = useState('');
  async function copy() {
    const isCopied = await copied(value);
    if (!isCopied) field.current?.select();
    tell(text(isCopied ? 'copied' : 'copyByHand'));
  }
  const isSecret = id === 'secret';
  return (
    <div class="field">
      <label for={id} class="strong">
        {name}
      </label>
      <textarea
        ref={field}
        id={id}
        class={`input ${isSecret ? 'mono' : ''}`}
        rows={rows}
        readOnly
        autocomplete="off"
        spellcheck={false}
        value={value}
      />
      <button
        type="button"
        class={`button ${isSecret ? 'primary' : ''}`}
        autofocus={isSecret}
        onClick={copy}
      >
        {children}
      </button>
      <p class="strong" role="status">
        {message}
      </p>
    </div>
  );
}
