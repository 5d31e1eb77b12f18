import { type EventFacts, eventWarnings } from '../../../timing-files/judge/event-warnings.ts';
import type { KnownBibs } from '../../../timing-files/judge/judge.ts';
import type { Lines } from '../../../timing-files/read/lines.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';
import { type Paused, stepByStep } from '../../../timing-files/read/turns.ts';
import { type Preview, ROWS_PREVIEWED } from '../../../timing-files/suggest/preview.ts';
import { plannedForEvent } from '../../db/planned.ts';
import { following, type Statement } from '../../db/statement.ts';
import type { RunQueries } from '../../http/endpoint.ts';
import { toResultContent } from '../result.ts';
import type { SenderKind } from '../sender.ts';
import { failuresAmong, leftAmong } from './answer.ts';
import type { ResultFailure } from './answer-schemas.ts';
import type { Batch, ReadRows } from './batch.ts';
import { textArray } from './column.ts';
import { bibsAmong, type Compared } from './compare.ts';
import type { PreviewedLeftRow } from './leave.ts';
import type { ResultsFilePreview } from './preview-answer-schemas.ts';

/** Asks which texts of a file are bibs of the event. Known bibs reveal the column of the bibs in any language. */
export const findBibs =
  (run: RunQueries, eventId: string, by: SenderKind) =>
  async (texts: readonly string[]): Promise<KnownBibs> => {
    if (texts.length === 0) return new Map();
    const [rows] = await run(bibsAmong[by]({ eventId, texts: textArray(texts) }));
    return new Map(rows.map(({ bib_number, distance }) => [bib_number, distance]));
  };

/** The rows that an upload would leave: their number, how many of them have no stored row, and the first rows. */
export type Left<Row> = { left_count: number; left_new: number; left_rows: Row[] };

/**
 * The comparison of both readings with the event, in a single trip that writes nothing.
 * @param findLeft finds the rows that the upload of the sent reading would leave
 */
export async function compareReadings<Batch, LeftRow>(
  run: RunQueries,
  { shown, suggested }: Preview<Batch>,
  compare: (batch: Batch) => Statement<Compared[]>,
  findLeft?: (batch: Batch) => Statement<Left<LeftRow>[]>,
): Promise<{ compared: (Compared | undefined)[]; left: Left<LeftRow> | undefined }> {
  const planned = <Rows>(statement: Statement<Rows>) => following([plannedForEvent()], statement);
  const batches = [shown, suggested]
    .filter((batch) => batch !== undefined)
    .map((batch) => planned(compare(batch)));
  const first = <Row>([row]: readonly Row[]) => row;
  if (shown && findLeft) {
    const [left, ...answers] = await run(planned(findLeft(shown)), ...batches);
    return { compared: answers.map(first), left: left[0] };
  }
  const answers = await run(...batches);
  return { compared: answers.map(first), left: undefined };
}

/** @returns undefined if the event no longer exists */
export async function describePreview(
  { statuses, ...preview }: Preview<Batch>,
  compared: readonly (Compared | undefined)[],
  left: Left<PreviewedLeftRow> | undefined,
): Promise<ResultsFilePreview | undefined> {
  const described = await describeReading(preview, compared, 'results', left);
  const changes = compared[0]?.changes.map(({ ordinal, before, after, ...of }) => ({
    ...of,
    row: preview.shown?.loadable.rows[ordinal - 1] ?? 0,
    before: toResultContent(before),
    after: toResultContent(after),
  }));
  const counts = described && { ...described.counts, statuses };
  const { shown } = preview;
  const rows = shown && left ? [...leftAmong(shown, left.left_rows)] : [];
  return described && counts && { ...described, counts, changes: changes ?? [], left: rows };
}

/**
 * The preview's answer about rows of any kind.
 * @returns undefined if the event no longer exists
 */
export async function describeReading<Row extends SentRow<unknown>>(
  { shown, suggested, ...preview }: Omit<Preview<ReadRows<Row>>, 'statuses'>,
  [ofShown, ofSuggested]: readonly (Compared | undefined)[],
  stored: 'results' | 'passings',
  left: Left<unknown> | undefined,
) {
  if (shown && !ofShown) return undefined;
  const ofSent = shown && ofShown && factsOf(shown, ofShown);
  const told = new Set(preview.warnings.map(({ code }) => code));
  const facts = suggested && ofSuggested ? factsOf(suggested, ofSuggested) : ofSent;
  const ofEvent = facts ? eventWarnings(facts, stored) : [];
  return {
    ...preview,
    counts: countsOf(shown, ofShown, left),
    failed:
      shown && ofShown ? await stepByStep(firstOf(failuresAmong(shown, ofShown.missing))) : [],
    warnings: [...preview.warnings, ...ofEvent.filter(({ code }) => !told.has(code))],
  };
}

/** The first failing rows. Later rows are not judged. */
function* firstOf(failures: Paused<ResultFailure>): Generator<void, ResultFailure[]> {
  const first: ResultFailure[] = [];
  for (const failure of failures) {
    if (!failure) yield;
    else if (first.push(failure) === ROWS_PREVIEWED) break;
  }
  return first;
}

const NOTHING_LEFT = { left_count: 0, left_new: 0, left_rows: [] };

function countsOf(
  read: ReadRows | undefined,
  compared: Compared | undefined,
  { left_count: left, left_new: leftNew }: Left<unknown> = NOTHING_LEFT,
) {
  const loadable = read?.loadable.rows.length ?? 0;
  const known = (compared?.knownBibs ?? 0) - left;
  const isNew = (compared?.new ?? 0) - leftNew;
  const changed = (compared?.changed ?? 0) - (left - leftNew);
  return {
    total_processed: read?.total ?? 0,
    uploaded: isNew,
    updated: known - isNew,
    not_found: loadable - known - left,
    errors: read?.errors ?? 0,
    duplicates: read?.duplicates ?? 0,
    left,
    new: isNew,
    changed,
    unchanged: known - isNew - changed,
  };
}

function factsOf({ loadable, total }: ReadRows, compared: Compared): EventFacts {
  const linesOf = ({ count, ordinals }: Compared['cancelled']): Lines => ({
    count,
    rows: ordinals.flatMap((ordinal) => loadable.rows[ordinal - 1] ?? []),
  });
  const rankedBy = ({ without, isKnown }: NonNullable<Compared['ranking']>['chip']) => ({
    without: linesOf(without),
    isKnown,
  });
  return {
    ...compared,
    bibs: loadable.rows.length,
    rows: total,
    cancelled: linesOf(compared.cancelled),
    reinstated: linesOf(compared.reinstated),
    ranking: compared.ranking && {
      rankBy: compared.ranking.rankBy,
      chip: rankedBy(compared.ranking.chip),
      gun: rankedBy(compared.ranking.gun),
    },
    splitsRemoved: linesOf(compared.splitsRemoved),
    gunTimesRemoved: linesOf(compared.gunTimesRemoved),
    dnsWithPassing: linesOf(compared.dnsWithPassing),
    oldGun: linesOf(compared.oldGun),
  };
}
