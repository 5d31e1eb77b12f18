// A script without a module, which runs before the page has samples: they are shown in the language that the
// reader chose last.

document.documentElement.dataset['language'] = localStorage.getItem('language') ?? 'sh';
