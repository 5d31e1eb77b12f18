import { describe, expect, test } from 'vitest';
import { type Sentence, sentenceOf } from './sentence.ts';
import { SENTENCES, type SentenceName, worded } from './sentences.ts';
import { SPANISH_SENTENCES } from './sentences-es.ts';

const textsOf = (sentence: Sentence): string[] =>
  typeof sentence === 'string' ? [sentence] : [sentence.one, sentence.other];

const namesIn = (sentence: Sentence): Set<string> =>
  new Set(
    textsOf(sentence).flatMap((text) =>
      Array.from(text.matchAll(/\{"?(\w+)"?\}/g), ([, name = '']) => name),
    ),
  );

/** Values that other languages have instead of the English text `why`. */
const INSTEAD_OF_WHY: ReadonlySet<string> = new Set(['times', 'columns', 'fields']);

describe('a sentence of a warning', () => {
  test.each(Object.keys(SENTENCES) as SentenceName[])(
    'names in Spanish only values that the warning has: %s',
    (name) => {
      const english = namesIn(SENTENCES[name]);
      const missing = [...namesIn(SPANISH_SENTENCES[name])].filter(
        (one) => !english.has(one) && !(english.has('why') && INSTEAD_OF_WHY.has(one)),
      );
      expect(missing).toEqual([]);
      expect(namesIn(SPANISH_SENTENCES[name])).not.toContain('why');
    },
  );

  test('has the values, the case and quotes', () => {
    expect(worded('places_disagree:alone', { count: 2, column: 'Pos "x"' })).toEqual({
      code: 'places_disagree',
      detail: 'The time of 2 rows does not fit the place in "Pos \\"x\\"" beside the other rows.',
      values: { case: 'alone', count: 2, column: 'Pos "x"' },
    });
  });

  test('chooses the text by the count, and lists names', () => {
    const values = { count: 1, words: ['Abandon', 'Out'], columns: ['Etat'] };
    const sentence = SPANISH_SENTENCES['column_not_read:remark'];
    expect(sentenceOf(sentence, values, (text) => `“${text}”`)).toBe(
      '1 fila se guarda como llegada, con una observación que no se lee: “Abandon”, “Out” en la columna “Etat”.',
    );
  });
});
