/**
 * The console for /openapi.json. The options turn off all requests to other hosts, and the page's policy
 * forbids them too. A pasted key stays in the memory of this page.
 */
const place = document.querySelector('#console');

if (place instanceof HTMLElement) {
  const [{ createApiReference }, answer] = await Promise.all([
    import(String(place.dataset['scalar'])),
    fetch('/openapi.json'),
  ]);
  const document = withoutExamples(await answer.json());
  place.replaceChildren();
  createApiReference(place, {
    content: document,
    authentication: { preferredSecurityScheme: 'headerKey' },
    persistAuth: false,
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    defaultOpenAllTags: true,
    hideDarkModeToggle: true,
    documentDownloadType: 'direct',
  });
}

/**
 * A test request must not begin with an id that exists nowhere, nor with an Idempotency-Key: the second
 * request with another body would be refused.
 * @param {{ paths: Record<string, Record<string, { parameters?: Parameter[] }>> }} document
 * @typedef {{ in: string, name: string, example?: unknown, schema?: { examples?: unknown } }} Parameter
 */
function withoutExamples(document) {
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) {
        if (parameter.in !== 'path' && parameter.name !== 'Idempotency-Key') continue;
        delete parameter.example;
        delete parameter.schema?.examples;
      }
    }
  }
  return document;
}

export {};
