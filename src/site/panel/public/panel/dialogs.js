import { byId, element } from '../shared/dom.js';
import { say, whileBusy } from './form.js';
import { relativeTime, texts } from './texts.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {import('./api.js').Failure} Failure */

const confirm = byId('confirm-dialog', HTMLDialogElement);
const accept = byId('confirm-accept', HTMLButtonElement);
const secretDialog = byId('secret-dialog', HTMLDialogElement);
const secret = byId('secret', HTMLTextAreaElement);
const copyMessage = byId('copy-message', HTMLElement);

/** The work that the dialog's button runs. @type {(() => Promise<void>) | undefined} */
let accepted;

export function wireDialogs() {
  byId('confirm-cancel', HTMLButtonElement).addEventListener('click', () => confirm.close());
  accept.addEventListener('click', () => {
    if (accepted) void whileBusy(accept, accepted);
  });
  byId('copy', HTMLButtonElement).addEventListener('click', () => void copy());
  byId('secret-saved', HTMLButtonElement).addEventListener('click', () => secretDialog.close());
  // Some browsers do not know closedby=none. Escape must not close the secret there.
  secretDialog.addEventListener('cancel', (event) => event.preventDefault());
}

/**
 * Asks for confirmation of a rotation or revocation and lists what will stop working.
 * @param {'rotate' | 'revoke'} what
 * @param {ApiKey} key
 * @param {() => Promise<void>} work throws a Failure, which is shown here
 */
export function askToConfirm(what, key, work) {
  const asked = {
    rotate: [texts.rotateTitle, texts.rotateWhat, texts.rotateStops, texts.rotateAfter],
    revoke: [texts.revokeTitle, texts.revokeWhat, texts.revokeStops, texts.revokeAfter],
  }[what];
  ['title', 'what', 'intro', 'after'].forEach((place, index) => {
    byId(`confirm-${place}`, HTMLElement).textContent = asked[index] ?? '';
  });
  byId('confirm-name', HTMLElement).textContent = key.name;
  byId('confirm-prefix', HTMLElement).textContent = `${key.key_prefix}…`;
  byId('confirm-use', HTMLElement).textContent = key.last_used_at
    ? texts.usedAgo(relativeTime(new Date(key.last_used_at)))
    : texts.neverUsed;
  byId('confirm-stops', HTMLElement).replaceChildren(
    ...key.scopes.map((scope) => element('li', {}, texts.scope[scope].stops)),
  );
  accept.textContent = texts[what];
  accept.className = `button ${what === 'revoke' ? 'danger-fill' : 'primary'}`;
  const message = byId('confirm-message', HTMLElement);
  say(message);
  accepted = async () => {
    say(message);
    try {
      await work();
    } catch (error) {
      say(message, reason(what, /** @type {Failure} */ (error)));
    }
  };
  confirm.showModal();
  byId('confirm-cancel', HTMLButtonElement).focus();
}

export const closeConfirmation = () => confirm.close();

/** @param {'rotate' | 'revoke'} what @param {Failure} failure */
function reason(what, { kind, detail }) {
  if (kind === 'refused' && detail) return `${texts.refusedWith} ${detail}`;
  if (kind === 'notFound') return texts.keyGone;
  if (kind === 'unreachable' && what === 'rotate') return texts.rotateUnsure;
  return texts.failures[kind];
}

/**
 * Shows a secret once. Resolves when the reader has saved it and the page no longer contains it.
 * @param {string} title
 * @param {string} apiKey
 */
export async function showSecret(title, apiKey) {
  byId('secret-title', HTMLElement).textContent = title;
  secret.value = apiKey;
  copyMessage.textContent = '';
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

async function copy() {
  try {
    await navigator.clipboard.writeText(secret.value);
    copyMessage.textContent = texts.copied;
  } catch {
    secret.select();
    copyMessage.textContent = texts.copyByHand;
  }
}
