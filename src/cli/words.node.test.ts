import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { worded } from '../timing-files/judge/sentences.ts';
import { FILE_FAULTS } from '../timing-files/read/file-faults.ts';
import ENGLISH from './texts/en.json' with { type: 'json' };
import { named, say, TEXTS, useLanguageOf, warned } from './words.ts';

afterEach(() => useLanguageOf({ LANG: 'C' }));

const names = (text: string) => [...new Set(text.match(/\{\w+(:\w+)?\}/g))].sort();

/** Details, reasons and faults are the API's own sentences in English. */
const isOfApi = (key: string) => /^(detail|reason|fault)_/.test(key);

test('speaks the language of the computer', () => {
  const spoken = (env: Record<string, string>) => {
    useLanguageOf(env);
    return say('rows', { count: 2 });
  };
  expect(spoken({ LANG: 'es_ES.UTF-8' })).toBe('2 filas');
  expect(spoken({ LC_ALL: 'en_US.UTF-8', LANG: 'es_ES.UTF-8' })).toBe('2 rows');
  expect(spoken({ LC_MESSAGES: 'es' })).toBe('2 filas');
  expect(spoken({ LANG: 'ES@euro' })).toBe('2 filas');
  expect(spoken({ LANG: 'est_EE' })).toBe('2 rows');
});

test('speaks each language that has a file of texts', () => {
  const files = globSync('*.json', { cwd: join(import.meta.dirname, 'texts') });
  expect(files.map((file) => file.replace('.json', '')).sort()).toEqual(Object.keys(TEXTS));
});

test('has the same values in all languages', () => {
  const texts = Object.entries(ENGLISH).filter(([key]) => !isOfApi(key));
  const different = Object.entries(TEXTS).map(([language, translated]) => {
    const others = new Map(Object.entries(translated));
    const own = Object.keys(ENGLISH).filter((key) => !others.has(key));
    expect(
      [
        own,
        language === 'en'
          ? []
          : [...others.keys()].filter((key) => !isOfApi(key) && !(key in ENGLISH)),
      ],
      language,
    ).toEqual([[], []]);
    return texts
      .filter(([key, text]) => names(text).join() !== names(others.get(key) ?? '').join())
      .map(([key]) => `${language}: ${key}`);
  });
  expect(different.flat()).toEqual([]);
});

test('names only values that a file with the fault has', () => {
  const wrong = Object.entries(TEXTS).map(([language, texts]) =>
    Object.entries(FILE_FAULTS).flatMap(([fault, english]) => {
      const said = new Map(Object.entries(texts)).get(`fault_${fault}`) ?? '';
      const known = ['{detail}', ...names(english)];
      return names(said).every((name) => known.includes(name)) ? [] : [`${language}: ${fault}`];
    }),
  );
  expect(wrong.flat()).toEqual([]);
});

test('has no text that nobody says', () => {
  const folder = import.meta.dirname;
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.includes('.test.'));
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  // A text may be named by a code: `reason_${code}`.
  const families = [...sources.matchAll(/`([a-z_]+_)\$\{/g)].map(([, start = '']) => start);
  const unsaid = Object.keys(ENGLISH).filter(
    (key) =>
      !/^((row|result)s|set_.*)$/.test(key) &&
      !families.some((start) => key.startsWith(start)) &&
      !sources.includes(`'${key}'`),
  );
  expect(unsaid).toEqual([]);
});

test('says a warning in Spanish to the last word, with its names and times', () => {
  const times = ['110K: 1 h 22 min'];
  const warning = { ...worded('column_not_read', { column: 'Km 5', why: 'no times' }), rows: [] };
  expect(warned(warning)).toBe(warning.detail);
  useLanguageOf({ LANG: 'es' });
  expect(warned(warning)).toContain('"Km 5"');
  expect(warned(warning)).not.toBe(warning.detail);
  expect(warned({ code: 'of_a_newer_api', detail: 'A detail.', values: { times } })).toBe(
    'A detail.',
  );
});

test('takes a value that is missing for a mistake', () => {
  expect(() => say('sent', { rows: 1 })).toThrow('sent lacks name');
});

test('names ten bibs, and counts the others', () => {
  expect(named(['1', '2'])).toBe('1, 2');
  expect(named(Array.from({ length: 13 }, (_, at) => `${at}`))).toMatch(/, 9 and 3 more$/);
});
