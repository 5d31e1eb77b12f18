import { type Column, filledCells, isNamedResult, timesIn } from '../../columns/column.ts';
import {
  type ColumnClass,
  GUNS,
  isNamedBest,
  POINTS,
  RESULTS,
} from '../../columns/column-classes.ts';
import {
  formatsIn,
  likeliestFormat,
  msOf,
  OF_NUMBERS,
  partsOfTime,
  timesInOrder,
} from '../../columns/column-times.ts';
import {
  isAlwaysBelow,
  isTotalOf,
  isWait,
  leastOf,
  type Relation,
  relate,
} from '../../columns/relation.ts';
import { isPart, timesOfPoints } from '../../columns/split-columns.ts';
import { worded } from '../../judge/sentences.ts';
import { elapsedColumns, isNamedStart } from '../../judge/times-of-day.ts';
import { byContract } from '../../read/columns.ts';
import { isPointOpen } from '../../read/parameters.ts';
import { Pattern } from '../../read/pattern.ts';
import { isMoment, timeBetween } from '../../read/race-clock.ts';
import {
  type Candidate,
  mapped,
  type Question,
  sentColumn,
  sure,
  type TimeColumns,
  withExample,
} from '../question.ts';

/** The columns named by parameters; null for "no column". */
type SentTimes = { chip: Column | null | undefined; gun: Column | null | undefined };

const HOUR_MS = 3_600_000;
/** Each pair of so many columns is compared. */
const COMPARED_MAX = 20;
const CHOICES_MAX = 6;
/** Times of fewer rows may agree by chance. */
const ROWS_MIN = 3;

/** Names of a result's column, the likeliest first. */
const NAMES: readonly ColumnClass[] = ['netTime', 'time', 'officialTime'];
/** Names that neither confirm nor exclude a result. */
const OPEN: ReadonlySet<ColumnClass> = new Set(['unknown', 'otherTime', 'person', 'bib']);
const TOTAL = new Pattern(/elapsed|total|gesamt|final|overall/i);

export const times: Question = {
  code: 'time_column_unclear',
  parameters: ['chipTime', 'gunTime'],
  candidates({ bib, columns }, asked) {
    const others = columns.filter(({ index }) => index !== bib.index);
    const chip = sentColumn(asked, columns, 'chipTime');
    const candidates = timeCandidates(others, { chip, gun: sentColumn(asked, columns, 'gunTime') });
    const ofPoints = isPointOpen(asked.sent) && chip === undefined ? timesOfPoints(others) : [];
    const all = [...candidates, ...ofPoints.map((one) => sure<TimeColumns>({ chip: one }))].map(
      (one) => (ofPoints.length > 0 ? { ...one, isGuess: true } : one),
    );
    return mapped(all.length > 0 ? all : [sure({})], (chosen) => ({ times: chosen }));
  },
  key: ({ times: { chip, gun, started } }) => `${chip?.ref} ${gun?.ref} ${started?.ref}`,
  asks: () => worded('time_column_unclear', {}),
  answers: ({ times: { chip, gun, started } }) =>
    [
      started && `the time counts from ${withExample(started)}`,
      chip && `${withExample(chip)}, is the ${started ? 'finish' : 'time'}`,
      gun && `${withExample(gun)}, is the gun time`,
      !chip && !gun && 'no column has times',
    ]
      .filter(Boolean)
      .join('; '),
};

/**
 * The columns that may have the times of the result: by name, and by the differences between their times.
 * @param columns all columns but the bib
 * @param sent the columns named by a person. They count, whatever the candidates
 */
function timeCandidates(columns: readonly Column[], sent: SentTimes): Candidate<TimeColumns>[] {
  const contract = byContract(columns.map(({ name }) => name));
  const isOfContract = (at: number) =>
    contract.chipTime.includes(at) || contract.gunTime.includes(at);
  const parts = partsOfTime(columns);
  const timed = columns.filter(
    (column, at) =>
      !parts.includes(column) &&
      formatsIn(column).length > 0 &&
      (isOfContract(at) || !areAppointments(column)),
  );
  const named = withoutCodes(timed.filter((column) => RESULTS.has(column.class))).slice(
    0,
    COMPARED_MAX,
  );
  const places = columns.find((one) => one.class === 'place');
  /**
   * Without a named result, the time of the last point or the best time is the result if the time grows with the
   * places.
   */
  const isFinish = (one: Column) =>
    named.length === 0 &&
    (POINTS.has(one.class) || isNamedBest(one.name)) &&
    places !== undefined &&
    growsWith(one, places);
  const open = timed
    .filter((one) => isWritten(one) && (OPEN.has(one.class) || isFinish(one)))
    .slice(-COMPARED_MAX);
  const able = [...named, ...open];
  const later = timed.filter(
    (one) => POINTS.has(one.class) && named.some((time) => isPart(relationOf(time, one))),
  );
  const totals = totalsAmong(able, columns);
  const withGuns = (one: Candidate<Column>) => besideGuns(one, able, sent, totals);
  if (sent.chip) return withGuns(sure(sent.chip));
  const elapsed = elapsedColumns(columns).map(
    (value): Candidate<Column> => ({
      value,
      penalty: named.some((one) => NAMES.includes(one.class)) ? 1 : 0,
    }),
  );
  const chips =
    sent.chip === null
      ? []
      : byPlaces(
          [...byName(named), ...later.map(sure), ...elapsed, ...byCells(columns, named, open)],
          totals,
          places,
        );
  const guns = sent.gun ? [sent.gun] : named.filter((one) => one.class === 'gunTime');
  const penalty = chips.some((one) => one.penalty === 0 && !one.isGuess) ? 1 : 0;
  return [
    ...chips.slice(0, CHOICES_MAX).flatMap(withGuns),
    ...guns.map((gun) => ({ value: { gun }, penalty })),
    ...(sent.gun === undefined ? betweenMoments(columns) : []),
  ].toSorted((one, other) => one.penalty - other.penalty);
}

/** A start and a finish as moments, if no further column has the time. */
function betweenMoments(columns: readonly Column[]): Candidate<TimeColumns>[] {
  const started = columns.find(({ name, cells }) => isNamedStart(name) && cells.some(isMoment));
  if (!started) return [];
  const isAfter = (cell: string, at: number) =>
    (timeBetween(started.cells[at] ?? '', cell) ?? 1) > 0;
  const isEnd = ({ cells }: Column) =>
    cells.some(isMoment) && cells.every(isAfter) && !areRepeated(cells);
  const named = columns.filter(isNamedResult);
  return named.every(isEnd)
    ? named.map((chip) => ({ value: { chip, started }, penalty: 1, isGuess: true }))
    : [];
}

/** The columns with a result's name. The columns with the clearest name are the first choice. */
function byName(named: readonly Column[]): Candidate<Column>[] {
  const groups = NAMES.map((name) => named.filter((one) => one.class === name)).filter(
    (some) => some.length > 0,
  );
  return groups.flatMap((some, penalty) => {
    const totals = some.filter(({ name }) => TOTAL.test(name));
    return (totals.length > 0 ? totals : some).map((value) => ({ value, penalty }));
  });
}

/** Columns with an open name, or of the last point. The largest time that grows with the places is the result. */
function byCells(
  columns: readonly Column[],
  named: readonly Column[],
  open: readonly Column[],
): Candidate<Column>[] {
  const isNet = (one: Column) => open.some((other) => isWaitAfter(other, one));
  const guns = named.filter((one) => GUNS.has(one.class));
  const others = named.filter((one) => !GUNS.has(one.class));
  const isOfGun = (one: Column) =>
    guns.some((gun) => isWaitAfter(gun, one) && !others.some((other) => isWaitAfter(gun, other)));
  const places = columns.find((one) => one.class === 'place');
  const isOnly = open.length === 1 && columns.every(({ name }) => name === '');
  const isLargest = (one: Column) =>
    isNamedBest(one.name) || !open.some((other) => isAlwaysBelow(relationOf(one, other)));
  return open
    .filter((one) => isLargest(one) || isNet(one) || isOfGun(one))
    .map((value) => ({
      value,
      penalty: named.length === 0 || isOfGun(value) ? 0 : 2,
      // The last point of a list may be on the way to the finish.
      isGuess: POINTS.has(value.class) || (!isOnly && !isOfGun(value) && !growsWith(value, places)),
    }));
}

/** A time, and the total into which penalties, bonuses or a handicap change the time. */
type Total = readonly [Column, Column];

/** The wait at a start makes no total, and neither does the time of the gun. */
function totalsAmong(able: readonly Column[], columns: readonly Column[]): Total[] {
  const changes = columns
    .filter((one) => !isNamedStart(one.name) && filledCells(one).length > 0)
    .map((column) => ({ column, ms: timesIn(column, likeliestFormat(column) ?? 'seconds') }))
    .filter(({ ms }) => ms.some(Boolean))
    .slice(0, COMPARED_MAX);
  const ofRace = able.filter((one) => one.class !== 'gunTime');
  const isTotal = (one: Column, part: Column) =>
    isTotalOf(msOf(one), msOf(part)) ||
    changes.some(
      ({ column, ms }) => column !== one && column !== part && isTotalOf(msOf(one), msOf(part), ms),
    );
  return ofRace.flatMap((one) =>
    ofRace.flatMap((part) => (one !== part && isTotal(one, part) ? [[one, part] as const] : [])),
  );
}

/**
 * If a time and its total may be the result, the column in the order of the places is likelier, and then the column
 * with a total's name.
 */
function byPlaces(
  chips: readonly Candidate<Column>[],
  totals: readonly Total[],
  places: Column | undefined,
): Candidate<Column>[] {
  const both = [...new Set(totals.flat())];
  if (both.length === 0) return [...chips];
  const ranked = both.filter((one) => places !== undefined && growsWith(one, places));
  const able = ranked.length > 0 ? ranked : both;
  const named = able.filter(({ name }) => TOTAL.test(name));
  const likely = named.length > 0 ? named : able;
  const others = [...both.map(sure), ...chips].filter(({ value }) => !likely.includes(value));
  return [...likely.map(sure), ...others.map((one) => ({ ...one, penalty: one.penalty + 1 }))];
}

/** The columns of the gun time beside a net time: by name, or because the times are later by the wait at the start. */
function besideGuns(
  { value: chip, penalty, isGuess = false }: Candidate<Column>,
  able: readonly Column[],
  sent: SentTimes,
  totals: readonly Total[],
): Candidate<TimeColumns>[] {
  if (sent.gun === null) return [{ value: { chip }, penalty, isGuess }];
  const isNamedNet = chip.class === 'netTime';
  const others = able.filter(
    (one) =>
      one !== chip &&
      !isNamedBest(chip.name) &&
      !totals.some((total) => total.includes(one) && total.includes(chip)),
  );
  const named = others.filter(
    (one) =>
      GUNS.has(one.class) || (isNamedNet && one.class === 'time' && isLittleAfter(one, chip)),
  );
  const guns = named.length > 0 ? named : others.filter((one) => isWaitAfter(one, chip));
  const nets = isNamedNet ? [] : others.filter((one) => isWaitAfter(chip, one));
  return [
    ...guns.map((gun) => ({
      value: { chip, gun },
      penalty: penalty + (nets.length > 0 ? 1 : 0),
      isGuess,
    })),
    ...nets.map((net) => ({ value: { chip: net, gun: chip }, penalty, isGuess })),
    // The names of both may be swapped.
    ...guns
      .filter((gun) => isWaitAfter(chip, gun))
      .map((gun) => ({ value: { chip: gun, gun: chip }, penalty: penalty + 1, isGuess })),
    { value: { chip }, penalty: penalty + (guns.length + nets.length > 0 ? 1 : 0), isGuess },
  ];
}

/** Fewer runners may share a time. */
const APPOINTMENTS_MIN = 6;

/** Whether many rows share few times, as shifts, prices and prize-givings do. */
const areAppointments = (column: Column): boolean =>
  areRepeated(msOf(column).filter((ms) => ms !== undefined));

const areRepeated = (times: readonly (number | string)[]): boolean =>
  times.length >= APPOINTMENTS_MIN && new Set(times).size <= times.length / 3;

const NUMBER = new Pattern(/^\d+([.,]\d+)?$/);
const CHIP_NAME = new Pattern(/^(chip|tag)$/i);

/** Numbers beside written times are codes of transponders, and so are numbers under "Chip". */
function withoutCodes(named: readonly Column[]): Column[] {
  const areNumbers = (column: Column) => filledCells(column).every((cell) => NUMBER.test(cell));
  const hasTimes = named.some((one) => !areNumbers(one));
  return named.filter((one) => !areNumbers(one) || !(hasTimes || CHIP_NAME.test(one.name)));
}

const relationOf = (one: Column, other: Column): Relation => relate(msOf(one), msOf(other));

/** Whether a time is later by the wait at the start line. */
const isWaitAfter = (one: Column, net: Column): boolean =>
  isWait(relationOf(one, net)) && isLittleAfter(one, net);

/** Whether a time is later than a net time in some rows, by less than an hour, and never earlier. */
function isLittleAfter(one: Column, net: Column): boolean {
  const { leastMs, mostMs } = relationOf(one, net);
  return leastMs >= 0 && mostMs > 0 && mostMs < HOUR_MS;
}

const isWritten = (column: Column): boolean =>
  formatsIn(column).some((format) => !OF_NUMBERS.has(format));

/** Whether a time grows with the places or, without places, from row to row. */
function growsWith(one: Column, places: Column | undefined): boolean {
  const times = timesInOrder(one, places);
  return (
    times.length >= ROWS_MIN &&
    times.every((ms, at) => ms >= (times[at - 1] ?? 0)) &&
    leastOf(msOf(one)) > 0
  );
}
