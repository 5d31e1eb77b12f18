import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, type Token, walkTokens } from 'marked';

const ROOT = join(import.meta.dirname, '../..');

/** A page for operators: its code blocks by language, and the code inside its sentences. */
type Runbook = {
  page: string;
  text: string;
  blocks: { language: string; code: string }[];
  spans: string[];
};

function readRunbook(page: string): Runbook {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks: Runbook['blocks'] = [];
  const spans: string[] = [];
  void walkTokens(lexer(text), (token: Token) => {
    if (token.type === 'code') blocks.push({ language: token['lang'] ?? '', code: token['text'] });
    if (token.type === 'codespan') spans.push(token['text']);
  });
  return { page, text, blocks, spans };
}

/** The pages of `.github/operations`. */
export const RUNBOOKS: readonly Runbook[] = globSync('.github/operations/*.md', { cwd: ROOT })
  .sort()
  .map(readRunbook);

/** The commands of a page that run unchanged. */
export const shellOf = ({ blocks }: Runbook): string[] =>
  blocks.flatMap(({ language, code }) => (language === 'sh' ? [code] : []));

/** The commands of a page for a vendor, each as a line. */
export const vendorCommandsOf = ({ blocks }: Runbook): string[] =>
  blocks.flatMap(({ language, code }) =>
    language === 'text' ? code.replaceAll(/(\||\\)\n\s*/g, '$1 ').split('\n') : [],
  );

const FIRST_WORD = /^(?:\w+=\S+ )*(\S+)/;

/** Whether the stand-in of Cloudflare runs a command. */
export const isForCloudflare = (command: string): boolean =>
  command.includes('npx wrangler ') ||
  command.includes('https://api.cloudflare.com/') ||
  /(^| )\.ci\/\w+ /.test(command);

/** Whether the stand-in of Neon runs a command. */
export const isForNeon = (command: string): boolean => FIRST_WORD.exec(command)?.[1] === 'neonctl';
