/** The values of samples that the reader types once. */
const FIELDS = [
  { sample: 'key', label: 'Your API key', type: 'password' },
  { sample: 'event', label: 'Your event’s id', type: 'text' },
];

/** A form for the values that the samples of a page have. Empty for a page without such samples. */
export function sampleForm(html: string): string {
  const fields = FIELDS.filter(({ sample }) => html.includes(`data-sample="${sample}"`)).map(
    ({ sample, label, type }) => `<div><label for="sample-${sample}">${label}</label>
        <input id="sample-${sample}" class="input" type="${type}" autocomplete="off" spellcheck="false" aria-describedby="sample-${sample}-hint">
        <p id="sample-${sample}-hint" class="problem"></p></div>`,
  );
  if (fields.length === 0) return '';
  return `<form id="samples" class="card samples" autocomplete="off">
        <p>Type these once: the samples of all pages then have them. They stay in this tab and are not sent.</p>
        ${fields.join('\n        ')}
      </form>\n`;
}
