import { element } from '../shared/dom.js';

/**
 * The values that the reader types once for the samples of all guides. They stay in this tab. Only these forms are
 * accepted, because a reader pastes the samples into a shell.
 */
const FIELDS = [
  {
    sample: 'key',
    label: 'Your API key',
    type: 'password',
    form: /^er_live_[0-9A-Za-z]{38}$/,
    hint: 'A key has er_live_ and 38 letters and digits.',
    shown: (/** @type {string} */ key) => `${key.slice(0, 12)}…`,
  },
  {
    sample: 'event',
    label: 'Your event’s id',
    type: 'text',
    form: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    hint: 'An id looks like 123e4567-e89b-12d3-a456-426614174000.',
    shown: (/** @type {string} */ id) => id,
  },
];

/** Puts the host of the page into the samples, and what the reader types. */
export function startSamples() {
  for (const place of placesOf('api')) fill(place, location.origin, location.origin);
  const fields = FIELDS.filter(({ sample }) => placesOf(sample).length > 0);
  const [first] = document.querySelectorAll('pre[data-copy]:has([data-sample])');
  if (!first || fields.length === 0) return;
  const form = element(
    'form',
    { class: 'card samples', autocomplete: 'off' },
    element(
      'p',
      {},
      'Type these once: the samples of all guides then have them. They stay in this tab and are not sent.',
    ),
    ...fields.map(fieldOf),
  );
  form.addEventListener('submit', (event) => event.preventDefault());
  const place = document.querySelector('#samples, main > h1 ~ p') ?? first;
  place.after(form);
}

/** @param {(typeof FIELDS)[number]} field */
function fieldOf({ sample, label, type, form, hint, shown }) {
  const input = element('input', {
    id: `sample-${sample}`,
    class: 'input',
    type,
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': `sample-${sample}-hint`,
  });
  const problem = element('p', { id: `sample-${sample}-hint`, class: 'problem' });
  input.value = kept(sample);
  const apply = () => {
    const value = input.value.trim();
    const isGood = form.test(value);
    keep(sample, isGood ? value : '');
    problem.textContent = isGood || value === '' ? '' : hint;
    input.setAttribute('aria-invalid', String(!isGood && value !== ''));
    for (const place of placesOf(sample)) {
      if (isGood) fill(place, value, shown(value));
      else restore(place);
    }
  };
  input.addEventListener('input', apply);
  apply();
  return element('div', {}, element('label', { for: input.id }, label), input, problem);
}

/** @param {string} sample */
const placesOf = (sample) =>
  [...document.querySelectorAll(`[data-sample="${sample}"]`)].filter(
    (place) => place instanceof HTMLElement,
  );

/** @param {HTMLElement} place @param {string} value what is copied @param {string} shown */
function fill(place, value, shown) {
  place.dataset['written'] ??= place.textContent ?? '';
  place.dataset['value'] = value;
  place.textContent = shown;
}

/** @param {HTMLElement} place */
function restore(place) {
  const { written } = place.dataset;
  if (written === undefined) return;
  delete place.dataset['value'];
  place.textContent = written;
}

/** @param {string} sample */
function kept(sample) {
  try {
    return sessionStorage.getItem(`sample-${sample}`) ?? '';
  } catch {
    // The browser forbids storage: the reader types it on every page.
    return '';
  }
}

/** @param {string} sample @param {string} value */
function keep(sample, value) {
  try {
    if (value) sessionStorage.setItem(`sample-${sample}`, value);
    else sessionStorage.removeItem(`sample-${sample}`);
  } catch {
    // The browser forbids storage: the reader types it on every page.
  }
}
