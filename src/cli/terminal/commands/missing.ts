import * as z from 'zod/mini';
import type { MissingResult } from '../../../client/index.ts';
import { lengthKm } from '../../../timing-files/read/distance.ts';
import { formatRaceTimeOrNull, parseRaceTime } from '../../../timing-files/read/race-time.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { checked } from '../../queue/api.ts';
import { readHeldResults } from '../../queue/item.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { table } from '../output.ts';
import type { Settings } from '../settings.ts';

const text = z.string();
const Passed = z.object({
  bib_number: z.nullable(text),
  point: text,
  time: text,
  received_at: text,
});

type Last = { point: string; timeMs: number; received_at: string };

type OnCourse = MissingResult & { last: Last | undefined; place: number };

/** The runners who are still on the course: they have a bib and no result. The slowest of each distance comes first. */
export async function missing(context: Context): Promise<ExitCode> {
  const { settings, client, output, signal } = context;
  const { eventId, distance, isJson } = settings;
  const cutOffMs = cutOffIn(settings);
  const query = distance === undefined ? {} : { distance };
  const { lasts, placeOf } = await lastPassings(context);
  const found: OnCourse[] = [];
  for await (const one of client.listMissingResults(eventId, query, { signal })) {
    const last = lasts.get(one.bib_number);
    found.push({ ...one, last, place: placeOf(last?.point) });
  }
  found.sort(
    (one, other) =>
      (one.distance ?? '').localeCompare(other.distance ?? '', undefined, { numeric: true }) ||
      one.place - other.place ||
      (other.last?.timeMs ?? 0) - (one.last?.timeMs ?? 0),
  );
  const rows = found.map((one) => rowOf(one, cutOffMs));
  for (const row of isJson ? rows : []) output.answer('missing', row, '');
  const total = rows.length;
  if (total === 0 && distance !== undefined) await requireDistance(context, distance);
  const late = rows.filter(({ is_late }) => is_late).length;
  const where = distance === undefined ? '' : say('of_distance', { distance });
  const text = [
    ...(total === 0 ? [] : [table(say('missing_columns'), rows.map(cellsOf))]),
    say('missing_total', { total, where }),
    ...(cutOffMs === undefined ? [] : [say('missing_late_total', { late })]),
  ];
  output.answer('missing_total', { total, late }, text.join('\n'));
  return EXIT.done;
}

function rowOf({ last, place: _, ...one }: OnCourse, cutOffMs: number | undefined) {
  const expectedMs = expectedMsOf(last, one.distance);
  return {
    ...one,
    last_point: last?.point ?? null,
    last_time: formatRaceTimeOrNull(last?.timeMs ?? null),
    received_at: last?.received_at ?? null,
    expected_time: formatRaceTimeOrNull(expectedMs ?? null),
    is_late: cutOffMs === undefined ? null : (expectedMs ?? 0) > cutOffMs,
  };
}

function cellsOf(row: ReturnType<typeof rowOf>): string[] {
  const at = row.received_at === null ? undefined : Date.parse(row.received_at);
  const minutes = at === undefined ? '' : `${Math.max(0, Math.floor((Date.now() - at) / 60_000))}`;
  const expected = row.expected_time?.slice(0, 8) ?? '';
  return [
    row.bib_number,
    row.distance ?? '',
    row.last_point ?? '-',
    row.last_time?.slice(0, 8) ?? '',
    minutes,
    row.is_late ? `${expected} ${say('missing_late')}` : expected,
    row.category ?? '',
    row.gender ?? '',
  ];
}

/** @throws CliError for a time that could be hours and minutes, or minutes and seconds */
function cutOffIn({ cutOff }: Settings): number | undefined {
  if (cutOff === undefined) return undefined;
  const timeMs = /^\d+:\d\d:\d\d$/.test(cutOff) ? parseRaceTime(cutOff) : undefined;
  if (timeMs === undefined) throw failure(EXIT.usage, 'cut_off_wrong', { cutOff });
  return timeMs;
}

/** The last passing of each bib, and the place of each point on the course: that of its fastest time. */
async function lastPassings({ settings, client, signal }: Context) {
  const { eventId, distance } = settings;
  const lasts = new Map<string, Last>();
  const fastest = new Map<string, number>();
  const query = distance === undefined ? {} : { distance };
  for await (const one of client.exportEventPassings(eventId, query, { signal })) {
    const { bib_number, point, time, received_at } = checked(Passed, one, 'exportEventPassings');
    const timeMs = parseRaceTime(time) ?? 0;
    fastest.set(point, Math.min(timeMs, fastest.get(point) ?? timeMs));
    const before = bib_number === null ? undefined : lasts.get(bib_number);
    if (bib_number !== null && timeMs >= (before?.timeMs ?? 0)) {
      lasts.set(bib_number, { point, timeMs, received_at });
    }
  }
  const points = [...fastest].sort(([, one], [, other]) => one - other).map(([point]) => point);
  return { lasts, placeOf: (point = '') => points.indexOf(point) };
}

/** At the same pace as to the last point; undefined if a name says no length. */
function expectedMsOf(last: Last | undefined, distance: string | null): number | undefined {
  const [, number] = /\bkm ?(\d+(?:[.,]\d+)?)\b/i.exec(last?.point ?? '') ?? [];
  const km = number === undefined ? lengthKm(last?.point ?? '') : Number(number.replace(',', '.'));
  const whole = lengthKm(distance ?? '');
  return last && km && whole && whole >= km ? Math.round((last.timeMs * whole) / km) : undefined;
}

/** `21k` where there is only `21K` would look as if nobody were missing. @throws CliError */
async function requireDistance(
  { settings, client, signal }: Context,
  distance: string,
): Promise<void> {
  const { distances } = await readHeldResults(client, settings.eventId, signal);
  for await (const one of client.listMissingResults(settings.eventId, {}, { signal })) {
    if (one.distance !== null) distances.add(one.distance);
  }
  if (distances.has(distance)) return;
  const names = [...distances].sort().join(', ') || '-';
  throw failure(EXIT.usage, 'no_such_distance', { distance, names });
}
