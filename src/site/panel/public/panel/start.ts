import { isOfLaterPart } from './address.ts';
import { askFirst } from './first.ts';
import { LANGUAGES, languageOf } from './languages.ts';
import { keptSession } from './session.ts';

// Asks for what the page shows first while its scripts load: on a slow line that is half of the way to it. A failure
// is that of whoever needs the answer.
const texts = LANGUAGES[languageOf(navigator.language)];
texts.page().catch(() => {});
const link = new URLSearchParams(location.hash.slice(1));
const token = link.get('token');
const session = token ? { organization: link.get('organization') ?? '', token } : keptSession();
if (session) askFirst(session);
if (session && isOfLaterPart()) {
  texts.parts().catch(() => {});
  document.getElementById('parts')?.setAttribute('rel', 'modulepreload');
}
