import { languageOf } from '../../../../timing-files/write/languages.ts';
import { LOADERS } from './languages.ts';

// Requests the texts during the loading of the script: on a slow line, half of the waiting time. The script, which asks
// for the same file, gets the failure.
const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language;
LOADERS[languageOf(asked) ?? 'en']().catch(() => {});

// A browser takes 20 ms and more to prepare for its first date. The browser has time for this work until the script
// arrives.
setTimeout(() => new Intl.DateTimeFormat(navigator.language));
