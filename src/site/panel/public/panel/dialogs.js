import { byId, element } from '../shared/dom.js';
import { text } from './formats.js';
import { attempt, say } from './page.js';

/**
 * A question before something is taken away.
 * @typedef {object} Question
 * @property {string} title
 * @property {string} name what it is about
 * @property {string} code its prefix or number, if it has one
 * @property {string} facts
 * @property {string} what what happens, in a sentence
 * @property {string} intro the line above the points
 * @property {readonly string[]} points
 * @property {string} after
 * @property {string} accept the text of the button
 * @property {boolean} [isDanger]
 * @property {() => Promise<void>} work throws a Failure, which is shown here
 * @property {string} unsure what it means that no answer came
 */

const confirm = byId('confirm-dialog', HTMLDialogElement);
const accept = byId('confirm-accept', HTMLButtonElement);
const secretDialog = byId('secret-dialog', HTMLDialogElement);
const secret = byId('secret', HTMLTextAreaElement);
const message = byId('confirm-message', HTMLElement);

export function wireDialogs() {
  byId('copy', HTMLButtonElement).addEventListener('click', () => void copySecret());
  // Some browsers do not know closedby=none. Escape must not close the secret there.
  secretDialog.addEventListener('cancel', (event) => event.preventDefault());
}

/** @param {Question} question */
export function askToConfirm({ work, unsure, isDanger, points, accept: verb, ...texts }) {
  for (const [name, words] of Object.entries(texts)) {
    byId(`confirm-${name}`, HTMLElement).textContent = words;
  }
  byId('confirm-intro', HTMLElement).hidden = points.length === 0;
  byId('confirm-points', HTMLElement).replaceChildren(
    ...points.map((point) => element('li', {}, point)),
  );
  accept.textContent = verb;
  accept.onclick = () => attempt(accept, (words) => say(message, words), work, unsure);
  accept.className = `button ${isDanger ? 'danger-fill' : 'primary'}`;
  say(message);
  confirm.showModal();
  byId('confirm-cancel', HTMLButtonElement).focus();
}

export const closeConfirmation = () => confirm.close();

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
  secretDialog.showModal();
  byId('copy', HTMLButtonElement).focus();
  await new Promise((resolve) => secretDialog.addEventListener('close', resolve, { once: true }));
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
