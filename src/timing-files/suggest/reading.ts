import { createJudge } from '../judge/judge.ts';
import type { Finding } from '../judge/warning.ts';
import { type Columns, isRead } from '../read/columns.ts';
import { FileError, orRefusal } from '../read/file-error.ts';
import { MEANINGS, type Parameters } from '../read/parameters.ts';
import { RowError } from '../read/reason-codes.ts';
import { judgeRow } from '../read/result.ts';
import { FileRow } from '../read/results-file.ts';
import { type FileStart, recognize } from './file-start.ts';
import type { Choices, QuestionedFile, RowChoice } from './question.ts';

/** The outcome of an upload with some parameters, for the sampled rows. */
export type Read = {
  parameters: Parameters;
  /** The results of the sampled rows, as a text. Equal texts are equal results. */
  stored: string;
  /** Whether a sampled row does not fail. */
  isStoring: boolean;
  /** Sampled rows with a time. */
  timed: number;
  /** The arguments against the reading. */
  alarms: readonly Finding[];
};

/** Reads the sampled rows as an upload would, and asks the judge. Undefined if an upload would refuse the file. */
export function read({ start, sent, known }: QuestionedFile, choices: Choices): Read | undefined {
  const parameters = parametersOf(start, sent, choices);
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
  const findings = judge.findings({ parameters, duplicates, columns: choices.columns });
  return {
    parameters,
    stored: stored.join('\n'),
    isStoring: judge.measures.errors < judge.measures.total,
    timed: judge.measures.times.count,
    alarms: findings.filter(({ against }) => against > 0),
  };
}

/** The rows that an upload reads, with their results; undefined if the upload would refuse the file. */
export function rowsOf(start: FileStart, columns: Columns, most = Number.POSITIVE_INFINITY) {
  const rows = orRefusal(() =>
    start.rows
      .slice(0, most)
      .filter((row) => isRead(columns, row))
      .map((csvRow) => {
        const row = new FileRow(columns, csvRow);
        return { row, judged: judgeRow(row) };
      }),
  );
  return rows instanceof FileError ? undefined : rows;
}

/** All parameters of a reading. Sent parameters stay. */
export function parametersOf(start: FileStart, sent: Parameters, choices: Choices): Parameters {
  const { bib, bibFormat, rows, times, format, fastestMs, status, splits } = choices;
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
    ...(times.started ? { started: times.started.ref } : {}),
    ...(fastestMs === undefined ? {} : { fastestMs }),
    statusWords: new Map([...status.words, ...sent.statusWords]),
    where: rows?.isNot === false ? [...sent.where, conditionOf(rows)] : sent.where,
    whereNot: rows?.isNot ? [...sent.whereNot, conditionOf(rows)] : sent.whereNot,
    ignore: status.ignored ? [...sent.ignore, status.ignored.ref] : sent.ignore,
  };
}

/** A name with a colon could be read as a shorter name and a value. A number cannot. */
const conditionOf = ({ column: { name, ref, index }, value }: NonNullable<RowChoice>): string =>
  `${name.includes(':') ? `#${index + 1}` : ref}:${value}`;
