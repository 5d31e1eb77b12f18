import { byId } from '../shared/dom.js';
import { textOfParts as text } from './formats.js';
import { say } from './page.js';

const dialog = byId('secret-dialog', HTMLDialogElement);
const secret = byId('secret', HTMLTextAreaElement);

byId('copy', HTMLButtonElement).addEventListener('click', () => void copySecret());
// Some browsers do not know closedby=none. Escape must not close the secret there.
dialog.addEventListener('cancel', (event) => event.preventDefault());

/**
 * Shows a secret once. Resolves when the reader has saved it and the page no longer contains it.
 * @param {string} title
 * @param {string} apiKey
 */
export async function showSecret(title, apiKey) {
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

/** @param {Event} event */
const holdBack = (event) => event.preventDefault();

async function copySecret() {
  const isCopied = await copied(secret.value);
  if (!isCopied) secret.select();
  say(byId('copy-message', HTMLElement), text(isCopied ? 'copied' : 'copyByHand'));
}

/** Copies a text, if the browser allows it. @param {string} copy */
export const copied = (copy) =>
  navigator.clipboard.writeText(copy).then(
    () => true,
    () => false,
  );
