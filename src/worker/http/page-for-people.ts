const TEXTS = {
  en: {
    missing: ['There is no page at this address', 'The address may be incomplete or out of date.'],
    noBoard: [
      'There is no board at this address',
      'The link may be incomplete, or the organization has closed the board.',
    ],
    failing: ['The server does not answer', 'This page tries again every 10 seconds.'],
    documentation: 'Documentation of the API',
  },
  es: {
    missing: [
      'No hay ninguna página en esta dirección',
      'La dirección puede estar incompleta o ser antigua.',
    ],
    noBoard: [
      'No hay ningún tablero en esta dirección',
      'El enlace puede estar incompleto, o la organización ha cerrado el tablero.',
    ],
    failing: ['El servidor no responde', 'Esta página lo vuelve a intentar cada 10 segundos.'],
    documentation: 'Documentación de la API',
  },
} as const;

const RETRY_SECONDS = 10;

/** Operations of the API answer JSON to browsers too. */
const OPERATION = /^\/(public|api|healthz)(\/|$)/;

/**
 * Replaces an error in JSON by a page, for a browser that asks for one. Everybody else gets the JSON. The
 * default entrypoint does this, and not the app, because the cache of boards does not know who asks.
 */
export function forPeople(request: Request, response: Response): Response {
  const { status } = response;
  if (status !== 404 && status !== 503) return response;
  const { pathname } = new URL(request.url);
  if (!request.headers.get('Accept')?.includes('text/html') || OPERATION.test(pathname)) {
    return response;
  }
  const headers = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'Cache-Control': 'private, no-store',
    Vary: 'Accept, Accept-Language',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
  });
  if (status === 503) headers.set('Refresh', String(RETRY_SECONDS));
  const language = /^\s*es\b/i.test(request.headers.get('Accept-Language') ?? '') ? 'es' : 'en';
  const isBoard = /^\/board(\/|$)/.test(pathname);
  const kind = status === 503 ? 'failing' : isBoard ? 'noBoard' : 'missing';
  return new Response(page(language, kind), { status, headers });
}

function page(language: keyof typeof TEXTS, kind: 'missing' | 'noBoard' | 'failing'): string {
  const texts = TEXTS[language];
  const [title, text] = texts[kind];
  const documentation = `<p><a href="/docs">${texts.documentation}</a></p>`;
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="/favicon.ico">
    <link rel="stylesheet" href="/shared/colours.css">
    <link rel="stylesheet" href="/shared/message.css">
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>${text}</p>
      ${kind === 'missing' ? documentation : ''}
    </main>
  </body>
</html>
`;
}
