import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CODES, type Language } from '../../timing-files/write/languages.ts';

const RETRY_SECONDS = 10;

type Name = 'missing' | 'no-board' | 'failed' | 'unavailable';
type ErrorPage = readonly [title: string, why: string, next: readonly string[]];

/** The heading of each page, the reason, and what the reader can do. The Worker asks for a page by these names. */
const PAGES: Record<Language, Record<Name, ErrorPage>> = {
  en: {
    missing: [
      'There is no page at this address',
      'The address may be incomplete or out of date.',
      [
        'Compare the address with the link you received: each character counts.',
        'Ask the sender of the link for a new link.',
        'If you write a program, the <a href="/docs">documentation</a> has each address of the API.',
      ],
    ],
    'no-board': [
      'There is no board at this address',
      'The address may be wrong, or the organizer has not opened the results yet.',
      [
        'Compare the address with the poster: a short address has eight characters, without O, I, L, 0 and 1.',
        'Before the race, open the address again later.',
        'Ask the organizer for the link to the results.',
      ],
    ],
    failed: [
      'Something broke on our side',
      'The page could not be made. Nothing is lost.',
      ['Load the page again in a moment.', 'Tell the organizer if the page stays away.'],
    ],
    unavailable: [
      'The server does not answer',
      'Many people may be looking at once.',
      [`Wait: this page tries again every ${RETRY_SECONDS} seconds.`],
    ],
  },
  es: {
    missing: [
      'No hay ninguna página en esta dirección',
      'La dirección puede estar incompleta o ser antigua.',
      [
        'Compara la dirección con el enlace que has recibido: cada carácter cuenta.',
        'Pide un enlace nuevo a quien te lo envió.',
        'Si escribes un programa, la <a href="/docs" hreflang="en">documentación</a> tiene cada dirección de la API.',
      ],
    ],
    'no-board': [
      'No hay ningún tablero en esta dirección',
      'La dirección puede ser errónea, o la organización aún no ha abierto los resultados.',
      [
        'Compara la dirección con el cartel: una dirección corta tiene ocho caracteres, sin O, I, L, 0 ni 1.',
        'Antes de la carrera, abre la dirección de nuevo más tarde.',
        'Pide a la organización el enlace a los resultados.',
      ],
    ],
    failed: [
      'Algo ha fallado de nuestro lado',
      'La página no se ha podido crear. No se ha perdido nada.',
      [
        'Vuelve a cargar la página en un momento.',
        'Avisa a la organización si la página no vuelve.',
      ],
    ],
    unavailable: [
      'El servidor no responde',
      'Puede que muchas personas miren a la vez.',
      [`Espera: esta página lo vuelve a intentar cada ${RETRY_SECONDS} segundos.`],
    ],
  },
};

const NEXT: Record<Language, string> = { en: 'What you can do', es: 'Qué puedes hacer' };

/** Writes the pages for people in place of an error in JSON: `pages/<language>/<name>.html`. */
export function buildErrorPages(site: string): void {
  for (const language of CODES) {
    const folder = join(site, 'pages', language);
    mkdirSync(folder, { recursive: true });
    for (const [name, page] of Object.entries(PAGES[language])) {
      writeFileSync(join(folder, `${name}.html`), errorPage(language, name, page));
    }
  }
}

function errorPage(language: Language, name: string, [title, why, next]: ErrorPage): string {
  const refresh = `\n    <meta http-equiv="refresh" content="${RETRY_SECONDS}">`;
  const steps = next.map((step) => `\n        <li>${step}</li>`).join('');
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">${name === 'unavailable' ? refresh : ''}
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/shared/message.css">
  </head>
  <body>
    <main>
      <p class="brand strong row"><img src="/favicon.svg" alt="" width="32" height="32">Race Results</p>
      <svg viewBox="0 0 1000 120" aria-hidden="true"><path d="M20 90C180 90 200 24 340 24s120 60 220 70"/><path class="lost" d="M620 98c150 4 170-60 360-60"/><circle cx="20" cy="90" r="15"/><circle class="point" cx="340" cy="24" r="12"/><circle class="end" cx="980" cy="38" r="15"/></svg>
      <h1>${title}</h1>
      <p class="soft">${why}</p>
      <h2>${NEXT[language]}</h2>
      <ul>${steps}
      </ul>
    </main>
  </body>
</html>
`;
}
