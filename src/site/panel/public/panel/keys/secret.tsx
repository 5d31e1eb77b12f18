import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { copied } from '../clipboard.ts';
import { textOfParts as text } from '../formats.ts';

const place = document.body.appendChild(document.createElement('div'));

/**
 * Shows a secret once, beside the page: the secret stays when the session ends. Resolves when the reader has saved the
 * secret and the page no longer contains the secret.
 */
export const showSecret = (title: string, apiKey: string) =>
  new Promise<void>((resolve) => {
    const close = () => {
      render(null, place);
      resolve();
    };
    render(<Secret title={title} apiKey={apiKey} close={close} />, place);
  });

function Secret({ title, apiKey, close }: { title: string; apiKey: string; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const secret = useRef<HTMLTextAreaElement>(null);
  const [message, tell] = useState('');
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
  async function copy() {
    const isCopied = await copied(apiKey);
    if (!isCopied) secret.current?.select();
    tell(text(isCopied ? 'copied' : 'copyByHand'));
  }
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
        <textarea
          ref={secret}
          id="secret"
          class="input mono"
          rows={2}
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-label={text('secret')}
          value={apiKey}
        />
        <button type="button" id="copy" class="button primary" autofocus onClick={copy}>
          {text('copy')}
        </button>
        <p class="strong" role="status">
          {message}
        </p>
        <p class="hint">
          <span>{text('secretUse')}</span> <code>X-API-Key</code>
        </p>
      </div>
      <div class="dialog-foot actions row">
        <button type="button" id="secret-saved" class="button" onClick={close}>
          {text('secretSaved')}
        </button>
      </div>
    </dialog>
  );
}
