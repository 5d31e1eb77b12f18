// A script without a module, which runs as soon as it is read: the samples behind it are shown in the language
// that the reader chose last.

const NAME = 'language';

for (const radio of document.querySelectorAll(`input[name="${NAME}"]`)) {
  if (!(radio instanceof HTMLInputElement)) continue;
  radio.checked ||= localStorage.getItem(NAME) === radio.value;
  radio.addEventListener('change', () => localStorage.setItem(NAME, radio.value));
}
