import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { CODES } from '../../timing-files/write/languages.ts';
import { createText } from './public/shared/texts.ts';

const Forms = z.strictObject({ one: z.string().min(1), other: z.string().min(1) });
const Texts = z.record(z.string(), z.union([z.string().min(1), Forms]));
type Texts = z.infer<typeof Texts>;

const SITE = join(import.meta.dirname, '..');

/** The folders with a file of texts for each language. */
const FOLDERS = [
  ...new Set(globSync(`*/public/**/{${CODES.join()}}.json`, { cwd: SITE }).map(dirname)),
];

/** The texts of a folder by language. */
const textsIn = (folder: string): [string, Texts][] =>
  globSync('*.json', { cwd: join(SITE, folder) }).map((file) => [
    basename(file, '.json'),
    Texts.parse(JSON.parse(readFileSync(join(SITE, folder, file), 'utf8'))),
  ]);

const sourcesIn = (folder: string, kinds: string) => {
  const cwd = join(SITE, folder.replace(/(?<=\/public)\/.*/, ''));
  return globSync(`**/*.${kinds}`, { cwd })
    .map((source) => readFileSync(join(cwd, source), 'utf8'))
    .join('\n');
};

const valuesOf = (text: string | z.infer<typeof Forms> = '') =>
  [...new Set((typeof text === 'string' ? text : text.other).match(/\{\w+\}/g))].sort().join();

test('fills in values and chooses the form of a number', () => {
  const text = createText({
    en: {
      named: 'Bib {bib} of {bib}, {name}',
      counted: { one: '1 result', other: '{count} results' },
    },
    es: { named: 'Dorsal {bib}, {name}', counted: '{count}', unknown: 'x' },
  });
  expect(text('named', { bib: '$&7', name: '{bib}' })).toBe('Bib $&7 of $&7, {bib}');
  expect(text('counted', { count: 1 })).toBe('1 result');
  expect(text('counted', { count: 0 })).toBe('0 results');
  expect(text('counted', { count: 12_000 })).toBe('12,000 results');
  expect(() => text('named', { bib: '7' })).toThrow('lacks name');
  // @ts-expect-error A language lacks the text.
  expect(() => text('unknown')).toThrow('No text is named unknown');
});

test.each(FOLDERS)('has a file of texts for each language (%s)', (folder) => {
  expect(
    textsIn(folder)
      .map(([language]) => language)
      .sort(),
  ).toEqual([...CODES].sort());
});

test.each(FOLDERS)('has the same texts and values in all languages (%s)', (folder) => {
  const [[, first], ...others] = [...textsIn(folder)] as [[string, Texts], ...[string, Texts][]];
  const different = others.flatMap(([language, texts]) =>
    [...new Set([...Object.keys(first), ...Object.keys(texts)])]
      .filter(
        (name) =>
          !(name in texts && name in first) || valuesOf(texts[name]) !== valuesOf(first[name]),
      )
      .map((name) => `${language}: ${name}`),
  );
  expect(different).toEqual([]);
});

/** The names of texts that are equal in two languages. A text of values alone needs no translation. */
const EQUAL = ['copyKm', 'downloadCsv', 'downloadXlsx', 'worth.provisional'];

test('has no text that nobody translated, except for a few names', () => {
  const equal = FOLDERS.flatMap((folder) => {
    const all = textsIn(folder);
    const english = Object.fromEntries(all)['en'] ?? {};
    return all
      .filter(([language]) => language !== 'en')
      .flatMap(([, texts]) =>
        Object.keys(texts).filter((name) => isEqual(texts[name], english[name])),
      );
  });
  expect([...new Set(equal)].sort()).toEqual(EQUAL);
});

/** Whether a form with letters of its own is equal. */
function isEqual(text: Texts[string] | undefined, english: Texts[string] | undefined): boolean {
  const [forms, known] = [text, english].map((one) =>
    typeof one === 'object' ? Object.values(one) : [one ?? ''],
  );
  return (
    forms?.some((form) => /\p{L}/u.test(form.replace(/\{\w+\}/g, '')) && known?.includes(form)) ??
    false
  );
}

test('has each text of the panel in one file of a language', () => {
  const names = FOLDERS.filter((folder) => folder.startsWith('panel/')).flatMap((folder) =>
    textsIn(folder).flatMap(([language, texts]) =>
      Object.keys(texts).map((name) => `${language}: ${name}`),
    ),
  );
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
});

test.each(FOLDERS)('has no text that nobody says (%s)', (folder) => {
  const sources = sourcesIn(folder, '{ts,tsx,html}');
  // A name such as `status.DNF` is written `status.${status}`.
  const unsaid = textsIn(folder).flatMap(([, texts]) =>
    Object.keys(texts).filter(
      (name) =>
        !['"', "'"].some((quote) => sources.includes(quote + name + quote)) &&
        !sources.includes(`\`${name.replace(/\..*$/, '.')}\${`),
    ),
  );
  expect(unsaid).toEqual([]);
});
