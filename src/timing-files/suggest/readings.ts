import { type Column, columnsOf, distinct, filledCells } from '../columns/column.ts';
import {
  chooseSplits,
  type LeftOut,
  timesOfPoints,
  unsureSplits,
} from '../columns/split-columns.ts';
import type { KnownBibs } from '../judge/judge.ts';
import { createJudge } from '../judge/judge.ts';
import { createMarks, type Marks } from '../judge/marks.ts';
import type { Finding } from '../judge/warning.ts';
import type { BibFormat } from '../read/bib-formats.ts';
import {
  type Columns,
  createColumnFinder,
  isNamedLike,
  meets,
  readConditions,
} from '../read/columns.ts';
import { FileError, orRefusal } from '../read/file-error.ts';
import { isPointOpen, MEANINGS, type Meaning, type Parameters } from '../read/parameters.ts';
import { RowError } from '../read/reason-codes.ts';
import { judgeRow } from '../read/result.ts';
import { toFileRow } from '../read/results-file.ts';
import { bibCandidates } from './bib-candidates.ts';
import { bibFormatOf } from './bib-evidence.ts';
import { type Candidate, sure } from './candidate.ts';
import { type FileStart, recognize } from './file-start.ts';
import { formatCandidates } from './format-candidates.ts';
import { type Choices, type Dimension, QUESTIONS } from './questions.ts';
import { type RowChoice, rowCandidates } from './row-candidates.ts';
import { statusCandidates } from './statuses.ts';
import { type TimeColumns, timeCandidates } from './time-candidates.ts';

export const DIMENSIONS = Object.keys(QUESTIONS) as Dimension[];

/** What an upload with these parameters would store, of the sampled rows. */
export type Reading = {
  choices: Choices;
  parameters: Parameters;
  /** How far its columns are from the likeliest. */
  penalty: number;
  /** What nothing speaks for but the lack of something better. */
  guesses: readonly Dimension[];
  /** The results of the sampled rows, as one text. Equal readings store the same. */
  stored: string;
  /** Sampled rows with a time. */
  timed: number;
  /** What speaks against it. */
  alarms: readonly Finding[];
  /** The columns of its rows, and those with times that are no splits. */
  columns: readonly Column[];
  leftOut: readonly LeftOut[];
};

/** A combination of candidates. */
type Combination = {
  choices: Choices;
  penalty: number;
  guesses: readonly Dimension[];
  columns: readonly Column[];
  leftOut: readonly LeftOut[];
};

const READINGS_MAX = 40;
/** Each reading looks at every sampled cell, so a wide file has fewer of them. */
const CELLS_MAX = 1_000_000;
const PENALTY_MAX = 3;

/** Combinations of the questions answered so far, the likeliest first. */
type Beam<Chosen> = readonly {
  chosen: Chosen;
  penalty: number;
  /** How many candidates were likelier. */
  rank: number;
  guesses: readonly Dimension[];
}[];

/**
 * Answers one more question. Of all combinations, the likeliest go on.
 * @yields after each combination
 */
function* widened<Chosen, More>(
  beam: Beam<Chosen>,
  most: number,
  name: Dimension,
  candidatesOf: (chosen: Chosen) => readonly Candidate<More>[],
): Generator<undefined, Beam<Chosen & More>> {
  const wider: Beam<Chosen & More>[] = [];
  for (const { chosen, penalty, rank, guesses } of beam) {
    wider.push(
      candidatesOf(chosen).map((one, at) => ({
        chosen: { ...chosen, ...one.value },
        penalty: penalty + one.penalty,
        rank: rank + at,
        guesses: one.isGuess ? [...guesses, name] : guesses,
      })),
    );
    yield;
  }
  return wider
    .flat()
    .filter(({ penalty }) => penalty <= PENALTY_MAX)
    .toSorted((one, other) => one.penalty - other.penalty || one.rank - other.rank)
    .slice(0, most);
}

const mapped = <Value, Other>(
  candidates: readonly Candidate<Value>[],
  to: (value: Value) => Other,
): Candidate<Other>[] => candidates.map((one) => ({ ...one, value: to(one.value) }));

/**
 * Combines candidates, the likeliest first: those of each penalty together.
 * @param sent parameters that a person has decided already. No reading differs from them
 */
export function* combinationsOf(
  start: FileStart,
  sent: Parameters,
  known: KnownBibs,
): Generator<undefined, Combination[][]> {
  const find = createColumnFinder(start.header);
  const all = columnsOf(start);
  const conditions = readConditions(start.header, sent.where);
  const sentColumn = (columns: readonly Column[], meaning: Meaning) => {
    const name = sent.columns[meaning];
    if (name === undefined) return impliedBy(sent.point, columns, meaning);
    return name.trim() === '' ? null : columns[find(name)[0] ?? -1];
  };
  /** The rows that are results. Rows without a bib, such as sums, are none. */
  const tableOf = (bib: Column, where: RowChoice): FileStart => {
    const rows = start.rows.filter(({ cells }) => {
      const cell = (cells[bib.index] ?? '').trim();
      const isChosen = !where || (cells[where.column.index] ?? '').trim() === where.value;
      return cell !== '' && cell !== bib.name && isChosen && meets(conditions, cells);
    });
    return rows.length === start.rows.length ? start : { ...start, rows };
  };
  const columnsIn = (table: FileStart): readonly Column[] =>
    table === start ? all : columnsOf(table);
  const bibs = (): Candidate<Column>[] => {
    const given = sentColumn(all, 'bib');
    return given ? [sure(given)] : bibCandidates(all, known);
  };
  const formatOf = (bib: Column): BibFormat =>
    sent.bibFormat === 'exact' ? bibFormatOf(bib, known) : sent.bibFormat;
  const rowsOfRunners = (bib: Column): Candidate<RowChoice>[] => {
    const columns = columnsIn(tableOf(bib, undefined));
    return sent.where.length > 0
      ? [sure(undefined)]
      : rowCandidates(columns, columns[bib.index] ?? bib, sent.point);
  };
  const timesIn = (columns: readonly Column[], others: readonly Column[]) => {
    const [chip, gun] = [sentColumn(columns, 'chipTime'), sentColumn(columns, 'gunTime')];
    const times: Candidate<TimeColumns>[] = timeCandidates(others, { chip, gun });
    const ofPoints = isPointOpen(sent) && chip === undefined ? timesOfPoints(others) : [];
    if (ofPoints.length > 0) {
      return [...times, ...ofPoints.map((one) => ({ value: { chip: one }, penalty: 0 }))].map(
        (one) => ({ ...one, isGuess: true }),
      );
    }
    return times.length > 0 ? times : [sure({})];
  };

  const cells = start.rows.length * start.header.length;
  const most = Math.max(4, Math.min(READINGS_MAX, Math.floor(CELLS_MAX / Math.max(cells, 1))));
  const none: Beam<object> = [{ chosen: {}, penalty: 0, rank: 0, guesses: [] }];
  const withBib = yield* widened(none, most, 'bib', () =>
    mapped(bibs(), (bib) => ({ bib, bibFormat: formatOf(bib) })),
  );
  const withRows = yield* widened(withBib, most, 'rows', ({ bib }) =>
    mapped(rowsOfRunners(bib), (rows) => {
      const table = tableOf(bib, rows);
      return { rows, table, columns: columnsIn(table) };
    }),
  );
  const withTimes = yield* widened(withRows, most, 'times', ({ bib, columns }) => {
    const others = columns.filter(({ index }) => index !== bib.index);
    return mapped(timesIn(columns, others), (times) => ({ times, others }));
  });
  const withFormat = yield* widened(withTimes, most, 'format', ({ times, others }) => {
    const isOpen = sent.timeFormat === 'clock';
    const formats = isOpen ? formatCandidates(usedFor(times), others) : [sure(sent.timeFormat)];
    return mapped(formats, (format) => ({ format }));
  });
  const withStatus = yield* widened(
    withFormat,
    most,
    'status',
    ({ table, columns, ...choices }) => {
      const given = sentColumn(columns, 'status');
      const index = given ? given.index : given;
      const unread = { column: undefined, words: new Map(), guessed: [] };
      const base = parametersOf(start, sent, { ...choices, status: unread, splits: [] });
      const withoutStatus = { ...base, columns: { ...base.columns, status: '' } };
      const marks = marksIn(table, withoutStatus, choices.bib);
      const statuses = statusCandidates(marks, start.header, sent, index);
      const able = statuses.filter(
        ({ value }) =>
          usedFor(choices.times).length > 0 ||
          // Unknown words alone may be about a payment.
          (value.column !== undefined && value.guessed.length === 0),
      );
      return mapped(able, (status) => ({
        status: { ...status, column: columns[status.column ?? -1] },
      }));
    },
  );
  const combinations = withStatus.flatMap(({ chosen, penalty, guesses }) =>
    splitLists(chosen, sent).map(({ splits, leftOut }) => {
      const { table: _, columns, others: __, ...choices } = chosen;
      return { choices: { ...choices, splits }, penalty, guesses, columns, leftOut };
    }),
  );
  const able = combinations.slice(0, most);
  const penalties = [...new Set(able.map(({ penalty }) => penalty))];
  return penalties.map((penalty) => able.filter((one) => one.penalty === penalty));
}

/** The column of a meaning in a file of passings: null if none has it, and undefined if it is open. */
function impliedBy(
  point: string | undefined,
  columns: readonly Column[],
  meaning: Meaning,
): Column | null | undefined {
  if (point === undefined) return undefined;
  if (meaning === 'status') return null;
  const ofPoint = columns.find(({ name }) => isNamedLike(point, name));
  if (!ofPoint || meaning === 'bib') return undefined;
  return meaning === 'chipTime' ? ofPoint : null;
}

const usedFor = ({ chip, gun }: TimeColumns): Column[] =>
  [chip, gun].filter((column) => column !== undefined);

/** The splits of a combination and, if some columns may be none, the same without them first. */
function splitLists(
  {
    bib,
    rows,
    columns,
    times,
    format,
    status,
  }: Omit<Choices, 'splits'> & Pick<Combination, 'columns'>,
  sent: Parameters,
) {
  const { chip, gun } = times;
  const finish = chip ?? gun;
  const used = [columns[bib.index], chip, gun, status.column].filter(
    (column) => column !== undefined,
  );
  const { splits, leftOut } =
    sent.point !== undefined || (rows === undefined && repeats(bib))
      ? { splits: [], leftOut: [] }
      : chooseSplits(columns, used, finish, format, gun);
  const unsure = sent.splits ? [] : unsureSplits(splits, finish, format);
  const likely = splits.filter((one) => !unsure.includes(one));
  return [{ splits: likely, leftOut }, ...(unsure.length > 0 ? [{ splits, leftOut }] : [])];
}

/** Whether runners have several rows. Of each, the last one counts, and its other times belong to that row alone. */
function repeats(bib: Column): boolean {
  const cells = filledCells(bib);
  return distinct(cells).length < cells.length * 0.9;
}

/** What the cells say beside the results that are read with these parameters. Without times, no row is one. */
function marksIn(table: FileStart, parameters: Parameters, bib: Column): Marks {
  const { header: names } = table;
  const recognized = recognize(table, parameters);
  const read = recognized && rowsOf(table, recognized);
  const unread = { names, bib: [bib.index], chipTime: [], gunTime: [], status: [], parameters };
  const marks = createMarks(read ? recognized : unread, true);
  if (read) for (const { row, judged } of read) marks.add(row, judged);
  else for (const { line, cells } of table.rows) marks.add({ row: line, cells }, noTime);
  return marks;
}

const noTime = new RowError('The row has no time.', 'missing_time');

/** Reads the sampled rows as an upload would, and asks the judge. Undefined if an upload would refuse the file. */
export function read(
  start: FileStart,
  sent: Parameters,
  known: KnownBibs,
  combination: Combination,
): Reading | undefined {
  const parameters = parametersOf(start, sent, combination.choices);
  const recognized = recognize(start, parameters);
  const rows = recognized && rowsOf(start, recognized);
  if (!rows) return undefined;
  const judge = createJudge(known);
  const bibs = new Set<string>();
  let duplicates = 0;
  const stored = rows.map(({ row, judged }) => {
    judge.add(row, judged);
    if (judged instanceof RowError) return judged.code;
    if (bibs.size === bibs.add(judged.bib).size) duplicates += 1;
    return Object.values(judged).join();
  });
  const { columns } = combination;
  const findings = judge.findings({ parameters, duplicates, columns });
  return {
    ...combination,
    parameters,
    stored: stored.join('\n'),
    timed: judge.measures.times.count,
    alarms: findings.filter(({ against }) => against > 0),
  };
}

/** The rows that an upload reads, with their results; undefined if it would refuse the file. */
export function rowsOf(start: FileStart, columns: Columns, most = Number.POSITIVE_INFINITY) {
  const rows = orRefusal(() =>
    start.rows
      .slice(0, most)
      .filter(({ cells }) => meets(columns.where, cells))
      .map((csvRow) => {
        const row = toFileRow(columns, csvRow);
        return { row, judged: judgeRow(row) };
      }),
  );
  return rows instanceof FileError ? undefined : rows;
}

/** All parameters of a reading. Those that were sent stay as they are. */
function parametersOf(start: FileStart, sent: Parameters, choices: Choices): Parameters {
  const { bib, bibFormat, rows, times, format, status, splits } = choices;
  const columns = { bib, chipTime: times.chip, gunTime: times.gun, status: status.column };
  return {
    ...(start.isFirst ? {} : { headerLine: start.headerLine }),
    ...sent,
    columns: Object.fromEntries(
      MEANINGS.map((meaning) => [meaning, sent.columns[meaning] ?? columns[meaning]?.ref ?? '']),
    ),
    splits: sent.splits ?? splits.map(({ ref }) => ref),
    bibFormat,
    timeFormat: format,
    statusWords: new Map([...status.words, ...sent.statusWords]),
    where: rows ? [...sent.where, conditionOf(rows)] : sent.where,
  };
}

/** A name with a colon could be read as a shorter name and a value. A number cannot. */
const conditionOf = ({ column: { name, ref, index }, value }: NonNullable<RowChoice>): string =>
  `${name.includes(':') ? `#${index + 1}` : ref}:${value}`;
