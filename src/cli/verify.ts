import type { RaceResultsClient, Result, ResultsUploadOut } from '../client/index.ts';
import { rowIn, shortResult, textOf } from './result-row.ts';
import type { RaceState } from './state.ts';

/** @returns why an answer does not fit to a batch of so many rows */
export function countsProblem(answer: ResultsUploadOut, rows: number): string | undefined {
  const { total_processed, uploaded, updated, not_found, errors, duplicates, failed } = answer;
  const sum = uploaded + updated + not_found + errors + duplicates;
  if (total_processed !== rows)
    return `${rows} rows were sent, and the API counted ${total_processed}`;
  if (sum !== rows) {
    return `${rows} rows were sent, and the API's counts (${uploaded} new, ${updated} updated, ${not_found} not found, ${errors} errors, ${duplicates} duplicates) add up to ${sum}`;
  }
  if (failed.length !== not_found + errors) {
    return `the API counted ${not_found + errors} failed rows and named ${failed.length}`;
  }
  return undefined;
}

/** A bib of which the API holds something else than what it confirmed. */
export type Difference = { bib: string; sent: string; held: string | undefined };

/** A difference for people, with what to do. */
export function differenceText({ bib, sent, held }: Difference): string {
  const found = held === undefined ? 'no result' : described(held);
  return (
    `Bib ${bib}: the API holds ${found}, and ${described(sent)} was sent. Somebody else may have changed ` +
    'it (`race-results log`). To send it again, use `race-results send` or `race-results set`.'
  );
}

function described(text: string): string {
  const row = rowIn(text);
  const splits = Object.entries(row.splits).map(([name, time]) => `${name} ${time}`);
  return [shortResult(row), ...splits].join(', ');
}

/** Requests of one minute. The uploads need the rest of what a key may send. */
const PAGES_PER_MINUTE = 30;
const PAGE_SIZE = 100;
const LOOKUPS_PER_PASS = 20;

/**
 * Compares all that the API holds with all that was sent. Rows on their way are left out.
 * @param pause is called after so many requests as one minute has room for
 * @throws RaceResultsError, or the signal's reason
 */
export async function compareAll(
  { client, eventId, state }: { client: RaceResultsClient; eventId: string; state: RaceState },
  signal: AbortSignal,
  pause: () => Promise<void>,
): Promise<Difference[]> {
  const before = new Map(state.stored);
  const differences: Difference[] = [];
  const missing = new Set(before.keys());
  const isOnTheWay = (bib: string) =>
    state.queue.has(bib) ||
    state.flight?.rows.has(bib) ||
    state.stored.get(bib) !== before.get(bib);
  const check = (bib: string, held: Result | undefined) => {
    const sent = before.get(bib);
    if (sent === undefined || isOnTheWay(bib)) return;
    const text = held && textOf({ ...held, bib_number: bib });
    if (text === undefined || !isSame(sent, text)) differences.push({ bib, sent, held: text });
  };

  let pages = 0;
  if (before.size > 0) {
    const list = client.listEventResults(eventId, { page_size: PAGE_SIZE }, { signal });
    for await (const { data } of list.pages()) {
      for (const held of data) {
        const bib = held.bib_number;
        if (bib === null || !missing.delete(bib)) continue;
        check(bib, held);
      }
      pages += 1;
      if (pages % PAGES_PER_MINUTE === 0) await pause();
    }
  }
  // A result that moves from page to page while they are read may be on none of them.
  for (const bib of [...missing].filter((one) => !isOnTheWay(one)).slice(0, LOOKUPS_PER_PASS)) {
    const { data } = await client.listEventResults(eventId, { bib }, { signal });
    check(
      bib,
      data.find(({ bib_number }) => bib_number === bib),
    );
  }
  return differences;
}

/** The order of the splits says nothing. */
function isSame(one: string, other: string): boolean {
  return one === other || sorted(one) === sorted(other);
}

function sorted(text: string): string {
  const row = rowIn(text);
  const splits = Object.entries(row.splits).sort(([a], [b]) => (a < b ? -1 : 1));
  return textOf({ ...row, splits: Object.fromEntries(splits) });
}

/** How many rejected bibs are looked up in one request. */
const BIBS_PER_PREVIEW = 10;

/**
 * Which of the bibs that had no registration have one now. It asks for a preview, which writes nothing
 * and needs no other scope than an upload.
 */
export async function nowRegistered(
  { client, eventId, state }: { client: RaceResultsClient; eventId: string; state: RaceState },
  signal: AbortSignal,
): Promise<string[]> {
  const unknown = [...state.rejected].filter(([, { code }]) => code === 'unknown_bib');
  const bibs = unknown.map(([bib]) => bib);
  if (bibs.length === 0) return [];
  const missingOf = async (some: readonly string[]) => {
    const lines = some.map((bib) => `"${bib.replaceAll('"', '""')}",DNF`);
    const file = `bib,status\n${lines.join('\n')}\n`;
    return client.previewEventResultsFile(eventId, file, { signal });
  };
  const { counts } = await missingOf(bibs);
  if (counts.not_found === bibs.length) return [];
  const found: string[] = [];
  for (let at = 0; at < bibs.length; at += BIBS_PER_PREVIEW) {
    const some = bibs.slice(at, at + BIBS_PER_PREVIEW);
    const { failed } = await missingOf(some);
    const stillUnknown = new Set(failed.map(({ bib_number }) => bib_number));
    found.push(...some.filter((bib) => !stillUnknown.has(bib)));
  }
  return found;
}
