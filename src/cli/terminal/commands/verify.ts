import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { ResultBatch } from '../../../client/index.ts';
import { foldedPoint } from '../../../timing-files/read/point.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { readNamed } from '../../files/reading.ts';
import { bytesOf } from '../../files/watched-files.ts';
import { allOf } from '../../queue/api.ts';
import { Held } from '../../queue/held.ts';
import { bibOf, isSame, passingIn, pointOf, reasonOf, rowIn, shortText } from '../../queue/item.ts';
import { version } from '../../version.ts';
import { localTime, named, printable, say } from '../../words.ts';
import { openFiles } from '../clock.ts';
import type { Context } from '../context.ts';
import { officialText, readOfficial } from '../official.ts';

const LISTS = ['missing', 'differ', 'in_no_file', 'decided_by_hand'] as const;
type List = (typeof LISTS)[number];
type Row = { bib: string; point: string | null; file: string; in_file: string; held: string };
type Stored = { values: Held['values']; batches: readonly ResultBatch[] };
type Expected = Map<string, { file: string; text: string }>;

/**
 * Compares all rows of the files with all rows of the API, and writes a statement. Sends nothing. Separate lists hold
 * the values decided by a person, and the points without a file.
 */
export async function verify(context: Context): Promise<ExitCode> {
  const { settings, client, output, signal } = context;
  const { folder, operands, eventId } = settings;
  await openFiles(context);
  const files = await Promise.all(operands.map((name) => readFile(context, name)));
  const expected: Expected = new Map();
  // For a bib in two files, the file named last counts.
  for (const { name, read } of files) {
    for (const [key, { text }] of read.rows) expected.set(key, { file: name, text });
  }
  const event = await client.getEvent(eventId, { signal });
  const held = await heldNow(context);
  const official = await readOfficial(client, eventId, signal);
  const { found, other_points } = compare(expected, held);
  const decided = await decidedBibs(context, held, new Set(found.map(([, { bib }]) => bib)));
  const lists = LISTS.map((name): [List, Row[]] => {
    const isOf = ([list, { bib, point }]: [List, Row]) =>
      (point === null && decided.has(bib) ? 'decided_by_hand' : list) === name;
    return [name, found.filter(isOf).map(([, row]) => row)];
  });
  const unreadable = files.flatMap(({ name, read }) =>
    read.unreadable.map((row) => ({ ...row, file: name })),
  );
  const counts = {
    rows: expected.size,
    held: held.values.size,
    equal: expected.size - found.filter(([list]) => list !== 'in_no_file').length,
    unreadable: unreadable.length,
    ...Object.fromEntries(lists.map(([name, rows]) => [name, rows.length])),
  };
  const isEqual =
    unreadable.length === 0 &&
    lists.every(([name, rows]) => name === 'decided_by_hand' || rows.length === 0);
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
      on_course: read.onCourse.length,
    })),
    counts,
    ...Object.fromEntries(lists),
    other_points,
    unreadable,
    batches: held.batches.map(({ id }) => id),
    official,
    version: version(),
  };
  const name = `verified-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
  const path = join(folder, name);
  const verdict = isEqual ? (found.length === 0 ? 'equal' : 'equal_but') : 'differs';
  const text = say('verify_statement', {
    ...counts,
    ...Object.fromEntries(lists.map(([name, rows]) => [`${name}_rows`, rows.map(lineOf).join('')])),
    verdict: say(`verify_${verdict}`),
    time: `${localTime(at)} (${at.toISOString()})`,
    event: `${event.name}, ${localTime(event.event_date)} (${event.id})`,
    files: statement.files
      .map((file) => `\n  ${file.name}  ${file.rows}  SHA-256 ${file.sha256}`)
      .join(''),
    other_points: named(other_points.map(({ point, passings }) => `${point} (${passings})`)) || '-',
    official: official ? officialText(official) : '-',
    unreadable_rows: unreadable
      .map((row) => `\n  ${row.file} ${row.line}: ${reasonOf(row.code, row.reason, row.bib)}`)
      .join(''),
    batches: named(statement.batches),
    version: statement.version,
  });
  await writeFile(`${path}.json`, `${JSON.stringify(statement, null, 2)}\n`);
  await writeFile(`${path}.txt`, `${printable(text)}\n`);
  output.answer('verify', { ...statement, path: `${path}.json` }, `${text}\n\n${path}.txt`);
  return isEqual ? EXIT.done : EXIT.rejected;
}

const lineOf = ({ bib, point, ...row }: Row): string =>
  `\n  ${say('verify_row', { ...row, bib: point === null ? bib : `${bib} ${point}` })}`;

async function readFile({ settings, signal }: Context, name: string) {
  const path = resolve(settings.folder, name);
  const bytes = await bytesOf(path, 0, signal);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const read = await readNamed(bytes, path, settings);
  return { name: basename(path), sha256, bytes: bytes.length, read };
}

const TRIES = 5;

/** All results and passings, read between two uploads. @throws CliError if each try meets an upload */
async function heldNow({ client, settings, signal }: Context): Promise<Stored> {
  const { eventId } = settings;
  const allBatches = () => allOf(client.listResultBatches(eventId, { page_size: 100 }, { signal }));
  const held = new Held(client, eventId);
  let before = await allBatches();
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await held.look(signal);
    const batches = await allBatches();
    if (batches[0]?.id === before[0]?.id) return { values: held.values, batches };
    before = batches;
  }
  throw failure(EXIT.unclear, 'verify_never_calm');
}

/** The bibs whose results were decided by a person. Each is among `bibs`. */
async function decidedBibs(
  { client, settings: { eventId }, signal }: Context,
  { batches }: Stored,
  bibs: ReadonlySet<string>,
): Promise<Set<string>> {
  const decided = new Set<string>();
  // A result removed with a reverted upload is missing, not decided by a person.
  for (const batch of batches.filter(({ by_hand, source }) => by_hand && source !== 'revert')) {
    if (decided.size === bibs.size) break;
    const query = { page_size: 100 };
    const changes = client.listResultBatchChanges(eventId, batch.id, query, { signal });
    for await (const { bib_number: bib, replaced_by } of changes) {
      // A later batch replaced the other changes.
      if (replaced_by === null && bib !== null && bibs.has(bib)) decided.add(bib);
    }
  }
  return decided;
}

function compare(expected: Expected, { values }: Stored) {
  const own = new Set([...expected.keys()].map(pointOf));
  const others = new Map<string, number>();
  const found: [List, Row][] = [];
  const add = (list: List, key: string, file: string, text?: string, held?: string) => {
    const [bib, point] = [bibOf(key), pointOf(key) ?? null];
    found.push([list, { bib, point, file, in_file: longText(text), held: longText(held) }]);
  };
  for (const [key, { file, text }] of expected) {
    const held = values.get(key)?.text;
    if (held === undefined) add('missing', key, file, text);
    else if (!isSame(held, text)) add('differ', key, file, text, held);
  }
  for (const [key, { text: held }] of values) {
    if (expected.has(key)) continue;
    const passing = passingIn(held);
    const result = passing && expected.get(passing.bib_number);
    const splits = result ? Object.entries(rowIn(result.text).splits) : [];
    const point = pointOf(key) ?? '';
    // A finisher's splits were passings before.
    if (splits.some(([name, time]) => foldedPoint(name) === point && time === passing?.time))
      continue;
    // Another laptop has the file of this point.
    if (passing && !own.has(point)) {
      others.set(passing.point, (others.get(passing.point) ?? 0) + 1);
    } else add('in_no_file', key, '-', undefined, held);
  }
  return { found, other_points: [...others].map(([point, passings]) => ({ point, passings })) };
}

/** A result with its times and splits, for people. */
function longText(text: string | undefined): string {
  if (text === undefined || passingIn(text)) return shortText(text);
  const { gun_time, chip_time, splits } = rowIn(text);
  const gun = chip_time !== null && gun_time !== null ? [`(${gun_time})`] : [];
  return [shortText(text), ...gun, ...Object.entries(splits).map((split) => split.join(' '))].join(
    ' ',
  );
}
