/** The words of the scripts, and the index of the search, by language. */
const WORDS = {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    copyByHand: 'Press Ctrl+C',
    nothingFound: 'No page has',
    notLoaded: 'The search did not load. Try again.',
    index: '/docs/search.json',
  },
  es: {
    copy: 'Copiar',
    copied: 'Copiado',
    copyByHand: 'Pulsa Ctrl+C',
    nothingFound: 'Ninguna página tiene',
    notLoaded: 'La búsqueda no se ha cargado. Inténtalo otra vez.',
    index: '/docs/es/search.json',
  },
};

export const isSpanish = document.documentElement.lang === 'es';
export const texts = WORDS[isSpanish ? 'es' : 'en'];
