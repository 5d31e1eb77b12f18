import { byId } from '../shared/dom.ts';
import { inTab } from '../shared/storage.ts';

/** The page shows only the start of a secret. */
const SHOWN = 12;

// The samples show the host of the page and the values typed by the reader. The values stay in this tab.
fill('api', location.origin);
document.querySelector('#samples')?.addEventListener('submit', (event) => event.preventDefault());
for (const input of document.querySelectorAll('#samples input')) {
  if (input instanceof HTMLInputElement) wireField(input);
}

function wireField(input: HTMLInputElement) {
  const apply = () => {
    const value = input.value.trim();
    const isWrong = !input.checkValidity();
    const taken = isWrong || value === '' ? undefined : value;
    inTab((tab) => (taken ? tab.setItem(input.id, taken) : tab.removeItem(input.id)));
    byId(`${input.id}-hint`, HTMLElement).textContent = isWrong ? input.title : '';
    input.setAttribute('aria-invalid', String(isWrong));
    fill(input.name, taken, input.type === 'password' ? `${value.slice(0, SHOWN)}…` : value);
  };
  input.value = inTab((tab) => tab.getItem(input.id)) ?? '';
  input.addEventListener('input', apply);
  apply();
}

/**
 * Puts a value into the samples, or restores the original text.
 * @param value the copied text
 */
function fill(sample: string, value: string | undefined, shown = value) {
  for (const element of document.querySelectorAll(`[data-sample="${sample}"]`)) {
    if (!(element instanceof HTMLElement)) continue;
    element.dataset['written'] ??= element.textContent ?? '';
    if (value === undefined) delete element.dataset['value'];
    else element.dataset['value'] = value;
    element.textContent = (value && shown) ?? element.dataset['written'];
  }
}
