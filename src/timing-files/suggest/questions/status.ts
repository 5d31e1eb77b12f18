import { isRegionName } from '../../columns/cell-meaning.ts';
import { distinct } from '../../columns/column.ts';
import { BESIDE_RESULTS, type ColumnClass, RESULTS } from '../../columns/column-classes.ts';
import {
  isPlacedFinish,
  isSentence,
  type MarkedColumn,
  noTally,
  type Tally,
  type Word,
} from '../../judge/marked-column.ts';
import { allWords, countsRows, createMarks, hasLetter, type Marks } from '../../judge/marks.ts';
import { worded } from '../../judge/sentences.ts';
import { statusIn } from '../../read/claim.ts';
import { byContract } from '../../read/columns.ts';
import { type Parameters, type StatusWord, wordKey } from '../../read/parameters.ts';
import { Pattern } from '../../read/pattern.ts';
import { RowError } from '../../read/reason-codes.ts';
import {
  LISTED_STATUSES,
  parseStatus,
  type ResultStatus,
  STATUS_RULES,
} from '../../read/result-status.ts';
import { isNoValue } from '../../read/status-words.ts';
import { hasDigit } from '../../read/text.ts';
import { onFirstUse, plainName } from '../../read/words.ts';
import { recognize } from '../file-start.ts';
import {
  type Candidate,
  type Choices,
  columnsUsed,
  labelOf,
  type Question,
  type QuestionedFile,
  type StatusReading,
  sentColumn,
} from '../question.ts';
import { parametersOf, rowsOf } from '../reading.ts';

export const status: Question = {
  code: 'status_unclear',
  parameters: ['status'],
  candidates(choices, asked) {
    const { columns, times } = choices;
    const given = sentColumn(asked, columns, 'status');
    const index = given ? given.index : given;
    const { header } = asked.start;
    return (
      statusCandidates(marksIn(choices, asked), header, asked.sent, index)
        // Unknown words alone may be about a payment.
        .filter(
          ({ value: { column, guessed } }) =>
            columnsUsed(times).length > 0 || (column !== undefined && guessed.length === 0),
        )
        .map(({ value, penalty }) => ({
          value: {
            status: {
              ...value,
              column: columns[value.column ?? -1],
              ignored: columns[value.ignored ?? -1],
              words: new Map([...nothingIn(choices), ...value.words]),
            },
          },
          penalty,
        }))
    );
  },
  key: ({ status: { column, ignored, guessed } }) =>
    `${column?.ref} ${ignored?.ref} ${guessed.join()}`,
  asks(all) {
    const words = distinct(all.flatMap((one) => one.status.guessed.map(([word]) => word)));
    const read = all.find((one) => one.status.column)?.status.column;
    const values = { column: read?.name || read?.ref || '', words: words.slice(0, 8) };
    if (words.length === 0) {
      return worded(read ? 'status_unclear:column' : 'status_unclear:cells', values);
    }
    return worded(read ? 'status_unclear:words_in_column' : 'status_unclear:words', values);
  },
  answers: ({ status: { column, ignored, guessed } }) =>
    (ignored && `${labelOf(ignored)} is only a remark`) ||
    guessed
      .map(([word, meaning]) =>
        word === ''
          ? `a blank cell in ${labelOf(column)} is ${meaning}`
          : meaning === ''
            ? `rows with ${word} are left out and stay without a result`
            : `${word} is ${meaning}`,
      )
      .join(', ') ||
    (column ? `${labelOf(column)} has the status` : 'no column has the status'),
};

/** A column, by index, and words in the column and in the times. */
type Marking = Omit<StatusReading, 'column' | 'ignored'> & {
  column: number | undefined;
  ignored?: number;
};

/** The marks beside the results of a reading without a status. Without times, no row is a result. */
function marksIn({ table, bib, ...choices }: Choices, { start, sent }: QuestionedFile): Marks {
  const { header: names } = table;
  const base = parametersOf(start, sent, { ...choices, table, bib });
  const nothing = nothingIn({ table, bib, ...choices });
  const statusWords = new Map([...nothing, ...base.statusWords]);
  const parameters = { ...base, statusWords, columns: { ...base.columns, status: '' } };
  const recognized = recognize(table, parameters);
  const read = recognized && rowsOf(table, recognized);
  const unread = {
    names,
    bib: [bib.index],
    chipTime: [],
    gunTime: [],
    status: [],
    ignored: [],
    parameters,
  };
  const marks = createMarks(read ? recognized : unread, true);
  if (read) for (const { row, judged } of read) marks.add(row, judged);
  else for (const { line, cells } of table.rows) marks.add({ row: line, cells }, noTime);
  return marks;
}

/** The words of the times that stand for nothing, such as `N/A`. */
const nothingIn = ({ times }: Choices): Map<string, StatusWord> =>
  new Map(
    columnsUsed(times)
      .flatMap(({ cells }) => cells.filter(isNoValue))
      .map((cell) => [wordKey(cell), ''] as const),
  );

const noTime = new RowError('The row has no time.', 'missing_time');

const READINGS_MAX = 12;
/** Up to this number, unknown words are combined one by one. More unknown words share a meaning. */
const COMBINED_MAX = 4;
const WORDS_MAX = 50;
/** Fewer rows may share a value by chance. */
const ROWS_MIN = 3;

/**
 * The columns and words that may mark runners without a finish, as shown by the rows of a reading without a status.
 * @param given the column named by a person; null for "no column"
 */
function statusCandidates(
  marks: Marks,
  names: readonly string[],
  sent: Parameters,
  given: number | null | undefined,
): Candidate<Marking>[] {
  if (given !== undefined) {
    return readingsOf(
      marks.beside.find(({ index }) => index === given),
      marks,
      sent,
    );
  }
  const header = onFirstUse(() => new Set(names.map(plainName)));
  for (const column of marks.beside) {
    const words = codesOf(column, header);
    if (words) return [{ value: { column: column.index, words, guessed: [] }, penalty: 0 }];
  }
  const inTimes = marks.placeholder.found();
  const words = inTimes ? [{ ...noTally(), ...inTimes, meaning: undefined }] : [];
  const read = (one?: MarkedColumn) => [
    ...readingsOf(one, marks, sent, words),
    ...(inTimes?.isStored ? readingsOf(one, marks, sent) : []),
  ];
  const none = [...read(), ...blankPlaces(marks)];
  const column = statusColumn(marks, names);
  if (!column || areRemarks(column)) return none;
  const penalty = nonFinishers(column) > 0 ? 1 : 0;
  const readings = read(column);
  const isOpenWord = readings.length > 1 && readings.some(({ value }) => value.guessed.length > 0);
  const ignoring = none
    .slice(0, isOpenWord ? 1 : 0)
    .map((one) => ({ ...one, value: { ...one.value, ignored: column.index } }));
  return [
    ...readings,
    ...ignoring,
    ...none.map((one) => ({ ...one, penalty: one.penalty + penalty })),
  ];
}

/** If most rows have a place, the rows without a place may be runners without a finish. */
const blankPlaces = ({ place, totals }: Marks): Candidate<Marking>[] =>
  place && place.blank.finished.count > 0 && place.blank.finished.count < totals.finished / 2
    ? [
        {
          value: { column: place.index, words: new Map([['', 'DNF']]), guessed: [['', 'DNF']] },
          penalty: 2,
        },
      ]
    : [];

const rowsIn = ({ finished, failing }: Tally): number => finished.count + failing.count;
const sum = <One extends Tally>(tallies: readonly One[], of: (one: One) => number): number =>
  tallies.reduce((total, one) => total + of(one), 0);

const isNonFinish = ({ meaning }: Word): boolean => meaning !== undefined && meaning !== 'FINISHED';
/** Whether a word may be an unknown status. A sentence beside times and places is only a remark. */
const isUnknown = (word: Word): boolean =>
  word.meaning === undefined && !(isSentence(word.text) && isPlacedFinish(word));
const wordsOf = ({ words }: MarkedColumn): Word[] => [...words.values()];
const nonFinishers = (column: MarkedColumn): number =>
  sum(allWords(column).filter(isNonFinish), rowsIn);

/** A column "State" can hold OK and IN for regions. */
const areRegions = (column: MarkedColumn): boolean =>
  isRegionName(column.name) && allWords(column).every(({ text }) => text.length <= 2);

/** Columns whose words may be statuses if their rows have no time or no place. */
const MAY_MARK: ReadonlySet<ColumnClass> = new Set(['unknown', 'otherTime', 'time']);

/**
 * The column with the most marks of runners without a finish: by known statuses or, without known statuses, by a few
 * unknown words.
 */
function statusColumn(marks: Marks, names: readonly string[]): MarkedColumn | undefined {
  const isTold = marks.times.some((one) => nonFinishers(one) > 0);
  const columns = marks.beside.filter(
    (one) => !areRegions(one) && !(isTold && one.class === 'noResult'),
  );
  const [most] = columns
    .filter((one) => nonFinishers(one) > 0 && (isOpen(one) || hasOnlyStatuses(one)))
    .toSorted((one, other) => nonFinishers(other) - nonFinishers(one));
  if (most) return most;
  const contract = byContract(names).status;
  const named = columns.find((one) => contract.includes(one.index) && allWords(one).length > 0);
  return named ?? columns.find((one) => hasFewWords(one, marks));
}

/** Whether the name of a column allows statuses among its words. */
const isOpen = ({ class: ofName, hasTimes }: MarkedColumn): boolean =>
  !RESULTS.has(ofName) && !BESIDE_RESULTS.has(ofName) && !hasTimes;

/** Whether all words of a column are statuses, whatever its name. A time of day may stand beside the statuses. */
const hasOnlyStatuses = (column: MarkedColumn): boolean =>
  !wordsOf(column).some(isUnknown) &&
  (column.class === 'noResult'
    ? wordsOf(column).every(({ finished }) => finished.count === 0)
    : !column.hasTimes);

/** The different cells of a column. All numbers are a single cell, unless they are codes that several rows have. */
function valuesOf({ class: ofName, hasTimes, blank, number, numbers, words }: MarkedColumn) {
  const codes = [...numbers.values()];
  const areCodes =
    !hasTimes &&
    ofName !== 'place' &&
    codes.some((code) => rowsIn(code) >= ROWS_MIN) &&
    sum(codes, rowsIn) === rowsIn(number);
  return {
    words: [...words.values(), ...(areCodes ? codes : [])],
    all: [blank, ...words.values(), ...(areCodes ? codes : [number])],
  };
}

/** Whether most rows have a common cell, and the rest unknown words that may be statuses. */
function hasFewWords(column: MarkedColumn, { times, place, totals }: Marks): boolean {
  const { words, all } = valuesOf(column);
  const [usual] = all.toSorted((one, other) => rowsIn(other) - rowsIn(one));
  const odd = words.filter((word) => word !== usual && isUnknown(word));
  if (!usual || odd.length === 0 || rowsIn(usual) <= sum(all, rowsIn) / 2) return false;
  // The times tell the status of each row without a time.
  const told = times.reduce((rows, one) => rows + nonFinishers(one), 0);
  if (told > 0 && told >= totals.failing && odd.every(({ finished }) => finished.count === 0)) {
    return false;
  }
  if (column.class === 'status') return true;
  const areFinishers = words.some((word) => word === usual && word.meaning === 'FINISHED');
  if (areFinishers || column.class === 'place' || countsRows(column)) return true;
  const placed = place?.number.finished.count ?? 0;
  const areUnplaced = placed > totals.finished / 2 && placed < totals.finished;
  // Words of most runners, as cities are.
  if (words.some((word) => word === usual && isUnknown(word) && hasLetter(word))) return false;
  /** Whether no row with the word has a time or, where most rows have a place, none has a place. */
  const isOwn = (word: Word) =>
    word.finished.count === 0 ? told === 0 : areUnplaced && word.placed === 0;
  return MAY_MARK.has(column.class) && odd.length <= COMBINED_MAX && odd.every(isOwn);
}

/** The readings with a status column, or with none, and the possible meanings of the column's unknown words. */
function readingsOf(
  column: MarkedColumn | undefined,
  marks: Marks,
  sent: Parameters,
  placeholder: readonly Word[] = [],
): Candidate<Marking>[] {
  const open = column ? valuesOf(column).words.filter(({ meaning }) => meaning === undefined) : [];
  const inColumn = open.filter(isUnknown);
  const inTimes = marks.times
    .flatMap(wordsOf)
    .filter(({ text }) => !hasDigit(text) && !isNoValue(text));
  const finishers = column ? finishersAmong(column, open, marks) : [];
  const known = new Map([
    ...(column ? allWords(column) : [])
      .filter(({ text, meaning }) => meaning !== statusIn(text))
      .flatMap(meaningIn),
    ...inTimes.filter(isNonFinish).flatMap(meaningIn),
    ...finishers.map(({ text }) => [wordKey(text), 'FINISHED'] as const),
  ]);
  const isKnown = ({ text }: Word) =>
    known.has(wordKey(text)) || sent.statusWords.has(wordKey(text));
  const unknown = [...inColumn, ...inTimes.filter(isUnknown), ...placeholder]
    .filter((word, at, all) => all.findIndex(({ text }) => text === word.text) === at)
    .filter((word) => !isKnown(word))
    .slice(0, WORDS_MAX);
  const hasFinishers = [...(column ? wordsOf(column) : []), ...inTimes].some(
    ({ meaning }) => meaning === 'FINISHED',
  );
  const meanings = unknown.map((word) => meaningsOf(word, marks, hasFinishers));
  return together(meanings).map((statuses) => {
    const guessed = unknown.flatMap(({ text }, at) => {
      const status = statuses[at];
      return status === undefined ? [] : [[text, status] as const];
    });
    const words = new Map([
      ...known,
      ...guessed.map(([word, status]) => [wordKey(word), status] as const),
    ]);
    return { value: { column: column?.index, words, guessed }, penalty: 0 };
  });
}

const meaningIn = ({ text, meaning }: Word) => (meaning ? [[wordKey(text), meaning] as const] : []);

/**
 * The unknown words that mean FINISHED: the words of rows with a time and a place, or the only word of most rows with a
 * time, if the remaining rows have a status.
 */
function finishersAmong(
  column: MarkedColumn,
  unknown: readonly Word[],
  { place, totals }: Marks,
): Word[] {
  const timed = unknown.filter(({ failing }) => failing.count === 0);
  const placed = timed.filter((word) => word.placed === word.finished.count);
  if (place && place !== column) return placed;
  const known = allWords(column).filter(({ meaning }) => meaning !== undefined);
  const isTold = known.length > 0 && known.every(isNonFinish) && unknown.length === 1;
  return isTold
    ? timed.filter((word) => hasLetter(word) && word.finished.count >= totals.finished / 2)
    : [];
}

const LONG_WORD = new Pattern(/\p{L}{4}/u);

/**
 * Whether the unknown words of a column are regions or remarks, and no statuses: no known status stands beside the
 * words, and each word stands in rows with a time and a place or, if several words are long, with a time.
 */
function areRemarks(column: MarkedColumn): boolean {
  const unknown = valuesOf(column).words.filter(isUnknown);
  const long = unknown.filter(({ text }) => LONG_WORD.test(text));
  const areLong = unknown.length >= 3 && long.length >= unknown.length * 0.6;
  return (
    nonFinishers(column) === 0 &&
    (areLong
      ? unknown.every(({ finished }) => finished.count > 0)
      : unknown.length > 1 && unknown.every(isPlacedFinish))
  );
}

const UNTIMED = LISTED_STATUSES.filter((status) => !STATUS_RULES[status].keepsTimes);
/** A word beside a time is rather about a runner without a place. */
const STARTED = LISTED_STATUSES.toReversed().filter((status) => STATUS_RULES[status].hasStarted);

/** The possible meanings of an unknown word. The word's rows with and without a time decide. */
function meaningsOf(
  { finished }: Word,
  { totals }: Marks,
  hasFinishers: boolean,
): readonly StatusWord[] {
  if (finished.count === 0) return [...UNTIMED, ''];
  const isMost = finished.count > totals.finished / 2 && !hasFinishers;
  return isMost ? ['FINISHED'] : STARTED;
}

/** The possible meanings of several words together. Words with a common meaning are likelier. */
function together(meanings: readonly (readonly StatusWord[])[]): StatusWord[][] {
  const combined =
    meanings.length > COMBINED_MAX
      ? [...LISTED_STATUSES, '' as const].map((status) =>
          meanings.flatMap((some) => (some.includes(status) ? status : some.slice(0, 1))),
        )
      : meanings.reduce<StatusWord[][]>(
          (lists, some) => lists.flatMap((list) => some.map((status) => [...list, status])),
          [[]],
        );
  const alike = (statuses: readonly StatusWord[]) => statuses.length - new Set(statuses).size;
  /** Whether the rows of some words are left out, and the rows of the remaining words are not. */
  const isMixed = (statuses: readonly StatusWord[]) =>
    Number(statuses.includes('') && statuses.some((status) => status !== ''));
  return combined
    .toSorted((one, other) => isMixed(one) - isMixed(other) || alike(one) - alike(other))
    .slice(0, READINGS_MAX);
}

const codes = (list: string): ReadonlyMap<string, ResultStatus> =>
  new Map(
    list.split(' ').flatMap((pair) => {
      const [code = '', name = ''] = pair.split(':');
      const status = parseStatus(name);
      return status ? [[code, status] as const] : [];
    }),
  );

/** A software's numbers for statuses: the names of the column, and further names in the header. */
const CODES = [
  {
    // OE2010: OK, not started, gave up, mispunched, disqualified, too late.
    column: 'classifier wertung klasifikace',
    beside: 'block|blok',
    words: codes('0:FINISHED 1:DNS 2:DNF 3:DSQ 4:DSQ 5:DNF'),
  },
  {
    // UltraSignup
    column: 'status',
    beside: 'place first last',
    words: codes('1:FINISHED 2:DNF 3:DNS 5:DSQ'),
  },
];

/** The codes of a software, if the header belongs to the software and the codes fit the times. */
function codesOf(
  column: MarkedColumn,
  header: () => ReadonlySet<string>,
): ReadonlyMap<string, ResultStatus> | undefined {
  if (column.class !== 'status') return undefined;
  const name = plainName(column.name);
  const known = CODES.find(
    (one) =>
      one.column.split(' ').includes(name) &&
      one.beside.split(' ').every((any) => any.split('|').some((other) => header().has(other))),
  );
  const fits = ({ text, finished, failing }: Word) => {
    const status = known?.words.get(text);
    if (status === 'FINISHED') return failing.count === 0;
    return status !== undefined && (finished.count === 0 || STARTED.includes(status));
  };
  const cells = allWords(column);
  return cells.length > 0 && cells.every(fits) ? known?.words : undefined;
}
