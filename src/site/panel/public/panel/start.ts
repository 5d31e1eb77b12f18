import { laterPart, viewInAddress } from './address.ts';
import { askFirst } from './first.ts';
import { LANGUAGES, languageOf } from './languages.ts';
import { isOther, keptSession } from './session.ts';

// Asks for what the page shows first while its scripts load: on a slow line that is half of the way to it. A failure
// is that of whoever needs the answer.
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

/** Shows what the view is to a reader with a session, once the whole page has come. Its scripts come later. */
function showFrame() {
  for (const place of document.querySelectorAll(`[data-${language}]`)) {
    place.textContent = place.getAttribute(`data-${language}`);
  }
  for (const id of ['signed-in', viewInAddress()]) {
    document.getElementById(id)?.removeAttribute('hidden');
  }
  setTimeout(warmDates);
}

/** A browser takes 20 ms and more to prepare for its first date. It has nothing to do while the scripts come. */
function warmDates() {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  new Intl.DateTimeFormat(navigator.language, options).format();
}

if (session && document.readyState === 'loading') {
  document.addEventListener('readystatechange', showFrame, { once: true });
} else if (session) showFrame();
