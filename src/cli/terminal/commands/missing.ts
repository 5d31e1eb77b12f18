import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { readHeldResults } from '../../queue/item.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';
import { table } from '../output.ts';

/** The paid registrations that have a bib and no result. */
export async function missing(context: Context): Promise<ExitCode> {
  const { settings, client, output, signal } = context;
  const { eventId, distance, isJson } = settings;
  const lines: string[][] = [];
  const query = distance === undefined ? {} : { distance };
  for await (const one of client.listMissingResults(eventId, query, { signal })) {
    if (isJson) output.answer('missing', { ...one }, '');
    lines.push([one.bib_number, one.distance ?? '', one.category ?? '', one.gender ?? '']);
  }
  const total = lines.length;
  if (total === 0 && distance !== undefined) await requireDistance(context, distance);
  const list = total === 0 ? '' : `${table(say('missing_columns'), lines)}\n`;
  const where = distance === undefined ? '' : say('of_distance', { distance });
  output.answer('missing_total', { total }, `${list}${say('missing_total', { total, where })}`);
  return EXIT.done;
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
