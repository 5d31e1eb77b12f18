// A script without a module, which runs before the page has samples: samples start in the reader's last language.

document.documentElement.dataset['language'] = localStorage.getItem('language') ?? 'sh';
