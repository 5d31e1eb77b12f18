/**
 * The interactive reference of /openapi.json. The options turn off all requests to other hosts, and the
 * page's policy forbids them too. A pasted key stays in the memory of this page.
 */
const reference = document.querySelector('#reference');

if (reference instanceof HTMLElement) {
  const [{ createApiReference }, answer] = await Promise.all([
    import(String(reference.dataset['scalar'])),
    fetch('/openapi.json'),
  ]);
  createApiReference(reference, {
    content: withoutExampleIds(await answer.json()),
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
 * A test request must not begin with an id that exists nowhere: the reader fills in a real one.
 * @param {{ paths: Record<string, Record<string, { parameters?: Parameter[] }>> }} document
 * @typedef {{ in: string, example?: unknown, schema?: { examples?: unknown } }} Parameter
 */
function withoutExampleIds(document) {
  for (const operations of Object.values(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters.filter((one) => one.in === 'path')) {
        delete parameter.example;
        delete parameter.schema?.examples;
      }
    }
  }
  return document;
}

export {};
