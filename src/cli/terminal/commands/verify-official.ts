import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import * as z from 'zod/mini';
import { bodyOf, parseJson } from '../../../client/answer.ts';
import { compareExport } from '../../../timing-files/official/comparison.ts';
import {
  isVersion,
  NotOfficial,
  type OfficialVersion,
  type PublicKeys,
  readVersion,
} from '../../../timing-files/official/version.ts';
import { isRankingRule } from '../../../timing-files/read/ranking-rule.ts';
import { CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { causeOf, systemText } from '../../queue/api.ts';
import { localTime, say } from '../../words.ts';
import type { Output } from '../output.ts';
import type { OpenSettings } from '../settings.ts';

const KeySet = z.object({
  keys: z.array(z.object({ kid: z.string(), kty: z.string(), crv: z.string(), x: z.string() })),
});

const utf8 = new TextDecoder();

/**
 * Verifies an official version, and compares exports with the version. The command needs no key, and with the flag
 * `--keys` no network.
 * @returns undefined if the first file is no official version
 */
export async function verifyOfficial(
  open: OpenSettings,
  output: Output,
  signal: AbortSignal,
): Promise<ExitCode | undefined> {
  const [name = '', ...exports] = open.operands.map((operand) => resolve(open.folder, operand));
  const file = await readFile(name).catch(() => new Uint8Array());
  if (!isVersion(file)) return undefined;
  const { apiUrl } = open;
  const keysFile = open.text('keys');
  if (keysFile === undefined && apiUrl === undefined) throw failure(EXIT.usage, 'official_no_keys');
  // The giver of the folder chose the address in race.json, so the answer shows the origin of the keys.
  const from = keysFile ?? String(new URL('/.well-known/jwks.json', apiUrl));
  const keys = await publicKeys(from, open, signal);
  try {
    const version = await readVersion(Uint8Array.from(file), keys, open.eventId);
    output.answer(
      'official',
      { ...version.statement, kid: version.kid, keys_from: from },
      say('official_signed', { ...linesOf(version), from }),
    );
    const isEqual = await Promise.all(exports.map((path) => compare(version, path, output)));
    return isEqual.every(Boolean) ? EXIT.done : EXIT.rejected;
  } catch (error) {
    if (!(error instanceof NotOfficial)) throw error;
    const { refusal, kid = '-', statement } = error;
    const said = { kid, event: statement?.event.name ?? '-' };
    const text = say('official_refused', { reason: say(`official_${refusal}`, said) });
    output.answer('not_official', { refusal, kid, statement: statement ?? null }, text);
    return EXIT.rejected;
  }
}

const KEYS_TIMEOUT_MS = 20_000;
const KEYS_BYTES_MAX = 1_024 * 1_024;

async function publicKeys(
  from: string,
  { text, folder }: OpenSettings,
  signal: AbortSignal,
): Promise<PublicKeys> {
  const keysFile = text('keys');
  const unread = (reason: string) =>
    failure(keysFile === undefined ? EXIT.offline : EXIT.unclear, 'official_keys_unread', {
      from,
      reason,
    });
  const read = async () => {
    if (keysFile !== undefined) return readFile(resolve(folder, keysFile), 'utf8');
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(KEYS_TIMEOUT_MS)]);
    // After a redirection, the keys would come from another address than the shown address.
    const answer = await fetch(from, { signal: inTime, redirect: 'manual' });
    if (!answer.ok) throw unread(String(answer.status));
    return (await bodyOf(answer, KEYS_BYTES_MAX)).text();
  };
  const found = await read().catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof CliError) throw error;
    throw unread(keysFile === undefined ? causeOf(error) : systemText(error));
  });
  const keys = z.safeParse(KeySet, parseJson(found));
  if (!keys.success) throw unread(say('official_no_keys_there'));
  return keys.data;
}

const linesOf = ({ statement, kid }: OfficialVersion) => ({
  event: `${statement.event.name}, ${localTime(statement.event.event_date)} (${statement.event.id})`,
  organization: statement.organization.name,
  version: statement.version,
  made_at: localTime(statement.made_at),
  rows: statement.rows,
  ranking: ranked(statement.rank_by),
  digest: statement.digest,
  kid,
});

/** A later version of the API may have signed an unknown rule. */
const ranked = (rule: string): string =>
  isRankingRule(rule) ? say(`official_ranked_${rule}`) : say('official_ranked_otherwise', { rule });

/** @returns whether the export equals the signed results */
async function compare(version: OfficialVersion, path: string, output: Output): Promise<boolean> {
  const file = basename(path);
  const text = utf8.decode(
    await readFile(path).catch((error: unknown) => {
      throw failure(EXIT.unclear, 'official_unreadable', { file, reason: systemText(error) });
    }),
  );
  const found = compareExport(version.results, text);
  if (!found) throw failure(EXIT.unclear, 'official_no_export', { file });
  const { equal, different, missing, extra } = found;
  const isEqual = [different, missing, extra].every(({ length }) => length === 0);
  const rows = [
    ...different.map((one) => say('official_row', { ...one })),
    ...missing.map((bib) => say('official_missing', { bib })),
    ...extra.map((bib) => say('official_extra', { bib })),
  ];
  const said = say('official_compared', {
    file,
    verdict: say(isEqual ? 'official_equal' : 'official_differs'),
    equal,
    rows: rows.map((row) => `\n  ${row}`).join(''),
  });
  output.answer('official_comparison', { file, is_equal: isEqual, ...found }, `\n${said}`);
  return isEqual;
}
