import type { KnownBibs } from '../../../timing-files/suggest/bib-forms.ts';
import { type EventFacts, eventWarnings } from '../../../timing-files/suggest/event-warnings.ts';
import type { Lines } from '../../../timing-files/suggest/lines.ts';
import { type Preview, ROWS_PREVIEWED } from '../../../timing-files/suggest/preview.ts';
import { plannedForEvent } from '../../db/planned.ts';
import type { RunQueries } from '../../http/endpoint.ts';
import type { SenderKind } from '../sender.ts';
import { failuresOf } from './answer.ts';
import type { ResultFailure } from './answer-schemas.ts';
import type { Batch } from './batch.ts';
import { arrayOf, quoted } from './column.ts';
import { bibsAmong, type Compared, compareBatch } from './compare.ts';
import type { ResultsFilePreview } from './preview-answer-schemas.ts';

/** Asks which texts of a file are bibs of the event. They tell the column of the bibs in any language. */
export const findBibs =
  (run: RunQueries, eventId: string, by: SenderKind) =>
  async (texts: readonly string[]): Promise<KnownBibs> => {
    if (texts.length === 0) return new Map();
    const [rows] = await run(bibsAmong[by]({ eventId, texts: arrayOf(texts, quoted) }));
    return new Map(rows.map(({ bib_number, distance }) => [bib_number, distance]));
  };

/** How both readings compare with the event, in one trip that writes nothing. */
export async function compareWithEvent(
  run: RunQueries,
  eventId: string,
  { shown, suggested }: Preview<Batch>,
  by: SenderKind,
): Promise<(Compared | undefined)[]> {
  const batches = [shown, suggested].filter((batch) => batch !== undefined);
  const [, ...answers] = await run(
    plannedForEvent(),
    ...batches.map((batch) => compareBatch(eventId, batch, by)),
  );
  return answers.map(([compared]) => compared);
}

/** @returns undefined if the event is not there any more */
export function describePreview(
  { shown, suggested, statuses, ...preview }: Preview<Batch>,
  [ofShown, ofSuggested]: readonly (Compared | undefined)[],
): ResultsFilePreview | undefined {
  if (shown && !ofShown) return undefined;
  const ofSent = shown && ofShown && factsOf(shown, ofShown);
  const told = new Set(preview.warnings.map(({ code }) => code));
  const facts = suggested && ofSuggested ? factsOf(suggested, ofSuggested) : ofSent;
  const ofEvent = facts ? eventWarnings(facts) : [];
  return {
    ...preview,
    counts: { ...countsOf(shown, ofShown), statuses },
    failed: shown && ofShown ? failedOf(shown, ofShown) : [],
    warnings: [...preview.warnings, ...ofEvent.filter(({ code }) => !told.has(code))],
  };
}

function countsOf(batch: Batch | undefined, compared: Compared | undefined) {
  const loadable = batch?.loadable.rows.length ?? 0;
  const known = compared?.knownBibs ?? 0;
  const isNew = compared?.new ?? 0;
  const changed = compared?.changed ?? 0;
  return {
    total_processed: batch?.total ?? 0,
    uploaded: isNew,
    updated: known - isNew,
    not_found: loadable - known,
    errors: batch?.errors ?? 0,
    duplicates: batch?.duplicates ?? 0,
    new: isNew,
    changed,
    unchanged: known - isNew - changed,
  };
}

/** The first rows that fail: those with an error, and those with an unknown bib. */
function failedOf(batch: Batch, { missing }: Compared): ResultFailure[] {
  const failed: ResultFailure[] = [];
  for (const failure of failuresOf(batch, missing)) {
    if (failed.push(failure) === ROWS_PREVIEWED) break;
  }
  return failed;
}

function factsOf({ loadable, total }: Batch, compared: Compared): EventFacts {
  const linesOf = ({ count, places }: Compared['cancelled']): Lines => ({
    count,
    rows: places.flatMap((place) => loadable.rows[place - 1] ?? []),
  });
  return {
    ...compared,
    bibs: loadable.rows.length,
    rows: total,
    cancelled: linesOf(compared.cancelled),
    reinstated: linesOf(compared.reinstated),
  };
}
