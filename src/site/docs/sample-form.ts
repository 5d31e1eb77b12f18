import type { Language } from './page.ts';

/** The values of samples, typed once by the reader. Only these forms are accepted: samples are pasted into a shell. */
const FIELDS = [
  {
    sample: 'key',
    label: { en: 'Your API key', es: 'Tu clave de API' },
    type: 'password',
    form: 'er_live_[0-9A-Za-z]{38}',
    hint: {
      en: 'A key has er_live_ and 38 letters and digits.',
      es: 'Una clave tiene er_live_ y 38 letras y cifras.',
    },
  },
  {
    sample: 'event',
    label: { en: 'Your event’s id', es: 'El id de tu evento' },
    type: 'text',
    form: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
    hint: {
      en: 'An id looks like 123e4567-e89b-12d3-a456-426614174000.',
      es: 'Un id se parece a 123e4567-e89b-12d3-a456-426614174000.',
    },
  },
];

const ABOUT = {
  en: 'Type these once: the samples of all pages then have them. They stay in this tab and are not sent.',
  es: 'Escribe esto una vez: lo tendrán los ejemplos de todas las páginas. Se queda en esta pestaña y no se envía.',
};

/** A form for the values in the samples of a page. Empty without such values. */
export function sampleForm(html: string, lang: Language): string {
  const fields = FIELDS.filter(({ sample }) => html.includes(`data-sample="${sample}"`)).map(
    ({
      sample,
      label,
      type,
      form,
      hint,
    }) => `<div><label for="sample-${sample}">${label[lang]}</label>
        <input id="sample-${sample}" name="${sample}" class="input" type="${type}" pattern="\\s*${form}\\s*" title="${hint[lang]}" autocomplete="off" spellcheck="false" aria-describedby="sample-${sample}-hint">
        <p id="sample-${sample}-hint" class="problem"></p></div>`,
  );
  if (fields.length === 0) return '';
  return `<form id="samples" class="card samples" autocomplete="off">
        <p>${ABOUT[lang]}</p>
        ${fields.join('\n        ')}
      </form>\n`;
}
