// All samples of a page have a common language. The page remembers the language.

const root = document.documentElement;
const tabs = [...document.querySelectorAll('.tabs input')].filter(
  (tab) => tab instanceof HTMLInputElement,
);

function choose(language: string) {
  root.dataset['language'] = language;
  for (const tab of tabs) tab.checked = tab.value === language;
}

for (const tab of tabs) {
  tab.addEventListener('change', () => {
    const before = tab.getBoundingClientRect().top;
    choose(tab.value);
    localStorage.setItem('language', tab.value);
    // The samples above have new heights now. The sample before the reader's eyes stays in place.
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
choose(root.dataset['language'] ?? 'sh');

export {};
