import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { db } from '../../../testing/factories.ts';
import { testConfig } from '../../../testing/harness.ts';
import { createManaged, publicKeys, textOf, uploadThree } from '../../../testing/official.ts';
import { uploadRows } from '../../../testing/uploads.ts';
import { compareExport } from '../../../timing-files/official/comparison.ts';
import {
  type OfficialVersion,
  type PublicKeys,
  readVersion,
} from '../../../timing-files/official/version.ts';
import { createSigner } from '../../auth/signing.ts';
import { events, registrations } from '../../db/schema.ts';

const bytesOf = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

let keys: PublicKeys;
let managed: Awaited<ReturnType<typeof createManaged>>;
/** The file of a version, and the file of another event. */
let file: string;
let foreign: string;

beforeAll(async () => {
  keys = await publicKeys();
  managed = await createManaged();
  await uploadThree(managed.race);
  await managed.made();
  file = await managed.file(1);
  const stranger = await createManaged();
  await uploadRows(stranger.race, [{ bib_number: '1', chip_time: '59:00' }]);
  await stranger.made();
  foreign = await stranger.file(1);
});

const refusalOf = (changed: string, known = keys, eventId?: string) =>
  readVersion(bytesOf(changed), known, eventId).then(
    () => 'none',
    ({ refusal }) => refusal,
  );

/** Signs the statement of the file anew, with a change. */
async function resigned(typ: string, change: object, SIGNING_KEYS = testConfig.SIGNING_KEYS) {
  const [first = '', ...lines] = file.split('\n');
  const [, payload = ''] = JSON.parse(first).signature.split('.');
  const statement = {
    ...JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))),
    ...change,
  };
  const signature = await createSigner({ SIGNING_KEYS }).sign(typ, statement);
  return [JSON.stringify({ signature }), ...lines].join('\n');
}

/** Different keys with the name of the first key in SIGNING_KEYS. */
async function otherKeys(): Promise<string> {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const { privateKey } = pair as CryptoKeyPair;
  const { kty, crv, x, d } = (await crypto.subtle.exportKey('jwk', privateKey)) as JsonWebKey;
  const [{ kid }] = JSON.parse(testConfig.SIGNING_KEYS ?? '').keys;
  return JSON.stringify({ keys: [{ kid, kty, crv, x, d }] });
}

test('reads a version that nobody changed', async () => {
  const { statement, results, kid } = await readVersion(bytesOf(file), keys, managed.race.eventId);
  expect(kid).toBe(keys.keys[0]?.kid);
  expect(statement).toMatchObject({ version: 1, rows: 3, event: { id: managed.race.eventId } });
  expect(results.map(({ bib_number }) => bib_number)).toEqual(['3', '1', '2']);
});

describe('finds', () => {
  test.each<[string, string, () => string | Promise<string>]>([
    ['a forged time', 'other_document', () => file.replace('00:58:00.000', '00:57:59.999')],
    ['a missing row', 'other_document', () => file.replace(/.*"bib_number":"1".*\n/, '')],
    ['a row too many', 'other_document', () => `${file}${file.split('\n')[1]}\n`],
    ['rows in another order', 'other_document', () => file.replace(/(\{"bib.*\n)(.*\n)/, '$2$1')],
    ['a file that broke off', 'other_document', () => file.slice(0, -40)],
    [
      'the signature of another event',
      'other_document',
      () => [foreign.split('\n')[0], ...file.split('\n').slice(1)].join('\n'),
    ],
    [
      'a statement that was changed',
      'wrong_signature',
      () => file.replace(/\.(\w)/, (_, letter) => `.${letter === 'e' ? 'f' : 'e'}`),
    ],
    [
      'another key',
      'wrong_signature',
      async () => resigned('official-results', {}, await otherKeys()),
    ],
    ['a signature of something else', 'not_a_version', () => resigned('session', {})],
    ['a version without a signature', 'not_a_version', () => file.slice(file.indexOf('\n') + 1)],
    ['an empty file', 'not_a_version', () => ''],
    ['a signature that is none', 'not_a_version', () => '{"signature":"x"}\n'],
    ['a signature that is no text', 'not_a_version', () => '{"signature":"a.b.c'],
  ])('%s', async (_, refusal, change) => {
    expect(await refusalOf(await change())).toBe(refusal);
  });

  test('a key that nobody published', async () => {
    expect(await refusalOf(file, { keys: [] })).toBe('unknown_key');
    const renamed = keys.keys.map((key) => ({ ...key, kid: 'other' }));
    expect(await refusalOf(file, { keys: renamed })).toBe('unknown_key');
  });

  test('a version of another event', async () => {
    expect(await refusalOf(foreign)).toBe('none');
    expect(await refusalOf(foreign, keys, managed.race.eventId)).toBe('other_event');
  });
});

describe('compares an export with a version', () => {
  let version: OfficialVersion;
  let csv: string;
  let named: string;

  beforeAll(async () => {
    // Texts that a spreadsheet would run, and splits whose names need quotes.
    const { race, made, file: read, ask, inPanel } = await createManaged(['1', '2', '3']);
    const { eventId } = race;
    await db
      .update(registrations)
      .set({ category: '=1+1', distance: 'a;=2', given_names: 'Zoë' })
      .where(eq(registrations.event_id, eventId));
    await db.update(events).set({ name: 'Harbour Half' }).where(eq(events.id, eventId));
    await uploadRows(race, [
      {
        bib_number: '1',
        chip_time: '1:00:00.5',
        splits: { '-x': '20:00', 'Km 10, "flat"': '40:00' },
      },
      { bib_number: '2', status: 'DSQ', splits: { '-x': '21:00' } },
      { bib_number: '3', chip_time: '1:01:00', gun_time: '1:01:10' },
    ]);
    await made();
    version = await readVersion(bytesOf(await read(1)), keys);
    csv = await textOf(await ask('/results/export'));
    named = await textOf(await inPanel('/export'));
  });

  const EQUAL = { equal: 3, different: [], missing: [], extra: [] };
  const compared = (text: string) => compareExport(version.results, text);

  test('finds both kinds of export equal', () => {
    expect(compared(csv)).toEqual(EQUAL);
    expect(compared(named)).toEqual(EQUAL);
    expect(compared(named.replaceAll('Zoë', 'Somebody else'))).toEqual(EQUAL);
  });

  test('finds a forged time, also where it stands in milliseconds', () => {
    const difference = {
      bib: '1',
      field: 'chip_time',
      signed: '01:00:00.500',
      found: '00:59:00.500',
    };
    for (const text of [csv, named]) {
      const forged = text.replace('01:00:00.500', '00:59:00.500');
      expect(compared(forged)).toEqual({ ...EQUAL, equal: 2, different: [difference] });
      expect(compared(text.replace('3600500', '3540500'))?.different).toMatchObject([
        { bib: '1', field: 'chip_time_ms' },
      ]);
    }
  });

  test.each([
    ['a split', '00:20:00.000', '00:19:00.000', '1', '-x'],
    ['a status', 'DSQ', 'FINISHED', '2', 'status'],
    ['a category', '=1+1', '=1+2', '1', 'category'],
  ])('finds %s that was changed', (_, signed, changed, bib, field) => {
    for (const text of [csv, named]) {
      expect(compared(text.replace(signed, changed))?.different[0]).toEqual({
        ...{
          bib,
          field,
          signed: expect.stringContaining(signed),
          found: expect.stringContaining(changed),
        },
      });
    }
  });

  test('finds a column of splits that was taken away', () => {
    const lines = named
      .split('\r\n')
      .map((line) => line.replace(/,00:20:00.000|,00:21:00.000/, ''));
    const [header = '', ...rows] = lines;
    const without = [header.replace(",'-x", ''), ...rows].join('\r\n');
    expect(compared(without)?.different).toContainEqual({
      bib: '1',
      field: '-x',
      signed: '00:20:00.000',
      found: '',
    });
  });

  test('finds missing rows and rows that nobody signed', () => {
    const [header, first, ...rest] = csv.split('\r\n');
    const without = [header, ...rest].join('\r\n');
    expect(compared(without)).toEqual({ ...EQUAL, equal: 2, missing: ['1'] });
    const twice = [header, first, first, ...rest].join('\r\n');
    expect(compared(twice)).toEqual({ ...EQUAL, extra: ['1'] });
  });

  test('says of another file that it is no export', () => {
    expect(compared('bib,time\n1,1:00:00\n')).toBeUndefined();
    expect(compared('')).toBeUndefined();
  });
});
