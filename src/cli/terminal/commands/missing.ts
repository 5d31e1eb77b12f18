import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { readHeldResults } from '../../queue/held-results.ts';
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
    if (isJson) output.answer({ type: 'missing', ...one }, '');
    lines.push([one.bib_number, one.distance ?? '', one.category ?? '', one.gender ?? '']);
  }
  if (lines.length === 0 && distance !== undefined) await requireDistance(context, distance);
  const where = distance === undefined ? '' : ` ${say('of')} ${distance}`;
  const header = [...[say('bib'), say('distance')], ...[say('category'), say('gender')]];
  const bibs = `${lines.length} ${say('bib')}${lines.length === 1 ? '' : say('s')}`;
  const text =
    lines.length === 0
      ? say('no_bib_is_without_a', { where })
      : `${table(header, lines)}\n${bibs}${where} ${say('without_a_result')}`;
  output.answer({ type: 'missing_total', total: lines.length }, text);
  return EXIT.done;
}

/** `21k` where there is only `21K` would look as if nobody were missing. @throws CliError */
async function requireDistance(
  { settings, client, signal }: Context,
  distance: string,
): Promise<void> {
  const { distances } = await readHeldResults(client, settings.eventId, signal);
  if (distances.has(distance)) return;
  for await (const one of client.listMissingResults(settings.eventId, {}, { signal })) {
    if (one.distance !== null) distances.add(one.distance);
  }
  const names = [...distances].sort().join(', ') || '-';
  throw new CliError(
    EXIT.usage,
    say('no_registration_has_the_distance', { distance: JSON.stringify(distance), names }),
  );
}
