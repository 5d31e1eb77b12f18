import { getOrganization } from '../client/operations/get-organization.ts';
import { byId, element, writeTexts } from '../shared/dom.ts';
import { isUuid, raceInAddress, viewInAddress } from './address.ts';
import {
  type Api,
  ask,
  createApi,
  Failure,
  type Known,
  type Organization,
  SessionEnded,
} from './api.ts';
import { createEventsView } from './events.ts';
import { askFirst } from './first.ts';
import { chooseLanguage, loadTextsOfParts, text } from './formats.ts';
import { loadMarkup, preloadScripts } from './later.ts';
import { announce, attempt, failureIn, type Page, type Parts, say } from './page.ts';
import { createRaceView } from './race.ts';
import {
  claimsOf,
  forgetSession,
  keepReturn,
  keepSession,
  keptReturn,
  keptSession,
} from './session.ts';

import {
  forgetUnfinished,
  keepUnfinished,
  readUnfinished,
  takeUnfinished,
  type Unfinished,
  writeUnfinished,
} from './unfinished.ts';

type Session = { organization: Organization; api: Api; userId: string };

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const REFRESH_MS = 30_000;
/** The page of a race shows within five seconds what others change. */
const RACE_REFRESH_MS = 4_000;

/** The page says elsewhere why the request failed. */
const ignore = () => {};

const waiting = byId('waiting', HTMLElement);
const signInView = byId('sign-in', HTMLElement);
const signInForm = byId('sign-in-form', HTMLFormElement);
const organization = byId('organization', HTMLInputElement);
const token = byId('token', HTMLInputElement);
const signedInView = byId('signed-in', HTMLElement);
const trouble = byId('trouble', HTMLElement);

let session: Session | undefined;
/** The organization whose unfinished key the form may still contain. */
let formOwner = '';
/** Why the reader is not signed in, or why the list is out of date. */
let failure: Failure | undefined;

let parts: Parts | undefined;
/** The address whose view is loaded. */
let loaded = '';

const page: Page = {
  userId: () => session?.userId ?? '',
  run,
  refresh,
  parts: () => parts,
  loadParts,
  lastOfficial: () => views.race.lastOfficial(),
};
const events = createEventsView(page);
const views = {
  events,
  keys: {
    render: () => parts?.keys.render(),
    refresh: async () => (await loadParts()).keys.refresh(),
    clear: () => parts?.keys.clear(),
  },
  race: createRaceView(page, events),
};

await start();

async function start() {
  await speak(navigator.language);
  signInForm.addEventListener('input', check);
  signInForm.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(signInForm, ignore, () => signIn());
  });
  byId('sign-out', HTMLButtonElement).addEventListener('click', () => {
    parts?.keys.resetForm();
    leave();
    forgetUnfinished();
    showSignIn();
  });
  byId('retry', HTMLButtonElement).addEventListener('click', ({ currentTarget }) => {
    if (currentTarget instanceof Element) void attempt(currentTarget, ignore, refresh);
  });
  for (const button of document.querySelectorAll('[data-language]')) {
    button.addEventListener('click', async () => {
      const code = button.getAttribute('data-language') ?? '';
      const isLoaded = await speak(code).then(
        () => true,
        () => false,
      );
      if (!isLoaded) {
        announce(text('failures.unreachable'));
        return;
      }
      // Rows are made in one language.
      for (const row of document.querySelectorAll('[data-key]')) row.remove();
      render();
    });
  }
  // A link to a part of the panel opens in place, and in another tab with the keys for that.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="/panel"]') : null;
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!(link instanceof HTMLAnchorElement && isPlain)) return;
    event.preventDefault();
    const before = raceInAddress() + viewInAddress();
    history.pushState(null, '', link.href);
    show();
    if (before === raceInAddress() + viewInAddress()) return;
    window.scrollTo(0, 0);
    focusTitle();
  });
  window.addEventListener('popstate', show);
  // A link that opens in this page changes only the fragment.
  window.addEventListener('hashchange', openLink);
  const refreshIf = (isRace: boolean) => () => {
    if (session && !document.hidden && (viewInAddress() === 'race') === isRace) void refresh();
  };
  setInterval(refreshIf(false), REFRESH_MS);
  setInterval(refreshIf(true), RACE_REFRESH_MS);
  openLink();
}

/** Shows what the address names, and then what is new there. */
function show() {
  render();
  if (session) void refresh();
}

const focusTitle = () => byId(`${viewInAddress()}-title`, HTMLElement).focus();

/** @param code of a language */
async function speak(code: string) {
  await chooseLanguage(code);
  writeTexts(document, text);
  const docs = document.documentElement.lang.startsWith('es') ? '/docs/es' : '/docs';
  byId('guide', HTMLAnchorElement).href = `${docs}/organizing`;
  byId('documentation', HTMLAnchorElement).href = docs;
  check();
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
  leave();
  organization.value = (kept ?? fromLink).organization;
  token.value = (kept ?? fromLink).token;
  check();
  // The first script has shown the view for a reader with a session.
  waiting.hidden = !signedInView.hidden;
  signInView.hidden = true;
  void signIn(kept ? undefined : (fragment.get('return_to') ?? ''));
}

function typedToken() {
  return token.value.replace(/\s/g, '');
}

/** Tells the browser what is wrong in the form. The browser shows it when the form is sent. */
function check() {
  const isId = isUuid(organization.value.trim());
  organization.setCustomValidity(isId ? '' : text('organizationWrong'));
  token.setCustomValidity(JWT.test(typedToken()) ? '' : text('tokenWrong'));
}

/**
 * Signs in with the form. A token that was sent is not kept in the form, unless no answer came.
 * @param returnTo where the link says that the reader came from
 */
async function signIn(returnTo?: string) {
  failure = undefined;
  if (!signInForm.checkValidity()) {
    token.value = '';
    showSignIn();
    signInForm.reportValidity();
    return;
  }
  const typed = { organization: organization.value.trim(), token: typedToken() };
  const api = createApi(typed.organization, typed.token);
  askFirst(typed);
  try {
    const found = await ask(() => getOrganization(api.client, api.organization));
    session = { organization: found, api, userId: String(claimsOf(typed.token).sub) };
  } catch (error) {
    failure = failureIn(error);
    if (['signedOut', 'forbidden', 'notFound'].includes(failure.kind)) {
      token.value = '';
      forgetSession();
    }
    showSignIn();
    return;
  }
  if (returnTo !== undefined) keepReturn(returnTo, typed.token);
  keepSession(typed);
  signInForm.reset();
  check();
  if (formOwner !== session.organization.id) parts?.keys.resetForm();
  formOwner = session.organization.id;
  const work = takeUnfinished(session.organization.id, session.userId);
  if (work && location.search === '') history.replaceState(null, '', `/panel${work.address}`);
  await refresh(() => session && focusTitle());
  if (!session) return;
  if (work?.address === location.search) await resume(work).catch(ignoreFailure);
  if (!session) return;
  // The other parts load now. A deployment may replace these scripts before the reader opens one of them.
  await loadParts().catch(failureIn);
}

/** Shows what the reader was working on when the last session ended. */
async function resume(work: Unfinished) {
  await loadParts();
  writeUnfinished(work);
  await views.race.reopenRunners(work.runners);
}

/** The page says by itself that its session has ended. */
function ignoreFailure(error: unknown) {
  if (!(error instanceof SessionEnded)) failureIn(error);
}

/** Loads the scripts after their HTML, in which they find their places when they start. */
async function loadScripts() {
  await loadMarkup();
  return import('./parts.tsx');
}

/** Loads the HTML, the scripts and the texts of the parts that few readers open first. */
async function loadParts() {
  preloadScripts();
  const { createParts } = await Promise.all([loadScripts(), loadTextsOfParts()]).then(
    ([loaded]) => loaded,
    () => {
      throw new Failure('unreachable');
    },
  );
  if (parts) return parts;
  for (const place of document.querySelectorAll('[data-later]')) {
    place.removeAttribute('data-later');
  }
  writeTexts(document, text);
  parts = createParts(page, events, views.race.change);
  render();
  return parts;
}

function showSignIn() {
  render();
  byId('sign-in-title', HTMLElement).focus();
}

/** Forgets the session. A visible secret stays until the reader has saved it. */
function leave() {
  session = undefined;
  failure = undefined;
  forgetSession();
  announce('');
  views.events.clear();
  views.keys.clear();
  views.race.clear();
}

/** Runs a request of the session, which ends if the API refuses it. */
async function run<Answer>(request: (api: Api) => PromiseLike<Answer>): Promise<Known<Answer>> {
  const asked = session;
  if (!asked) throw new SessionEnded();
  const answer = await ask(() => request(asked.api)).catch((error) => {
    const refused = failureIn(error);
    const isOver = refused.kind === 'signedOut' || refused.kind === 'forbidden';
    if (session === asked && isOver) {
      const { id } = asked.organization;
      const runners = views.race.openRunners();
      const work = readUnfinished({ organization: id, userId: asked.userId, runners });
      leave();
      keepUnfinished(work);
      organization.value = asked.organization.id;
      failure = refused;
      check();
      showSignIn();
    }
    throw session === asked ? refused : new SessionEnded();
  });
  if (session !== asked) throw new SessionEnded();
  return answer;
}

/**
 * Loads what the view shows. The view stays as it is while it waits, and says why it is out of date.
 * @param shown runs once, when the first of it is shown
 */
async function refresh(shown: () => void = () => {}) {
  const asked = location.search;
  let isShown = false;
  const show = () => {
    render();
    if (!isShown) shown();
    isShown = true;
  };
  let found: Failure | undefined;
  try {
    await views[viewInAddress()].refresh(show);
  } catch (error) {
    if (error instanceof SessionEnded) return show();
    found = failureIn(error);
  }
  // The view that the reader has opened meanwhile says what became of itself.
  if (asked !== location.search) return;
  failure = found;
  loaded = asked;
  show();
}

/** Renders the current state. */
function render() {
  waiting.hidden = true;
  signInView.hidden = session !== undefined;
  signedInView.hidden = session === undefined;
  byId('sign-out', HTMLElement).hidden = session === undefined;
  const view = viewInAddress();
  document.title = session ? titleOf(view) : text('signInTitle');
  if (!session) {
    renderWayBack();
    say(byId('sign-in-message', HTMLElement), failure && text(`failures.${failure.kind}`));
    return;
  }
  // A part that waits for its rows is shorter than it will be.
  byId('foot', HTMLElement).hidden = loaded !== location.search;
  trouble.hidden = failure === undefined;
  say(byId('trouble-message', HTMLElement), failure && text(`failures.${failure.kind}`));
  byId('organization-name', HTMLElement).textContent = session.organization.name;
  for (const button of document.querySelectorAll('[data-view]')) {
    const isCurrent = button.getAttribute('data-view') === (view === 'race' ? 'events' : view);
    if (isCurrent) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
  }
  for (const one of ['events', 'keys', 'race'] as const) {
    byId(one, HTMLElement).hidden = view !== one;
  }
  views[view].render();
}

const titleOf = (view: 'events' | 'keys' | 'race') =>
  view === 'race' ? views.race.title() : text(view === 'events' ? 'eventsTitle' : 'keysTitle');

/** Says how the reader gets a new session: through the organization's own panel. */
function renderWayBack() {
  const address = keptReturn();
  const wayBack = byId('way-back', HTMLElement);
  wayBack.hidden = !address;
  if (!address) return;
  wayBack.replaceChildren(
    element('p', {}, text('comeBack')),
    element(
      'a',
      { class: 'button', href: address.href, rel: 'noreferrer' },
      text('backTo', { host: address.host }),
    ),
  );
}
