import { inTab } from '../shared/storage.js';

/**
 * The values that the reader types once for the samples of all pages. They stay in this tab. Only these forms are
 * accepted, because a reader pastes the samples into a shell.
 */
const FIELDS = [
  {
    sample: 'key',
    form: /^er_live_[0-9A-Za-z]{38}$/,
    hint: 'A key has er_live_ and 38 letters and digits.',
    shown: (/** @type {string} */ key) => `${key.slice(0, 12)}…`,
  },
  {
    sample: 'event',
    form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    hint: 'An id looks like 123e4567-e89b-12d3-a456-426614174000.',
    shown: (/** @type {string} */ id) => id,
  },
];

/** Puts the host of the page into the samples, and what the reader types. */
export function startSamples() {
  fill('api', location.origin);
  document.querySelector('#samples')?.addEventListener('submit', (event) => event.preventDefault());
  for (const field of FIELDS) wireField(field);
}

/** @param {(typeof FIELDS)[number]} field */
function wireField({ sample, form, hint, shown }) {
  const input = document.querySelector(`#sample-${sample}`);
  const problem = document.querySelector(`#sample-${sample}-hint`);
  if (!(input instanceof HTMLInputElement) || !problem) return;
  const kept = `sample-${sample}`;
  input.value = inTab((tab) => tab.getItem(kept)) ?? '';
  const apply = () => {
    const value = input.value.trim();
    const isGood = form.test(value);
    inTab((tab) => (isGood ? tab.setItem(kept, value) : tab.removeItem(kept)));
    problem.textContent = isGood || value === '' ? '' : hint;
    input.setAttribute('aria-invalid', String(!isGood && value !== ''));
    fill(sample, isGood ? value : undefined, shown(value));
  };
  input.addEventListener('input', apply);
  apply();
}

/**
 * Puts a value into the samples, or what was written there first.
 * @param {string} sample
 * @param {string | undefined} value what is copied
 * @param {string} [shown]
 */
function fill(sample, value, shown = value) {
  for (const place of document.querySelectorAll(`[data-sample="${sample}"]`)) {
    if (!(place instanceof HTMLElement)) continue;
    place.dataset['written'] ??= place.textContent ?? '';
    if (value === undefined) delete place.dataset['value'];
    else place.dataset['value'] = value;
    place.textContent = (value && shown) ?? place.dataset['written'];
  }
}
