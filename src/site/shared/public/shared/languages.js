/** @typedef {'en' | 'es'} Language */

/** @param {string} code `es…` selects Spanish, any other code English @returns {Language} */
export const languageOf = (code) => (code.toLowerCase().startsWith('es') ? 'es' : 'en');

/** The locale of numbers and dates: the reader's own, if it has the language. @param {Language} language */
export const localeOf = (language) =>
  navigator.languages.find((known) => known.split('-')[0] === language) ?? language;

/**
 * Writes the texts that the HTML names: `data-text` is a content, `data-label` the name of a control and
 * `data-placeholder` the hint in a field. Marks the button of the language.
 * @param {Language} language
 * @param {Record<string, unknown>} texts
 */
export function showTexts(language, texts) {
  document.documentElement.lang = language;
  writeTexts(document, texts);
  for (const button of document.querySelectorAll('[data-language]')) {
    const isChosen = button.getAttribute('data-language') === language;
    button.setAttribute('aria-pressed', String(isChosen));
  }
}

/**
 * Writes the texts within a part of the page.
 * @param {ParentNode} within
 * @param {Record<string, unknown>} texts
 */
export function writeTexts(within, texts) {
  for (const [place, text] of named('data-text')) place.textContent = text;
  for (const [place, text] of named('data-placeholder')) place.setAttribute('placeholder', text);
  for (const [place, text] of named('data-label')) {
    place.setAttribute('aria-label', text);
    if (place instanceof HTMLButtonElement) place.title = text;
  }

  /** @param {string} attribute @returns {[Element, string][]} */
  function named(attribute) {
    return [...within.querySelectorAll(`[${attribute}]`)].map((place) => {
      const name = place.getAttribute(attribute) ?? '';
      const text = texts[name];
      if (typeof text !== 'string') throw new Error(`No text is named ${name}.`);
      return [place, text];
    });
  }
}
