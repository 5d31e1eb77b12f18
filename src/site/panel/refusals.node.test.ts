import { expect, test } from 'vitest';
import { sentenceOf } from '../../timing-files/judge/sentence.ts';
import { FileError } from '../../timing-files/read/file-error.ts';
import { tooManyKeys } from '../../worker/api-keys/routes.ts';
import { impossibleShift } from '../../worker/course/endpoints.ts';
import type { ApiError } from '../../worker/errors.ts';
import { noRunnerWith } from '../../worker/http/validation.ts';
import { tooManyPoints } from '../../worker/passings/batch.ts';
import { noResults, tooManyVersions } from '../../worker/results/official/routes.ts';
import SENTENCES from './public/panel/texts/sentences-es.ts';

type Values = Record<string, string | number | string[]>;

const inSpanish = (name: string, values: object = {}) => {
  const sentence = new Map(Object.entries(SENTENCES)).get(name);
  return sentence && sentenceOf(sentence, values as Values, (text) => `“${text}”`);
};

test.each<[ApiError, string, string]>([
  [
    tooManyKeys(),
    '',
    'La organización tiene 100 claves activas, el máximo. Revoca una que no se use.',
  ],
  [tooManyVersions(), '', 'La carrera ya tiene 20 versiones oficiales, el máximo.'],
  [noResults(), '', 'La carrera no tiene resultados: no hay nada que hacer oficial.'],
  [tooManyPoints(), '', 'El evento tendría más de 1000 puntos. Escribe el nombre de un punto.'],
  [noRunnerWith('99'), '', 'Ningún corredor de esta carrera tiene el dorsal 99.'],
  [
    impossibleShift(['7', '8']),
    ':times',
    'Nada se ha movido: los tiempos de estos dorsales serían cero o menos, o el de pistola menor que el de chip: 7, 8.',
  ],
])('says $message in Spanish', ({ refusal, values }, of, sentence) => {
  expect(inSpanish(`${refusal}${of}`, values)).toBe(sentence);
});

test('says why a file is refused without the flags of the command', () => {
  const { said } = FileError.of('header_line_beyond', { line: 9 });
  expect(inSpanish(`file_refused:${said.case}`, said)).toBe(
    'header_line es 9, pero el archivo tiene menos líneas.',
  );
});
