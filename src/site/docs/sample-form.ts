/** The values of samples that the reader types once. Only these forms are accepted: samples are pasted into a shell. */
const FIELDS = [
  {
    sample: 'key',
    label: 'Your API key',
    type: 'password',
    form: 'er_live_[0-9A-Za-z]{38}',
    hint: 'A key has er_live_ and 38 letters and digits.',
  },
  {
    sample: 'event',
    label: 'Your event’s id',
    type: 'text',
    form: '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}',
    hint: 'An id looks like 123e4567-e89b-12d3-a456-426614174000.',
  },
];

/** A form for the values that the samples of a page have. Empty if its samples need none. */
export function sampleForm(html: string): string {
  const fields = FIELDS.filter(({ sample }) => html.includes(`data-sample="${sample}"`)).map(
    ({ sample, label, type, form, hint }) => `<div><label for="sample-${sample}">${label}</label>
        <input id="sample-${sample}" name="${sample}" class="input" type="${type}" pattern="\\s*${form}\\s*" title="${hint}" autocomplete="off" spellcheck="false" aria-describedby="sample-${sample}-hint">
        <p id="sample-${sample}-hint" class="problem"></p></div>`,
  );
  if (fields.length === 0) return '';
  return `<form id="samples" class="card samples" autocomplete="off">
        <p>Type these once: the samples of all pages then have them. They stay in this tab and are not sent.</p>
        ${fields.join('\n        ')}
      </form>\n`;
}
