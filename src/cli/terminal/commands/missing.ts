import { compareNames } from '../../../timing-files/read/name-order.ts';
import { parseRaceTime } from '../../../timing-files/read/race-time.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { allOf } from '../../queue/api.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { cellsOf, courseOf, onCourse } from '../course.ts';
import { table } from '../output.ts';

/** Lists the runners still on the course, with a bib and no result. The slowest of each distance comes first. */
export async function missing(context: Context): Promise<ExitCode> {
  const { settings, client, output, signal } = context;
  const { eventId, isJson } = settings;
  const distance = settings.text('distance');
  const cutOffMs = cutOffIn(settings.text('cut-off'));
  const query = distance === undefined ? {} : { distance };
  const passings = await allOf(client.exportEventPassings(eventId, query, { signal }));
  const runners = await allOf(client.listMissingResults(eventId, query, { signal }));
  const { points } = await client.getEventPoints(eventId, { signal });
  const rows = onCourse(runners, courseOf(passings, points), cutOffMs);
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

/** @throws CliError for an ambiguous time: hours and minutes, or minutes and seconds */
function cutOffIn(cutOff: string | undefined): number | undefined {
  if (cutOff === undefined) return undefined;
  const timeMs = /^\d+:\d\d:\d\d$/.test(cutOff) ? parseRaceTime(cutOff) : undefined;
  if (timeMs === undefined) throw failure(EXIT.usage, 'cut_off_wrong', { cutOff });
  return timeMs;
}

/** Refuses an unknown distance: `21k` instead of `21K` would look as if no runner were missing. @throws CliError */
async function requireDistance(
  { settings, client, signal }: Context,
  distance: string,
): Promise<void> {
  const { eventId } = settings;
  const results = await allOf(client.exportEventResults(eventId, {}, { signal }));
  const runners = await allOf(client.listMissingResults(eventId, {}, { signal }));
  const distances = new Set([...results, ...runners].flatMap((one) => one.distance ?? []));
  if (distances.has(distance)) return;
  const names = [...distances].sort(compareNames).join(', ') || '-';
  throw failure(EXIT.usage, 'no_such_distance', { distance, names });
}
