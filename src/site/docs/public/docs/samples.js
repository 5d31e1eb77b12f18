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
  for (const place of placesOf('api')) fill(place, location.origin, location.origin);
  document.querySelector('#samples')?.addEventListener('submit', (event) => event.preventDefault());
  for (const field of FIELDS) wireField(field);
}

/** @param {(typeof FIELDS)[number]} field */
function wireField({ sample, form, hint, shown }) {
  const input = document.querySelector(`#sample-${sample}`);
  const problem = document.querySelector(`#sample-${sample}-hint`);
  if (!(input instanceof HTMLInputElement) || !problem) return;
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

/**
 * Works with the storage of the tab. A browser may forbid it: then the reader types the values on every page.
 * @param {(tab: Storage) => void} work
 */
function storage(work) {
  try {
    work(sessionStorage);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** @param {string} sample */
function kept(sample) {
  let value = '';
  storage((tab) => {
    value = tab.getItem(`sample-${sample}`) ?? '';
  });
  return value;
}

/** @param {string} sample @param {string} value */
const keep = (sample, value) =>
  storage((tab) => {
    if (value) tab.setItem(`sample-${sample}`, value);
    else tab.removeItem(`sample-${sample}`);
  });
