import { createApi, Failure } from './api.js';
import { askToConfirm, closeConfirmation, showSecret, wireDialogs } from './dialogs.js';
import { byId, mark, say, whileBusy } from './dom.js';
import { closeKeyForm, openKeyForm, resetKeyForm, wireKeyForm } from './key-form.js';
import { keyItem } from './key-list.js';
import { setLanguage, texts } from './texts.js';

/** @typedef {import('./api.js').ApiKey} ApiKey */
/** @typedef {{ organization: string, token: string }} Credentials */
/** @typedef {{ organization: string, api: import('./api.js').Api }} Session */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const TOAST_MS = 8_000;
const TIMES_MS = 30_000;

const waiting = byId('waiting', HTMLElement);
const signInView = byId('sign-in', HTMLElement);
const signInForm = byId('sign-in-form', HTMLFormElement);
const signInMessage = byId('sign-in-message', HTMLElement);
const organization = byId('organization', HTMLInputElement);
const token = byId('token', HTMLTextAreaElement);
const keysView = byId('keys', HTMLElement);
const list = byId('key-list', HTMLUListElement);
const listMessage = byId('list-message', HTMLElement);
const toast = byId('toast', HTMLElement);

/** @type {Session | undefined} */
let session;
/** What the list shows. @type {import('./api.js').KeyPage | undefined} */
let shown;
/** Whose unfinished key the form may still hold. */
let formOwner = '';
/** Why the page is signed out or the list is stale. @type {import('./api.js').FailureKind | undefined} */
let trouble;
/** The page asked for last, which is what a retry asks for again. */
let wanted = 1;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let toastEnd;

start();

function start() {
  setLanguage(navigator.language);
  wireSignIn();
  wireList();
  wireDialogs();
  wireKeyForm(createKey);
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      setLanguage(button.getAttribute('data-language') ?? '');
      render();
    });
  }
  // A link opened over this page changes only the fragment.
  window.addEventListener('hashchange', openLink);
  setInterval(() => {
    if (session) render();
  }, TIMES_MS);
  openLink();
}

/** Signs in with what the address carries, which leaves the address at once. */
function openLink() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const fromLink = {
    organization: fragment.get('organization') ?? '',
    token: fragment.get('token') ?? '',
  };
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  if (!fromLink.token) {
    if (!session) showSignIn();
    return;
  }
  organization.value = fromLink.organization;
  token.value = fromLink.token;
  leave();
  waiting.hidden = false;
  signInView.hidden = true;
  void signIn();
}

function wireSignIn() {
  const submit = /** @type {HTMLButtonElement} */ (signInForm.querySelector('[type=submit]'));
  signInForm.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submit, signIn);
  });
  token.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    signInForm.requestSubmit();
  });
  byId('sign-out', HTMLButtonElement).addEventListener('click', () => {
    resetKeyForm();
    leave();
    showSignIn();
  });
}

/** Signs in with what the form holds. What fails stays there, to be corrected or sent again. */
async function signIn() {
  const typed = { organization: organization.value.trim(), token: token.value.replace(/\s/g, '') };
  trouble = undefined;
  mark(organization, UUID.test(typed.organization) ? undefined : texts.organizationWrong);
  mark(token, JWT.test(typed.token) ? undefined : texts.tokenWrong);
  const wrong = signInForm.querySelector('[aria-invalid=true]');
  if (wrong instanceof HTMLElement) {
    showSignIn();
    wrong.focus();
    return;
  }
  const api = createApi(typed.organization, typed.token);
  try {
    shown = await api.list(1);
  } catch (error) {
    trouble = kindOf(error);
    showSignIn();
    return;
  }
  session = { organization: typed.organization, api };
  wanted = 1;
  signInForm.reset();
  if (formOwner !== session.organization) resetKeyForm();
  formOwner = session.organization;
  render();
  byId('keys-title', HTMLElement).focus();
}

function showSignIn() {
  render();
  byId('sign-in-title', HTMLElement).focus();
}

/** Forgets the session. A secret that is on the screen stays until it is said to be saved. */
function leave() {
  session = undefined;
  shown = undefined;
  announce('');
  closeKeyForm();
  closeConfirmation();
}

/**
 * What a failed request does to the session: one that is no longer allowed ends it.
 * @param {unknown} error
 */
function endIfRefused(error) {
  const kind = kindOf(error);
  if (kind !== 'signedOut' && kind !== 'forbidden') return false;
  if (session) organization.value = session.organization;
  leave();
  trouble = kind;
  showSignIn();
  return true;
}

/** @param {unknown} error */
function kindOf(error) {
  if (error instanceof Failure) return error.kind;
  throw error;
}

function wireList() {
  byId('new-key', HTMLButtonElement).addEventListener('click', openKeyForm);
  byId('empty', HTMLElement).querySelector('button')?.addEventListener('click', openKeyForm);
  byId('previous', HTMLButtonElement).addEventListener('click', () => void turnTo(-1));
  byId('next', HTMLButtonElement).addEventListener('click', () => void turnTo(1));
  listMessage.querySelector('button')?.addEventListener('click', () => void load(wanted));
}

/** @param {number} by */
async function turnTo(by) {
  const { page, total_pages: last } = shown?.meta ?? { page: 1, total_pages: 1 };
  const next = Math.min(Math.max(page + by, 1), last);
  if (next === page || !(await load(next))) return;
  const title = byId('keys-title', HTMLElement);
  title.focus();
  title.scrollIntoView();
}

/**
 * Fetches a page of the list; the one on the screen stays until the new one is here.
 * @param {number} page
 * @returns {Promise<boolean>} whether it is shown now
 */
async function load(page) {
  const asked = session;
  if (!asked) return false;
  wanted = page;
  list.setAttribute('aria-busy', 'true');
  try {
    const answer = await asked.api.list(page);
    // Signed out, or asked for another page, meanwhile.
    if (session !== asked || wanted !== page) return false;
    shown = answer;
    trouble = undefined;
    return true;
  } catch (error) {
    if (session !== asked || wanted !== page) return false;
    if (kindOf(error) === 'notFound') {
      leave();
      trouble = 'notFound';
      showSignIn();
    } else if (!endIfRefused(error)) trouble = kindOf(error);
    return false;
  } finally {
    list.removeAttribute('aria-busy');
    render();
  }
}

/** @param {import('./api.js').NewKey} key */
async function createKey(key) {
  const made = await ofSession((api) => api.create(key));
  if (!made) return;
  resetKeyForm();
  closeKeyForm();
  await reveal(made, texts.secretTitle(made.name), 1);
  announce(texts.toastCreated(made.name));
}

/** @param {ApiKey} key */
function rotateKey(key) {
  askToConfirm('rotate', key, async () => {
    const made = await ofSession((api) => api.rotate(key.id));
    if (!made) return;
    closeConfirmation();
    await reveal({ ...key, api_key: made.api_key }, texts.rotatedTitle(key.name), wanted);
    announce(texts.toastRotated(key.name));
  });
}

/** @param {ApiKey} key */
function revokeKey(key) {
  askToConfirm('revoke', key, async () => {
    const done = await ofSession((api) => api.revoke(key.id).then(() => true));
    if (!done) return;
    closeConfirmation();
    await load(wanted);
    focusKey(key.id);
    announce(texts.toastRevoked(key.name));
  });
}

/**
 * Runs a request of the session. One that ends the session has been dealt with: undefined.
 * @template T
 * @param {(api: import('./api.js').Api) => Promise<T>} request
 * @returns {Promise<T | undefined>}
 */
async function ofSession(request) {
  if (!session) return undefined;
  try {
    return await request(session.api);
  } catch (error) {
    if (endIfRefused(error)) return undefined;
    if (kindOf(error) === 'unreachable') void load(wanted);
    throw error;
  }
}

/**
 * Shows a key's secret while the list behind it catches up, then goes back to the key.
 * @param {import('./api.js').ApiKeyWithSecret} key
 * @param {string} title
 * @param {number} page
 */
async function reveal(key, title, page) {
  const loaded = load(page);
  await showSecret(title, key.api_key);
  await loaded;
  focusKey(key.id);
}

/** @param {string} id */
const focusKey = (id) => focusable(`${id} name`)?.focus();

/** @param {string} name */
const focusable = (name) =>
  [...list.querySelectorAll('[data-focus]')]
    .filter((candidate) => candidate instanceof HTMLElement)
    .find((candidate) => candidate.dataset['focus'] === name);

/** @param {string} message */
function announce(message) {
  toast.textContent = message;
  clearTimeout(toastEnd);
  toastEnd = setTimeout(() => toast.replaceChildren(), TOAST_MS);
}

/** Puts on the screen what is so now; what had the focus keeps it. */
function render() {
  waiting.hidden = true;
  signInView.hidden = session !== undefined;
  keysView.hidden = session === undefined;
  byId('sign-out', HTMLElement).hidden = session === undefined;
  document.title = texts.keysTitle;
  const message = trouble && texts.failures[trouble];
  if (!session || !shown) {
    say(signInMessage, ...(message ? [message] : []));
    return;
  }
  listMessage.hidden = message === undefined;
  listMessage.querySelector('p')?.replaceChildren(message ?? '');
  byId('organization-id', HTMLElement).textContent = session.organization;
  renderList(shown);
}

/** @param {import('./api.js').KeyPage} page */
function renderList({ data, meta }) {
  const focused = document.activeElement?.getAttribute('data-focus');
  list.replaceChildren(
    ...data.map((key) => keyItem(key, { rotate: rotateKey, revoke: revokeKey })),
  );
  if (focused) focusable(focused)?.focus();
  list.hidden = meta.total === 0;
  byId('empty', HTMLElement).hidden = meta.total > 0;
  byId('new-key', HTMLElement).hidden = meta.total === 0;
  byId('pages', HTMLElement).hidden = meta.total_pages < 2;
  byId('page-of', HTMLElement).textContent = texts.pageOf(meta.page, meta.total_pages, meta.total);
  byId('previous', HTMLButtonElement).disabled = meta.page <= 1;
  byId('next', HTMLButtonElement).disabled = meta.page >= meta.total_pages;
}
