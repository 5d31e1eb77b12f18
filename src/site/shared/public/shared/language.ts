import { setLanguage } from './texts.ts';

/** Chooses the language of the page, and marks its button. @param code such as `es` or `es-MX` */
export function showLanguage(code: string) {
  const language = setLanguage(code);
  document.documentElement.lang = language;
  for (const button of document.querySelectorAll('[data-language]')) {
    const isChosen = button.getAttribute('data-language') === language;
    button.setAttribute('aria-pressed', String(isChosen));
  }
}
