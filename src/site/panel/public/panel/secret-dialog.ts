import { byId } from '../shared/dom.ts';
import { copied } from './clipboard.ts';
import { textOfParts as text } from './formats.ts';
import { say } from './page.ts';

const dialog = byId('secret-dialog', HTMLDialogElement);
const secret = byId('secret', HTMLTextAreaElement);

byId('copy', HTMLButtonElement).addEventListener('click', () => void copySecret());
// Some browsers do not know closedby=none. Escape must not close the secret there.
dialog.addEventListener('cancel', (event) => event.preventDefault());

/** Shows a secret once. Resolves when the reader has saved it and the page no longer contains it. */
export async function showSecret(title: string, apiKey: string) {
  byId('secret-title', HTMLElement).textContent = title;
  secret.value = apiKey;
  say(byId('copy-message', HTMLElement));
  // A reload now would lose the secret.
  window.addEventListener('beforeunload', holdBack);
  dialog.showModal();
  byId('copy', HTMLButtonElement).focus();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  window.removeEventListener('beforeunload', holdBack);
  secret.value = '';
}

const holdBack = (event: Event) => event.preventDefault();

async function copySecret() {
  const isCopied = await copied(secret.value);
  if (!isCopied) secret.select();
  say(byId('copy-message', HTMLElement), text(isCopied ? 'copied' : 'copyByHand'));
}
