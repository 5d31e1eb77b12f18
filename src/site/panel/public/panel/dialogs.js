import { byId, element, write } from '../shared/dom.js';
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
  byId('code-print', HTMLButtonElement).addEventListener('click', () => window.print());
  // Some browsers do not know closedby=none. Escape must not close the secret there.
  secretDialog.addEventListener('cancel', (event) => event.preventDefault());
}

/** @param {Question} question */
export function askToConfirm({ work, unsure, isDanger, points, accept: verb, ...texts }) {
  for (const [name, words] of Object.entries(texts)) {
    byId(`confirm-${name}`, HTMLElement).textContent = words;
  }
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

/** White modules around a QR code. Readers need four. */
const QUIET_MODULES = 4;

/**
 * Shows the board of an event: its address for people and for a printed poster.
 * @param {import('./api.js').OrganizationEvent} event
 */
export async function showBoard({ id, name, board_enabled: isOpen }) {
  const { renderSVG } = await import('uqr');
  const address = `${location.origin}/board/${id}`;
  const svg = renderSVG(address, { ecc: 'M', border: QUIET_MODULES });
  const image = byId('code', HTMLImageElement);
  URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  image.alt = text('codeOf', { name });
  const file = byId('code-file', HTMLAnchorElement);
  file.href = image.src;
  file.download = `board-${id}.svg`;
  // People type the first digits of the id.
  write(document, { '#code-title': name, '#code-address': address.slice(0, -28) });
  byId('code-off', HTMLElement).hidden = isOpen;
  const links = { 'code-preview': address, 'code-wall': `${address}?screen` };
  for (const [id, href] of Object.entries(links)) {
    const link = byId(id, HTMLAnchorElement);
    link.href = href;
    link.hidden = !isOpen;
  }
  byId('code-copy', HTMLButtonElement).onclick = async () => {
    const isCopied = await copied(address);
    say(byId('code-message', HTMLElement), text(isCopied ? 'addressCopied' : 'addressNotCopied'));
  };
  say(byId('code-message', HTMLElement));
  byId('code-dialog', HTMLDialogElement).showModal();
  byId('code-print', HTMLButtonElement).focus();
}
