// All samples of a page are in one language. The page remembers it.

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
    // The samples above have other heights now. The one that the reader looks at stays where it is.
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
choose(root.dataset['language'] ?? 'sh');

export {};
