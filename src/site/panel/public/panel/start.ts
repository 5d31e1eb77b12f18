import { laterPart, viewInAddress } from './address.ts';
import { askFirst } from './first.ts';
import { LANGUAGES, languageOf } from './languages.ts';
import { isOther, keptSession } from './session.ts';

// Sends the requests of the first view during the loading of the scripts: on a slow line, half of the waiting time. The
// consumer of an answer gets its failure.
const language = languageOf(navigator.language);
const texts = LANGUAGES[language];
texts.page().catch(() => {});
const link = new URLSearchParams(location.hash.slice(1));
const token = link.get('token');
const given = { organization: link.get('organization') ?? '', token: token ?? '' };
const kept = keptSession();
// The page asks before a link replaces the session of another organization.
const session = token && !isOther(given, kept?.organization) ? given : kept;
if (session) askFirst(session);
if (session && laterPart()) {
  texts.parts().catch(() => {});
  for (const link of document.querySelectorAll(`[data-part=${laterPart()}]`)) {
    link.setAttribute('rel', 'modulepreload');
  }
}

/**
 * Shows the name of the view to a reader with a session, once the whole page has come. The page's scripts come later.
 */
function showFrame() {
  for (const place of document.querySelectorAll(`[data-${language}]`)) {
    place.textContent = place.getAttribute(`data-${language}`);
  }
  for (const id of ['signed-in', viewInAddress()]) {
    document.getElementById(id)?.removeAttribute('hidden');
  }
  setTimeout(warmDates);
}

/**
 * A browser takes 20 ms and more to prepare for its first date. The browser has time for this work until the scripts
 * arrive.
 */
function warmDates() {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  new Intl.DateTimeFormat(navigator.language, options).format();
}

if (session && document.readyState === 'loading') {
  document.addEventListener('readystatechange', showFrame, { once: true });
} else if (session) showFrame();
