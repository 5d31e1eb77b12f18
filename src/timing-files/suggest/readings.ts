import type { KnownBibs } from '../judge/judge.ts';
import type { Parameters } from '../read/parameters.ts';
import type { FileStart } from './file-start.ts';
import { type Choices, columnsRead, type Question, type QuestionedFile } from './question.ts';
import { bib } from './questions/bib.ts';
import { format } from './questions/format.ts';
import { rows } from './questions/rows.ts';
import { splits } from './questions/splits.ts';
import { status } from './questions/status.ts';
import { times } from './questions/times.ts';
import type { Read } from './reading.ts';

/** The questions about a file, in the order of answering. The first are the most important. */
export const QUESTIONS = { bib, rows, times, format, status, splits } satisfies Record<
  string,
  Question
>;

export type Dimension = keyof typeof QUESTIONS;
export const DIMENSIONS = Object.keys(QUESTIONS) as Dimension[];

/** An answer to each question. */
type Combination = {
  choices: Choices;
  /** The distance of the answers from the likeliest answers, and the number of likelier answers. */
  penalty: number;
  rank: number;
  /** The answers supported only by the lack of a better answer. */
  guesses: readonly Dimension[];
};

/** A combination, and the outcome of an upload with its parameters. */
export type Reading = Combination & Read;

const READINGS_MAX = 40;
/** Each reading looks at every sampled cell, so a wide file has fewer readings. */
const CELLS_MAX = 1_000_000;
const PENALTY_MAX = 3;

/**
 * Combines the answers to all questions, the likeliest first: the combinations of each penalty together. Each question
 * widens the list, and the likeliest combinations go on.
 * @yields after each combination
 */
export function* combinationsOf(asked: QuestionedFile): Generator<undefined, Combination[][]> {
  const cells = asked.start.rows.length * asked.start.header.length;
  const most = Math.max(4, Math.min(READINGS_MAX, Math.floor(CELLS_MAX / Math.max(cells, 1))));
  let likeliest: Combination[] = [{ choices: open(asked), penalty: 0, rank: 0, guesses: [] }];
  for (const name of DIMENSIONS) {
    const wider: Combination[] = [];
    for (const { choices, penalty, rank, guesses } of likeliest) {
      const candidates = QUESTIONS[name].candidates(choices, asked);
      for (const [at, candidate] of candidates.entries()) {
        wider.push({
          choices: { ...choices, ...candidate.value },
          penalty: penalty + candidate.penalty,
          rank: rank + at,
          guesses: candidate.isGuess ? [...guesses, name] : guesses,
        });
      }
      yield;
    }
    likeliest = wider
      .filter(({ penalty }) => penalty <= PENALTY_MAX)
      .toSorted((one, other) => one.penalty - other.penalty || one.rank - other.rank)
      .slice(0, most);
  }
  const penalties = new Set(likeliest.map(({ penalty }) => penalty));
  return [...penalties].map((penalty) => likeliest.filter((one) => one.penalty === penalty));
}

export const mayHaveBibs = (asked: QuestionedFile): boolean =>
  bib.candidates(open(asked), asked).length > 0;

/** The file with its columns, for the questions. */
export const askedOf = (start: FileStart, sent: Parameters, known: KnownBibs): QuestionedFile => ({
  start,
  columns: columnsRead(start, sent),
  sent,
  known,
});

const NO_COLUMN = {
  index: -1,
  name: '',
  ref: '',
  class: 'unknown',
  cells: [],
  known: { times: {} },
} as const;

/** No question is answered. */
const open = ({ start, columns }: QuestionedFile): Choices => ({
  bib: NO_COLUMN,
  bibFormat: 'exact',
  rows: undefined,
  table: start,
  columns,
  times: {},
  format: 'clock',
  status: { column: undefined, words: new Map(), guessed: [] },
  splits: [],
  leftOut: [],
});
