import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { readNamed } from '../../files/reading.ts';
import { bytesOf } from '../../files/watched-files.ts';
import {
  bibOf,
  isHeldAs,
  passingIn,
  pointOf,
  readHeldPassings,
  readHeldResults,
  reasonOf,
  rowIn,
  shortText,
} from '../../queue/item.ts';
import { decisionOf } from '../../queue/record.ts';
import { knownOf, loadState } from '../../queue/state.ts';
import { named, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { localTime } from '../output.ts';
import { version } from '../version.ts';

type Found = { bib: string; point: string | null; file: string; in_file: string; held: string };
type Held = { texts: ReadonlyMap<string, string>; points: readonly string[]; batches: string[] };
type Expected = Map<string, { file: string; text: string }>;

/** Compares every row of files with all that the API holds, and writes a statement about it. Sends nothing. */
export async function verify(context: Context): Promise<ExitCode> {
  const { settings, client, output, signal } = context;
  const { folder, operands, eventId, stateDir } = settings;
  const files = await Promise.all(operands.map((name) => readFile(context, name)));
  const expected: Expected = new Map();
  // Of a bib that is in two files, the file that is named last counts.
  for (const { name, read } of files) {
    for (const [key, { text }] of read.rows) expected.set(key, { file: name, text });
  }
  const event = await client.getEvent(eventId, { signal });
  const held = await heldNow(context);
  const { state } = await loadState(stateDir, eventId);
  const lists = compare(expected, held);
  const unread = files.flatMap(({ name, read }) =>
    [...read.unreadable].map((row) => ({ ...row, file: name })),
  );
  const decided = [...lists.differ, ...lists.missing].filter(({ bib }) =>
    decisionOf(knownOf(state, bib)),
  );
  const isEqual = [lists.missing, lists.differ, lists.in_no_file, unread].every(
    ({ length }) => length === 0,
  );
  const at = new Date();
  const statement = {
    time: at.toISOString(),
    event: { id: event.id, name: event.name, event_date: event.event_date },
    is_equal: isEqual,
    files: files.map(({ name, sha256, bytes, read }) => ({
      name,
      sha256,
      bytes,
      rows: read.total,
      point: read.parameters.point ?? null,
      on_course: read.onCourse,
    })),
    counts: {
      rows: expected.size,
      held: held.texts.size,
      equal: expected.size - lists.missing.length - lists.differ.length,
      missing: lists.missing.length,
      differ: lists.differ.length,
      in_no_file: lists.in_no_file.length,
      unreadable: unread.length,
      decided_by_hand: decided.length,
    },
    ...lists,
    unreadable: unread,
    batches: held.batches,
    version: version(),
  };
  const name = `verified-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
  const path = join(folder, name);
  const { counts } = statement;
  const lines = (found: readonly Found[]) =>
    found.map(({ bib, point, file, in_file, held: now }) => {
      const where = point === null ? bib : `${bib} ${point}`;
      return `\n  ${say('verify_row', { bib: where, file, in_file, held: now })}`;
    });
  const text = say('verify_statement', {
    ...counts,
    verdict: say(isEqual ? 'verify_equal' : 'verify_differs'),
    time: `${localTime(at)} (${at.toISOString()})`,
    event: `${event.name}, ${localTime(event.event_date)} (${event.id})`,
    files: statement.files
      .map((file) => `\n  ${file.name}  ${file.rows}  SHA-256 ${file.sha256}`)
      .join(''),
    missing_rows: lines(lists.missing).join(''),
    differing_rows: lines(lists.differ).join(''),
    unfiled_rows: lines(lists.in_no_file).join(''),
    unreadable_rows: unread
      .map((row) => `\n  ${row.file} ${row.line}: ${reasonOf(row.code, row.reason, row.bib)}`)
      .join(''),
    batches: named(held.batches),
    version: statement.version,
  });
  await writeFile(`${path}.json`, `${JSON.stringify(statement, null, 2)}\n`);
  await writeFile(`${path}.txt`, `${text}\n`);
  output.answer('verify', { ...statement, path: `${path}.json` }, `${text}\n\n${path}.txt`);
  return isEqual ? EXIT.done : EXIT.rejected;
}

async function readFile({ settings, signal }: Context, name: string) {
  const path = resolve(settings.folder, name);
  const bytes = await bytesOf(path, 0, signal);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const read = await readNamed(bytes, path, settings);
  return { name: basename(path), sha256, bytes: bytes.length, read };
}

const TRIES = 5;

/** All results and passings while no upload comes. @throws CliError if one comes each time */
async function heldNow({ client, settings, signal }: Context): Promise<Held> {
  const { eventId } = settings;
  const batchIds = async () => {
    const ids: string[] = [];
    for await (const { id } of client.listResultBatches(eventId, { page_size: 100 }, { signal })) {
      ids.push(id);
    }
    return ids;
  };
  let before = await batchIds();
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const results = await readHeldResults(client, eventId, signal);
    const passings = await readHeldPassings(client, eventId, signal);
    const batches = await batchIds();
    const texts = new Map([...results.texts, ...passings.texts]);
    if (batches[0] === before[0]) return { texts, points: passings.points, batches };
    before = batches;
  }
  throw failure(EXIT.unclear, 'verify_never_calm');
}

function compare(expected: Expected, { texts, points }: Held) {
  const missing: Found[] = [];
  const differ: Found[] = [];
  const in_no_file: Found[] = [];
  const found = (key: string, file: string, text: string | null, held: string | null): Found => ({
    bib: bibOf(key),
    point: pointOf(key) ?? null,
    file,
    in_file: longText(text),
    held: longText(held),
  });
  for (const [key, { file, text }] of expected) {
    const held = texts.get(key);
    if (held === undefined) missing.push(found(key, file, text, null));
    else if (!isHeldAs(held, text, points)) differ.push(found(key, file, text, held));
  }
  for (const [key, held] of texts) {
    if (expected.has(key)) continue;
    const passing = passingIn(held);
    const result = passing && expected.get(passing.bib_number);
    // A finisher's splits were passings before.
    const isSplit = result && !passingIn(result.text) && rowIn(result.text).splits[passing.point];
    if (isSplit !== passing?.time || !passing) in_no_file.push(found(key, '-', null, held));
  }
  return { missing, differ, in_no_file };
}

/** A result with its times and splits, for people. */
function longText(text: string | null): string {
  if (text === null || passingIn(text)) return shortText(text);
  const { gun_time, chip_time, splits } = rowIn(text);
  const gun = chip_time !== null && gun_time !== null ? [`(${gun_time})`] : [];
  return [shortText(text), ...gun, ...Object.entries(splits).map((split) => split.join(' '))].join(
    ' ',
  );
}
