import { escaped } from './page.ts';

const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|${'`'}(?:\\.|[^${'`'}\\])*${'`'}`;
const WORDS =
  'const|let|await|async|new|import|from|return|if|for|of|function|export|print|echo|true|false|null|True|False|None';

/** The coloured parts of a language: comments, strings, words and numbers, in this order. */
const TOKENS: Record<string, RegExp> = {
  sh: new RegExp(
    `(?<c>(?<![^\\s])#.*)|(?<s>${STRING})|(?<k>(?<=^|[|&(]\\s*)[a-z][\\w-]*(?=\\s))|(?<n>(?<=\\s)--?[\\w-]+)`,
    'gm',
  ),
  json: new RegExp(
    `(?<k>"(?:\\\\.|[^"\\\\\\n])*"(?=\\s*:))|(?<s>${STRING})|(?<n>-?\\b\\d[\\d.]*|\\b(?:true|false|null)\\b)`,
    'g',
  ),
};
const PROGRAM = new RegExp(
  `(?<c>(?:\\/\\/|#).*)|(?<s>${STRING})|(?<k>\\b(?:${WORDS})\\b)|(?<n>\\b\\d[\\d.]*\\b)`,
  'g',
);
for (const language of ['ts', 'python', 'php']) TOKENS[language] = PROGRAM;

/**
 * Code as HTML in which each token has the class of its kind. The code gets its colours during the build of the site.
 */
export function highlight(code: string, language: string): string {
  const tokens = TOKENS[language];
  if (!tokens) return escaped(code);
  let html = '';
  let end = 0;
  for (const match of code.matchAll(tokens)) {
    const [kind, text = ''] = Object.entries(match.groups ?? {}).find(([, found]) => found) ?? [];
    if (kind === undefined) continue;
    html += `${escaped(code.slice(end, match.index))}<span class="${kind}">${escaped(text)}</span>`;
    end = match.index + text.length;
  }
  return html + escaped(code.slice(end));
}
