import { languageOf } from '../../../../timing-files/write/languages.ts';
import { prepareFormats } from '../shared/first-formats.ts';
import { laterPart, viewInAddress } from './address.ts';
import { askFirst } from './first.ts';
import { LOADERS } from './languages.ts';
import { isOther, keptSession } from './session.ts';

/** The texts of each part that an address may open. */
const TEXTS_OF = {
  keys: ['keys'],
  uploads: ['uploads'],
  course: ['uploads', 'parts'],
  board: ['uploads', 'parts'],
  settings: ['parts'],
} as const;

// Sends the requests of the first view during the loading of the scripts: on a slow line, half of the waiting time. The
// consumer of an answer gets its failure.
const language = languageOf(navigator.language) ?? 'en';
const texts = LOADERS[language];
texts.page().catch(() => {});
const link = new URLSearchParams(location.hash.slice(1));
const token = link.get('token');
const given = { organization: link.get('organization') ?? '', token: token ?? '' };
const kept = keptSession();
// The page asks before a link replaces the session of another organization.
const session = token && !isOther(given, kept?.organization) ? given : kept;
const part = laterPart();
if (session && part) {
  for (const one of TEXTS_OF[part]) texts[one]().catch(() => {});
  if (part === 'course' || part === 'board') texts.sentences().catch(() => {});
  for (const link of document.querySelectorAll(`[data-part=${part}]`)) {
    link.setAttribute('rel', 'modulepreload');
  }
}
// A browser may send no more than six requests at once, and the scripts are the longest answers.
if (session) {
  askFirst(session);
  prepareFormats();
}

/**
 * Shows the name of the view to a reader with a session, once the frame has come. The page's script comes later.
 */
function showFrame() {
  for (const place of document.querySelectorAll(`[data-${language}]`)) {
    place.textContent = place.getAttribute(`data-${language}`);
  }
  for (const id of ['views', 'signed-in', viewInAddress()]) {
    document.getElementById(id)?.removeAttribute('hidden');
  }
  // The scripts keep the session of the link. Until then, a link of the frame would lead away without the session.
  for (const link of document.querySelectorAll('#views a')) {
    link.toggleAttribute('inert', token !== null);
  }
}

if (session) Object.assign(globalThis, { showFrame });
