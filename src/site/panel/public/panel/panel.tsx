import { render } from 'preact';
import { byId } from '../shared/dom.ts';
import { App } from './app/app.tsx';
import { enterFromLink } from './app/enter.ts';
import { chooseLanguage } from './formats.ts';

// Until the reader has entered, the page shows the name of its view.
const [first] = await Promise.all([enterFromLink(), chooseLanguage(navigator.language)]);
const place = byId('app', HTMLElement);
place.replaceChildren();
render(<App first={first} />, place);
