import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Connection } from '../../../client/connection.ts';
import { request } from '../../../client/operations/export-event-results.ts';
import { EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { codeOf } from '../../own-files.ts';
import { isAnswer } from '../../queue/answers.ts';
import { say } from '../../words.ts';
import type { Context } from '../context.ts';

const FORMATS: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** A slow network needs some minutes for the file of a large race. */
const TIMEOUT_MS = 600_000;

/** Saves the API's own file of all results, for a federation or another program. */
export async function exportResults(context: Context): Promise<ExitCode> {
  const { settings, client, output, prompter, signal } = context;
  const { apiUrl, apiKey, eventId, operand, folder, isYes } = settings;
  const format = FORMATS[operand.split('.').at(-1)?.toLowerCase() ?? ''];
  if (!format) throw failure(EXIT.usage, 'export_format', { name: operand });
  const { name } = await client.getEvent(eventId, { signal });
  const headers = { Authorization: `Bearer ${apiKey}` };
  const options = { baseUrl: apiUrl, timeoutMs: TIMEOUT_MS, accepts: isAnswer };
  const connection = new Connection(options, headers);
  const file = await connection.sendFile(request, { ids: [eventId], signal }, format);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const path = resolve(folder, operand);
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    await prompter.requireYes(say('ask_replace', { path }), isYes);
    await writeFile(path, bytes);
  }
  const saved = { event: name, path, bytes: bytes.length };
  output.answer('export', saved);
  return EXIT.done;
}
