import { byId } from './dom.js';
import { languageOf, setLanguage } from './texts.js';

const parameters = () => new URLSearchParams(location.search);

/** What the address asks for. @param {string} name */
export const parameter = (name) => parameters().get(name);

/**
 * Keeps a choice in the address, which is all that the page remembers: a link or a bookmark shows
 * what was chosen, and nothing is stored in the browser.
 * @param {string} name
 * @param {string | undefined} value
 */
export function setParameter(name, value) {
  const asked = parameters();
  if (value === undefined) asked.delete(name);
  else asked.set(name, value);
  const query = String(asked).replace(/=(?=&|$)/g, '');
  history.replaceState(null, '', location.pathname + (query && `?${query}`) + location.hash);
}

/** @param {() => void} changed told when what the page says has to be said anew */
export function wirePreferences(changed) {
  const root = document.documentElement;
  const languages = document.querySelectorAll('[data-language]');
  const theme = byId('theme', HTMLButtonElement);
  const screen = byId('screen', HTMLButtonElement);
  const systemDark = matchMedia('(prefers-color-scheme: dark)');

  function apply() {
    const language = languageOf(parameter('lang') ?? navigator.language);
    setLanguage(language);
    for (const button of languages) {
      const chosen = button.getAttribute('data-language') === language;
      button.setAttribute('aria-pressed', String(chosen));
    }
    const chosen = parameter('theme');
    const dark = chosen === 'dark' || (chosen !== 'light' && systemDark.matches);
    root.dataset['theme'] = dark ? 'dark' : 'light';
    theme.setAttribute('aria-pressed', String(dark));
    const large = parameter('screen') !== null;
    root.classList.toggle('screen', large);
    screen.setAttribute('aria-pressed', String(large));
    changed();
  }

  for (const button of languages) {
    button.addEventListener('click', () => {
      setParameter('lang', button.getAttribute('data-language') ?? undefined);
      apply();
    });
  }
  theme.addEventListener('click', () => {
    setParameter('theme', root.dataset['theme'] === 'dark' ? 'light' : 'dark');
    apply();
  });
  screen.addEventListener('click', () => {
    setParameter('screen', parameter('screen') === null ? '' : undefined);
    apply();
  });
  systemDark.addEventListener('change', apply);
  addEventListener('popstate', apply);
  apply();
}
