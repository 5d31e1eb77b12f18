import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RETRY_SECONDS = 10;

/** The heading and the text of each page, by language. The Worker asks for a page by these names. */
const PAGES = {
  en: {
    missing: ['There is no page at this address', 'The address may be incomplete or out of date.'],
    'no-board': [
      'There is no board at this address',
      'The link may be incomplete, or the organization has closed the board.',
    ],
    failed: ['Something broke on our side', 'Try again in a moment.'],
    unavailable: ['The server does not answer', 'This page tries again every 10 seconds.'],
  },
  es: {
    missing: [
      'No hay ninguna página en esta dirección',
      'La dirección puede estar incompleta o ser antigua.',
    ],
    'no-board': [
      'No hay ningún tablero en esta dirección',
      'El enlace puede estar incompleto, o la organización ha cerrado el tablero.',
    ],
    failed: ['Algo ha fallado de nuestro lado', 'Vuelve a intentarlo en un momento.'],
    unavailable: ['El servidor no responde', 'Esta página lo vuelve a intentar cada 10 segundos.'],
  },
} as const;

const DOCUMENTATION = { en: 'Documentation of the API', es: 'Documentación de la API' };

type Language = keyof typeof PAGES;

/** Writes the pages for people in place of an error in JSON: `pages/<language>/<name>.html`. */
export function buildErrorPages(site: string): void {
  for (const language of ['en', 'es'] as const) {
    const folder = join(site, 'pages', language);
    mkdirSync(folder, { recursive: true });
    for (const [name, [title, text]] of Object.entries(PAGES[language])) {
      writeFileSync(join(folder, `${name}.html`), errorPage(language, name, title, text));
    }
  }
}

function errorPage(language: Language, name: string, title: string, text: string): string {
  const refresh = `\n    <meta http-equiv="refresh" content="${RETRY_SECONDS}">`;
  const documentation = `\n      <p><a href="/docs">${DOCUMENTATION[language]}</a></p>`;
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">${name === 'unavailable' ? refresh : ''}
    <title>${title}</title>
    <link rel="icon" href="/favicon.ico">
    <link rel="stylesheet" href="/shared/message.css">
  </head>
  <body>
    <main class="card empty">
      <h1>${title}</h1>
      <p class="soft">${text}</p>${name === 'missing' ? documentation : ''}
    </main>
  </body>
</html>
`;
}
