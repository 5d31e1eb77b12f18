import { languageOf } from '../../../../timing-files/write/languages.ts';
import { prepareFormats } from '../shared/first-formats.ts';
import { LOADERS } from './languages.ts';

// Requests the texts during the loading of the script: on a slow line, half of the waiting time. The script, which asks
// for the same file, gets the failure.
const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language;
LOADERS[languageOf(asked) ?? 'en']().catch(() => {});

prepareFormats();
