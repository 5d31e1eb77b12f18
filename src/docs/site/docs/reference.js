/**
 * The interactive reference, drawn from /openapi.json. Whatever Scalar would ask of other hosts is
 * off; the page's policy forbids it besides. A pasted key stays in this page's memory.
 */
const reference = document.querySelector('#reference');

if (reference instanceof HTMLElement) {
  const { createApiReference } = await import(String(reference.dataset['scalar']));
  createApiReference(reference, {
    url: '/openapi.json',
    authentication: { preferredSecurityScheme: 'bearerKey' },
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

export {};
