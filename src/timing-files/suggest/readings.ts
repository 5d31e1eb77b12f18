import { type Columns, createColumnFinder, meets, readConditions } from '../read/columns.ts';
import { FileError } from '../read/file-error.ts';
import { MEANINGS, type Meaning, type Parameters } from '../read/parameters.ts';
import { RowError } from '../read/reason-codes.ts';
import { judgeRow } from '../read/result.ts';
import { toFileRow } from '../read/results-file.ts';
import { parseTime, type TimeFormat } from '../read/time-formats.ts';
import { bibCandidates } from './bib-candidates.ts';
import type { KnownBibs } from './bib-forms.ts';
import { type Candidate, sure } from './candidate.ts';
import { type Column, columnsOf, distinct, filledCells } from './column.ts';
import { formatCandidates } from './column-times.ts';
import { type FileStart, recognize } from './file-start.ts';
import { createJudge } from './judge.ts';
import { type RowChoice, rowCandidates } from './row-candidates.ts';
import { chooseSplits, type LeftOut, unsureSplits } from './split-columns.ts';
import { type StatusReading, statusCandidates } from './status-candidates.ts';
import { type TimeColumns, timeCandidates } from './time-candidates.ts';
import type { Finding } from './warning.ts';

/** What is chosen in a reading. Readings differ in some of it. */
type Choices = {
  bib: Column;
  rows: RowChoice;
  times: TimeColumns;
  format: TimeFormat;
  status: StatusReading;
  splits: readonly Column[];
};

export const DIMENSIONS = ['bib', 'rows', 'times', 'format', 'status', 'splits'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

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

/**
 * Combines candidates, the likeliest first: those of each penalty together.
 * @param sent parameters that a person has decided already. No reading differs from them
 */
export function* combinationsOf(
  start: FileStart,
  sent: Parameters,
  known: KnownBibs,
): Generator<Combination[]> {
  const combine = createCombiner(start, sent, known);
  const cells = start.rows.length * start.header.length;
  let room = Math.max(4, Math.min(READINGS_MAX, Math.floor(CELLS_MAX / Math.max(cells, 1))));
  for (let penalty = 0; penalty <= PENALTY_MAX && room > 0; penalty += 1) {
    const combinations = [...combine(penalty, room)].slice(0, room);
    room -= combinations.length;
    yield combinations;
  }
}

/** Yields the combinations of exactly this penalty. */
function createCombiner(start: FileStart, sent: Parameters, known: KnownBibs) {
  const find = createColumnFinder(start.header);
  const all = columnsOf(start);
  const conditions = readConditions(start.header, sent.where);
  const memory = new Map<string, unknown>();
  /** Candidates are the same in all combinations that begin alike. */
  function once<Value>(key: string, make: () => Value): Value {
    if (!memory.has(key)) memory.set(key, make());
    return memory.get(key) as Value;
  }
  const sentColumn = (columns: readonly Column[], meaning: Meaning) => {
    const name = sent.columns[meaning];
    if (name === undefined) return undefined;
    return name.trim() === '' ? null : columns[find(name)[0] ?? -1];
  };

  /** The columns with the cells of the rows that are results. Rows without a bib, such as sums, are none. */
  const columnsIn = (bib: Column, where: RowChoice) =>
    once(`rows ${bib.index} ${where?.column.index} ${where?.value}`, () => {
      const rows = start.rows.filter(({ cells }) => {
        const cell = (cells[bib.index] ?? '').trim();
        const isChosen = !where || (cells[where.column.index] ?? '').trim() === where.value;
        return cell !== '' && cell !== bib.name && isChosen && meets(conditions, cells);
      });
      return rows.length === start.rows.length ? all : columnsOf({ ...start, rows });
    });

  return function* combine(penalty: number, room: number): Generator<Combination> {
    const given = sentColumn(all, 'bib');
    const bibs = given ? [sure(given)] : once('bibs', () => bibCandidates(all, known));
    for (const [bib, left, share] of within(bibs, penalty, room)) {
      yield* combineRows(bib, left, share);
    }
  };

  function* combineRows(bib: Candidate<Column>, penalty: number, room: number) {
    const columns = columnsIn(bib.value, undefined);
    const rows: Candidate<RowChoice>[] =
      sent.where.length > 0
        ? [sure(undefined)]
        : once(`where ${bib.value.index}`, () =>
            rowCandidates(columns, columns[bib.value.index] ?? bib.value),
          );
    for (const [where, left, share] of within(rows, penalty, room)) {
      yield* combineTimes([bib, where], left, share);
    }
  }

  function* combineTimes(
    [bib, where]: readonly [Candidate<Column>, Candidate<RowChoice>],
    penalty: number,
    room: number,
  ): Generator<Combination> {
    const columns = columnsIn(bib.value, where.value);
    const key = `${bib.value.index} ${where.value?.column.index} ${where.value?.value}`;
    const others = columns.filter(({ index }) => index !== bib.value.index);
    const chip = sentColumn(columns, 'chipTime');
    const gun = sentColumn(columns, 'gunTime');
    const times = once(`times ${key}`, () => timeCandidates(others, { chip, gun }));
    for (const [time, left, share] of within(
      times.length > 0 ? times : [sure<TimeColumns>({})],
      penalty,
      room,
    )) {
      const { chip: chipTime, gun: gunTime } = time.value;
      const used = [chipTime, gunTime].filter((column) => column !== undefined);
      const formats =
        sent.timeFormat === 'clock' ? formatCandidates(used, others) : [sure(sent.timeFormat)];
      const status = once(`status ${key} ${used.map(({ index }) => index)}`, () =>
        statusCandidates(others, used, sent, sentColumn(columns, 'status')),
      ).filter(({ value }) => used.length > 0 || value.column);
      for (const [format, afterFormat, ofFormat] of within(formats, left, share)) {
        for (const [state, afterState] of within(status, afterFormat, ofFormat)) {
          if (afterState > 0) continue;
          const chosen = { bib, rows: where, times: time, format, status: state };
          yield* withSplits(chosen, columns);
        }
      }
    }
  }

  function* withSplits(
    chosen: { [Key in Exclude<Dimension, 'splits'>]: Candidate<Choices[Key]> },
    columns: readonly Column[],
  ): Generator<Combination> {
    const { bib, rows, times, format, status } = chosen;
    const { chip, gun } = times.value;
    const finish = chip ?? gun;
    const used = [columns[bib.value.index], chip, gun, status.value.column].filter(
      (column) => column !== undefined,
    );
    const { splits, leftOut } =
      rows.value === undefined && repeats(bib.value)
        ? { splits: [], leftOut: [] }
        : chooseSplits(columns, used, finish, format.value, gun);
    const unsure = sent.splits ? [] : unsureSplits(splits, finish, format.value);
    const lists = [
      splits.filter((one) => !unsure.includes(one)),
      ...(unsure.length > 0 ? [splits] : []),
    ];
    const guesses = DIMENSIONS.filter((name) => name !== 'splits' && chosen[name].isGuess);
    const penalty = Object.values(chosen).reduce((sum, one) => sum + one.penalty, 0);
    for (const list of lists) {
      const choices = {
        bib: bib.value,
        rows: rows.value,
        times: times.value,
        format: format.value,
        status: status.value,
        splits: list,
      };
      yield { choices, penalty, guesses, columns, leftOut };
    }
  }
}

/** Whether runners have several rows. Of each, the last one counts, and its other times belong to that row alone. */
function repeats(bib: Column): boolean {
  const cells = filledCells(bib);
  return distinct(cells).length < cells.length * 0.9;
}

/** The candidates that a penalty allows, what is left of it, and how many readings each may have. */
function* within<Value>(
  candidates: readonly Candidate<Value>[],
  penalty: number,
  room: number,
): Generator<[candidate: Candidate<Value>, left: number, share: number]> {
  const able = candidates.filter((one) => one.penalty <= penalty).slice(0, room);
  const share = Math.max(1, Math.floor(room / Math.max(able.length, 1)));
  for (const one of able) yield [one, penalty - one.penalty, share];
}

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
    alarms: findings.filter(({ against }) => against > 0),
  };
}

/** The rows that an upload reads, with their results; undefined if it would refuse the file. */
export function rowsOf(start: FileStart, columns: Columns, most = Number.POSITIVE_INFINITY) {
  try {
    return start.rows
      .slice(0, most)
      .filter(({ cells }) => meets(columns.where, cells))
      .map((csvRow) => {
        const row = toFileRow(columns, csvRow);
        return { row, judged: judgeRow(row) };
      });
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** All parameters of a reading. Those that were sent stay as they are. */
function parametersOf(start: FileStart, sent: Parameters, choices: Choices): Parameters {
  const { bib, rows, times, format, status, splits } = choices;
  const columns = { bib, chipTime: times.chip, gunTime: times.gun, status: status.column };
  return {
    ...(start.isFirst ? {} : { headerLine: start.headerLine }),
    ...sent,
    columns: Object.fromEntries(
      MEANINGS.map((meaning) => [meaning, sent.columns[meaning] ?? columns[meaning]?.ref ?? '']),
    ),
    splits: sent.splits ?? splits.map(({ ref }) => ref),
    timeFormat: format,
    statusWords: new Map([...status.words, ...sent.statusWords]),
    where: rows ? [...sent.where, conditionOf(rows)] : sent.where,
  };
}

/** A name with a colon could be read as a shorter name and a value. A number cannot. */
const conditionOf = ({ column: { name, ref, index }, value }: NonNullable<RowChoice>): string =>
  `${name.includes(':') ? `#${index + 1}` : ref}:${value}`;

/** A cell that the formats read as different times. */
export function exampleOf({ chip, gun }: TimeColumns, formats: readonly TimeFormat[]): string {
  const column = chip ?? gun;
  const cells = column ? filledCells(column) : [];
  const isTold = (cell: string) =>
    new Set(formats.map((format) => parseTime(format, cell))).size === formats.length;
  return cells.find(isTold) ?? cells[0] ?? '';
}
