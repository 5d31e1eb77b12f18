import { type EventFacts, eventWarnings } from '../../../timing-files/judge/event-warnings.ts';
import type { KnownBibs } from '../../../timing-files/judge/judge.ts';
import type { Lines } from '../../../timing-files/read/lines.ts';
import type { SentRow } from '../../../timing-files/read/result.ts';
import { type Preview, ROWS_PREVIEWED } from '../../../timing-files/suggest/preview.ts';
import { plannedForEvent } from '../../db/planned.ts';
import type { Statement } from '../../db/statement.ts';
import type { RunQueries } from '../../http/endpoint.ts';
import { toResultContent } from '../result.ts';
import type { SenderKind } from '../sender.ts';
import { failuresAmong, type ReadRows } from './answer.ts';
import type { ResultFailure } from './answer-schemas.ts';
import type { Batch } from './batch.ts';
import { textArray } from './column.ts';
import { bibsAmong, type Compared } from './compare.ts';
import type { ResultsFilePreview } from './preview-answer-schemas.ts';

/** Asks which texts of a file are bibs of the event. They tell the column of the bibs in any language. */
export const findBibs =
  (run: RunQueries, eventId: string, by: SenderKind) =>
  async (texts: readonly string[]): Promise<KnownBibs> => {
    if (texts.length === 0) return new Map();
    const [rows] = await run(bibsAmong[by]({ eventId, texts: textArray(texts) }));
    return new Map(rows.map(({ bib_number, distance }) => [bib_number, distance]));
  };

/** How both readings compare with the event, in one trip that writes nothing. */
export async function compareReadings<Batch>(
  run: RunQueries,
  { shown, suggested }: Preview<Batch>,
  compare: (batch: Batch) => Statement<Compared[]>,
): Promise<(Compared | undefined)[]> {
  const batches = [shown, suggested].filter((batch) => batch !== undefined);
  const [, ...answers] = await run(plannedForEvent(), ...batches.map(compare));
  return answers.map(([compared]) => compared);
}

/** @returns undefined if the event is not there any more */
export function describePreview(
  { statuses, ...preview }: Preview<Batch>,
  compared: readonly (Compared | undefined)[],
): ResultsFilePreview | undefined {
  const described = describeReading(preview, compared, 'results');
  const changes = compared[0]?.changes.map(({ place, before, after, ...of }) => ({
    ...of,
    row: preview.shown?.loadable.rows[place - 1] ?? 0,
    before: toResultContent(before),
    after: toResultContent(after),
  }));
  const counts = described && { ...described.counts, statuses };
  return described && counts && { ...described, counts, changes: changes ?? [] };
}

/**
 * What a preview answers about rows of any kind.
 * @returns undefined if the event is not there any more
 */
export function describeReading<Row extends SentRow<unknown>>(
  { shown, suggested, ...preview }: Omit<Preview<ReadRows<Row>>, 'statuses'>,
  [ofShown, ofSuggested]: readonly (Compared | undefined)[],
  stored: 'results' | 'passings',
) {
  if (shown && !ofShown) return undefined;
  const ofSent = shown && ofShown && factsOf(shown, ofShown);
  const told = new Set(preview.warnings.map(({ code }) => code));
  const facts = suggested && ofSuggested ? factsOf(suggested, ofSuggested) : ofSent;
  const ofEvent = facts ? eventWarnings(facts, stored) : [];
  return {
    ...preview,
    counts: countsOf(shown, ofShown),
    failed: shown && ofShown ? firstOf(failuresAmong(shown, ofShown.missing)) : [],
    warnings: [...preview.warnings, ...ofEvent.filter(({ code }) => !told.has(code))],
  };
}

/** The first rows that fail. The others are not looked at. */
function firstOf(failures: Iterable<ResultFailure>): ResultFailure[] {
  const first: ResultFailure[] = [];
  for (const failure of failures) {
    if (first.push(failure) === ROWS_PREVIEWED) break;
  }
  return first;
}

function countsOf(read: ReadRows | undefined, compared: Compared | undefined) {
  const loadable = read?.loadable.rows.length ?? 0;
  const known = compared?.knownBibs ?? 0;
  const isNew = compared?.new ?? 0;
  const changed = compared?.changed ?? 0;
  return {
    total_processed: read?.total ?? 0,
    uploaded: isNew,
    updated: known - isNew,
    not_found: loadable - known,
    errors: read?.errors ?? 0,
    duplicates: read?.duplicates ?? 0,
    new: isNew,
    changed,
    unchanged: known - isNew - changed,
  };
}

function factsOf({ loadable, total }: ReadRows, compared: Compared): EventFacts {
  const linesOf = ({ count, places }: Compared['cancelled']): Lines => ({
    count,
    rows: places.flatMap((place) => loadable.rows[place - 1] ?? []),
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
  };
}
