import type { Guide } from './guide.ts';

/** The file `/llms.txt` (llmstxt.org): where a program that reads documentation finds the pages. */
export const llmsText = (guides: readonly Guide[]): string =>
  [
    '# Race Results API',
    '',
    '> A REST API for organizations that run sporting events. They read events, participants, statistics and',
    '> results, and upload race results by bib as JSON or CSV.',
    '',
    'Every request needs an API key of the organization, in the header `X-API-Key` or as a bearer token. All',
    'public paths start with `/public/v1`. Errors are `{detail, code}`: branch on `code`.',
    '',
    '## Guides',
    '',
    ...guides.map(({ slug, title, about }) => `- [${title}](/docs/${slug}.md): ${about}`),
    '',
    '## Reference',
    '',
    '- [reference.md](/docs/reference.md): every operation, with samples in four languages',
    '- [openapi.json](/openapi.json): every operation, as OpenAPI 3.1',
    '',
  ].join('\n');
