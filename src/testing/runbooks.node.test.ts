import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isForCloudflare, isForNeon, RUNBOOKS, vendorCommandsOf } from './runbooks.ts';

const ROOT = join(import.meta.dirname, '../..');

test('finds the commands of the pages for operators', () => {
  const blocks = RUNBOOKS.flatMap((runbook) => runbook.blocks);
  expect(blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThan(30);
  expect(RUNBOOKS.flatMap(vendorCommandsOf).length).toBeGreaterThan(15);
  expect(
    RUNBOOKS.flatMap(vendorCommandsOf).filter((command) => /\|.*secret/.test(command)),
  ).toEqual([]);
});

test('has commands in blocks that a test runs alone: on the local stack, or by a stand-in of their vendor', () => {
  // The queries of the page about figures run over a table of lines.
  const languages = new Set(['sh', 'sql', 'text', 'toml']);
  const wrong = RUNBOOKS.flatMap((runbook) => [
    ...runbook.blocks.filter(({ language }) => !languages.has(language)).map(({ code }) => code),
    ...vendorCommandsOf(runbook).filter(
      (command) => !(isForCloudflare(command) || isForNeon(command)),
    ),
  ]);
  expect(wrong).toEqual([]);
});

/** The names of commands, which a sentence may say. With arguments a command stands in a block. */
const NAMES = /^(npm (run [\w:-]+|test|ci)|versions secret put|vacuum analyze)$/;
const COMMAND =
  /^(npm|npx|psql|curl|neonctl|jq|wrangler|versions|git|vacuum|select|update|insert|delete|alter|printf|rm)( |$)|^\.ci\//i;

test('has no command in a sentence but the name of one', () => {
  const spans = RUNBOOKS.flatMap((runbook) => runbook.spans).filter((span) => COMMAND.test(span));
  const { scripts }: { scripts: object } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const isThere = (span: string) => {
    const [, name] = /^npm run (\S+)/.exec(span) ?? [];
    return name === undefined || name in scripts;
  };
  const isName = (span: string) => NAMES.test(span) || /^\.ci\/\w+( production)?$/.test(span);
  expect(spans.filter((span) => !(isName(span) && isThere(span)))).toEqual([]);
  expect(spans).toContain('npm run migrate');
});
