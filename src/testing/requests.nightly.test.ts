import { beforeAll, describe, expect, test } from 'vitest';
import { RACE_TIME_PATTERN } from '../timing-files/read/race-time.ts';
import { RESULT_STATUSES } from '../timing-files/read/result-status.ts';
import { ResultsUploadOut } from '../worker/results/upload/answer-schemas.ts';
import { document, documentedOperations, errorsIn } from './documented.ts';
import { createDocumentedWorld, type DocumentedWorld } from './documented-world.ts';
import { type GeneratedRequest, isVaried, LARGE_NUMBERS, requestsTo } from './requests.ts';

const { ResultIn: ROW_SCHEMA = {} } = document.components.schemas;

let world: DocumentedWorld;

beforeAll(async () => {
  world = await createDocumentedWorld();
});

describe.each(documentedOperations.map((operation) => [operation.operationId, operation] as const))(
  '%s',
  (_, operation) => {
    test('accepts what the document allows and rejects what it forbids', async () => {
      const [credentials = {}] = world.credentialsOf(operation);
      const disagreements: string[] = [];
      const verdicts = new Set<boolean>();
      for (const generated of requestsTo(operation, world.ids)) {
        verdicts.add(generated.allowed);
        const response = await world.send(generated, credentials);
        disagreements.push(...(await disagreementsIn(generated, response)));
      }
      // A failed comparison is sent as UTF-8, which has no half characters.
      expect(disagreements.map((one) => one.toWellFormed())).toEqual([]);
      const takesNothing = operation.method === 'GET' && !operation.parameters?.some(isVaried);
      expect(verdicts).toEqual(new Set(takesNothing ? [true] : [true, false]));
    });

    test('answers 404 to what cannot be an id in the path', async () => {
      const [credentials = {}] = world.credentialsOf(operation);
      for (const name of Object.keys(world.ids)) {
        if (!operation.path.includes(`{${name}}`)) continue;
        for (const id of ['0', 'x', 'null', '%20', `${crypto.randomUUID()}0`, ...LARGE_NUMBERS]) {
          const example = world.exampleOf(operation, { [name]: id });
          expect((await world.send(example, credentials)).status).toBe(404);
        }
      }
    });
  },
);

/** A change of a name that must be stored: the document does not know the bibs of an event. */
const NAMES_STORED = /(^|in )(bib_numbers\.|version)/;
const NOT_STORED = [404, 409];

/** The differences between the document and the service about a request. */
async function disagreementsIn(generated: GeneratedRequest, response: Response): Promise<string[]> {
  const { allowed, change } = generated;
  const { status } = response;
  const isAsDocumented = allowed
    ? (status >= 200 && status < 300) || (NAMES_STORED.test(change) && NOT_STORED.includes(status))
    : status === 400;
  if (!isAsDocumented) {
    return [`${change}: ${allowed ? 'allowed' : 'forbidden'}, and answered ${status}`];
  }
  if (status !== 200 || generated.method === 'GET') return [];
  const upload = ResultsUploadOut.safeParse(await response.json());
  return upload.success ? wronglyFailed(generated, upload.data) : [];
}

/** Rows that follow the document and failed, although their bib is known and they have a time. */
function wronglyFailed({ body }: GeneratedRequest, { failed }: ResultsUploadOut): string[] {
  if (typeof body !== 'string') return [];
  const { results }: { results: unknown[] } = JSON.parse(body);
  return failed
    .filter(({ row }) => errorsIn(ROW_SCHEMA, results[row - 1]).length === 0)
    .filter(({ row }) => isAsDescribed(Object(results[row - 1])))
    .filter(({ reason }) => !/^No registration|needs a chip time or a gun time/.test(reason))
    .map(({ reason, item }) => `${JSON.stringify(item)} is as documented, and failed: ${reason}`);
}

const TIME = new RegExp(RACE_TIME_PATTERN);

/** The document's rules for a row in words: a client that checks its types may not refuse the whole batch. */
function isAsDescribed(row: Record<string, unknown>): boolean {
  const sent = (name: string) => String(row[name] ?? '').trim();
  const isTime = (name: string) => sent(name) === '' || TIME.test(sent(name));
  const status = sent('status').toUpperCase();
  return (
    sent('bib_number') !== '' &&
    ['chip_time', 'gun_time', 'time'].every(isTime) &&
    ['', ...RESULT_STATUSES].includes(status) &&
    !JSON.stringify(row).includes('\\u0000')
  );
}
