import { byId, element } from '../shared/dom.js';
import { createApi } from './api.js';
import { wireBoardCode } from './board-code.js';
import { wireDialogs } from './dialogs.js';
import { createEventsView } from './events.js';
import { mark, say, whileBusy } from './form.js';
import { resetKeyForm } from './key-form.js';
import { createKeysView } from './keys.js';
import { announce, kindOf } from './page.js';
import { keepReturn, keptReturn } from './return-to.js';
import { forgetSession, keepSession, keptSession } from './tab-session.js';
import { setLanguage, texts } from './texts.js';
import { claimsOf } from './token.js';

/** @typedef {import('./page.js').Session & { organization: import('./api.js').Organization }} Session */
/** @typedef {'events' | 'keys'} View */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const TIMES_MS = 30_000;

const waiting = byId('waiting', HTMLElement);
const signInView = byId('sign-in', HTMLElement);
const signInForm = byId('sign-in-form', HTMLFormElement);
const signInMessage = byId('sign-in-message', HTMLElement);
const wayBack = byId('way-back', HTMLElement);
const organization = byId('organization', HTMLInputElement);
const token = byId('token', HTMLInputElement);
const signedInView = byId('signed-in', HTMLElement);

/** @type {Session | undefined} */
let session;
/** The organization whose unfinished key the form may still contain. */
let formOwner = '';
/** The reason if the API ended the session. @type {import('./api.js').FailureKind | undefined} */
let trouble;

const page = { session: () => session, endIfRefused };
const views = { events: createEventsView(page), keys: createKeysView(page) };

start();

function start() {
  setLanguage(navigator.language);
  wireSignIn();
  wireDialogs();
  wireBoardCode();
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', () => {
      setLanguage(button.getAttribute('data-language') ?? '');
      render();
    });
  }
  for (const button of document.querySelectorAll('[data-view]')) {
    button.addEventListener('click', () => {
      const isEvents = button.getAttribute('data-view') === 'events';
      history.pushState(null, '', isEvents ? '?view=events' : location.pathname);
      render();
    });
  }
  window.addEventListener('popstate', render);
  // A link that opens in this page changes only the fragment.
  window.addEventListener('hashchange', openLink);
  setInterval(() => {
    if (session) render();
  }, TIMES_MS);
  openLink();
}

/** Signs in with the session in the address, and removes it from the address at once. */
function openLink() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const fromLink = {
    organization: fragment.get('organization') ?? '',
    token: fragment.get('token') ?? '',
  };
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  const kept = fromLink.token ? undefined : keptSession();
  if (!fromLink.token && (session || !kept)) {
    if (!session) showSignIn();
    return;
  }
  organization.value = (kept ?? fromLink).organization;
  token.value = (kept ?? fromLink).token;
  leave();
  waiting.hidden = false;
  signInView.hidden = true;
  void signIn(kept ? undefined : (fragment.get('return_to') ?? ''));
}

/** The part of the panel that the address names. @returns {View} */
function viewOf() {
  return new URLSearchParams(location.search).get('view') === 'events' ? 'events' : 'keys';
}

function wireSignIn() {
  const submit = /** @type {HTMLButtonElement} */ (signInForm.querySelector('[type=submit]'));
  signInForm.addEventListener('submit', (event) => {
    event.preventDefault();
    void whileBusy(submit, () => signIn());
  });
  byId('sign-out', HTMLButtonElement).addEventListener('click', () => {
    resetKeyForm();
    leave();
    showSignIn();
  });
}

/**
 * Signs in with the form. A token that was sent is not kept in the form, unless no answer came.
 * @param {string} [returnTo] where the link says that the reader came from
 */
async function signIn(returnTo) {
  const typed = { organization: organization.value.trim(), token: token.value.replace(/\s/g, '') };
  trouble = undefined;
  mark(organization, UUID.test(typed.organization) ? undefined : texts.organizationWrong);
  mark(token, JWT.test(typed.token) ? undefined : texts.tokenWrong);
  const wrong = signInForm.querySelector('[aria-invalid=true]');
  if (wrong instanceof HTMLElement) {
    token.value = '';
    showSignIn();
    wrong.focus();
    return;
  }
  const api = createApi(typed.organization, typed.token);
  try {
    const [found, events, keys] = await Promise.all([api.organization(), api.events(), api.keys()]);
    views.events.show(events);
    views.keys.show(keys);
    session = { organization: found, api, userId: String(claimsOf(typed.token).sub) };
  } catch (error) {
    trouble = kindOf(error);
    const isRefused = trouble === 'signedOut' || trouble === 'forbidden' || trouble === 'notFound';
    if (isRefused) {
      token.value = '';
      forgetSession();
    }
    showSignIn();
    return;
  }
  if (returnTo !== undefined) keepReturn(returnTo, typed.token);
  keepSession(typed.organization, typed.token);
  signInForm.reset();
  if (formOwner !== session.organization.id) resetKeyForm();
  formOwner = session.organization.id;
  render();
  byId(`${viewOf()}-title`, HTMLElement).focus();
}

function showSignIn() {
  render();
  byId('sign-in-title', HTMLElement).focus();
}

/** Forgets the session. A visible secret stays until the reader has saved it. */
function leave() {
  session = undefined;
  forgetSession();
  announce('');
  views.events.clear();
  views.keys.clear();
}

/**
 * Ends the session if the API refuses it.
 * @param {import('./api.js').FailureKind} kind
 */
function endIfRefused(kind) {
  if (kind !== 'signedOut' && kind !== 'forbidden') return false;
  if (session) organization.value = session.organization.id;
  leave();
  trouble = kind;
  showSignIn();
  return true;
}

/** Renders the current state. */
function render() {
  waiting.hidden = true;
  signInView.hidden = session !== undefined;
  signedInView.hidden = session === undefined;
  byId('sign-out', HTMLElement).hidden = session === undefined;
  const view = viewOf();
  document.title = view === 'events' && session ? texts.eventsTitle : texts.keysTitle;
  if (!session) {
    renderWayBack();
    say(signInMessage, ...(trouble ? [texts.failures[trouble]] : []));
    return;
  }
  byId('organization-name', HTMLElement).textContent = session.organization.name;
  for (const button of document.querySelectorAll('[data-view]')) {
    const isCurrent = button.getAttribute('data-view') === view;
    if (isCurrent) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  byId('events', HTMLElement).hidden = view !== 'events';
  byId('keys', HTMLElement).hidden = view !== 'keys';
  views[view].render();
}

/** Says how the reader gets a new session: through the organization's own panel. */
function renderWayBack() {
  const address = keptReturn();
  wayBack.hidden = !address;
  if (!address) return;
  wayBack.replaceChildren(
    element('p', {}, texts.comeBack),
    element(
      'a',
      { class: 'button', href: address.href, rel: 'noreferrer' },
      texts.backTo(address.host),
    ),
  );
}
