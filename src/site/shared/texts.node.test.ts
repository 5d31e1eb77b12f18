import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createText } from './public/shared/texts.js';

const Form = z.tuple([z.string().min(1), z.string().min(1)]);
const Texts = z.record(z.string(), z.union([Form, z.strictObject({ one: Form, other: Form })]));

const SITE = join(import.meta.dirname, '..');
const FILES = globSync('*/public/**/texts.json', { cwd: SITE });

const textsIn = (file: string) => Texts.parse(JSON.parse(readFileSync(join(SITE, file), 'utf8')));
const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort().join();

test('fills in values and chooses the form of a number', () => {
  const text = createText({
    named: ['Bib {bib} of {bib}, {name}', 'Dorsal {bib}'],
    counted: { one: ['1 result', '1 resultado'], other: ['{count} results', '{count} resultados'] },
  });
  expect(text('named', { bib: '$&7', name: '{bib}' })).toBe('Bib $&7 of $&7, {bib}');
  expect(text('counted', { count: 1 })).toBe('1 result');
  expect(text('counted', { count: 0 })).toBe('0 results');
  expect(text('counted', { count: 12_000 })).toBe('12,000 results');
  expect(() => text('named', { bib: '7' })).toThrow('lacks name');
});

test.each(FILES)('has the same values in both languages (%s)', (file) => {
  const different = Object.entries(textsIn(file)).filter(([, text]) => {
    const forms = Array.isArray(text) ? [text] : [text.other];
    return forms.some(([english, spanish]) => namesIn(english) !== namesIn(spanish));
  });
  expect(different).toEqual([]);
});

test.each(FILES)('has no text that nobody says (%s)', (file) => {
  const folder = join(SITE, file, '../..');
  const sources = globSync('**/*.{js,ts,html}', { cwd: folder })
    .map((source) => readFileSync(join(folder, source), 'utf8'))
    .join('\n');
  // A name such as `status.DNF` is written `status.${status}`.
  const unsaid = Object.keys(textsIn(file)).filter(
    (name) =>
      !['"', "'"].some((quote) => sources.includes(quote + name + quote)) &&
      !sources.includes(`\`${name.replace(/\..*$/, '.')}\${`),
  );
  expect(unsaid).toEqual([]);
});
