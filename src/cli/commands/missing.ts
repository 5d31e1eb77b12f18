import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { plural, table } from '../output.ts';

/** The paid registrations that have a bib and no result. */
export async function missing({ settings, client, output, signal }: Context): Promise<ExitCode> {
  const { eventId, distance, isJson } = settings;
  const rows: string[][] = [];
  const query = distance === undefined ? {} : { distance };
  for await (const one of client.listMissingResults(eventId, query, { signal })) {
    if (isJson) output.answer({ type: 'missing', ...one }, '');
    rows.push([one.bib_number, one.distance ?? '', one.category ?? '', one.gender ?? '']);
  }
  const where = distance === undefined ? '' : ` of ${distance}`;
  const text =
    rows.length === 0
      ? `No bib${where} is without a result.`
      : `${table(['bib', 'distance', 'category', 'gender'], rows)}\n${plural(rows.length, 'bib')}${where} without a result`;
  output.answer({ type: 'missing_total', total: rows.length }, text);
  return EXIT.done;
}
