import type { Schema } from '@cfworker/json-schema';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { ResultsUploadOut } from '../results/schemas.ts';
import {
  type DocumentedOperation,
  document,
  documentedOperations,
  errorsIn,
} from './documented.ts';
import { createRace } from './factories.ts';
import { startApp, testConfig, withKey } from './harness.ts';
import { createMember, keysPath, makeKey } from './members.ts';
import { type GeneratedRequest, requestsTo } from './requests.ts';

/** Generated requests come by the hundred. */
const unlimited: RateLimiter = {
  refusal: () => undefined,
  take: () => Promise.resolve({ admitted: true, remaining: 119, resetSeconds: 60 }),
  forget: () => {},
  ping: () => Promise.resolve(),
};
const { request } = startApp(testConfig, { rateLimiter: unlimited });

const ROW_SCHEMA: Schema = { $ref: '#/components/schemas/ResultIn' };

let ids: Record<string, string>;
let apiKey: string;
let session: Record<string, string>;

beforeAll(async () => {
  const { organizationId, key, eventId } = await createRace({ bibs: ['17', '18', '19'] });
  const owner = await createMember(organizationId);
  const managed = await makeKey({ organizationId, owner, path: keysPath(organizationId) });
  ids = { event_id: eventId, organization_id: organizationId, key_id: managed.id };
  apiKey = key;
  session = owner.headers;
});

/** The credentials that each of an operation's security requirements stands for. */
const credentialsOf = ({ security }: DocumentedOperation): Record<string, string>[] =>
  security.flatMap(Object.keys).map((name) => {
    const scheme = document.components.securitySchemes[name];
    if (scheme?.type === 'apiKey') return { [scheme.name]: apiKey };
    return name === 'panelSession' ? session : withKey(apiKey);
  });

const send = ({ method, target, headers, body }: GeneratedRequest, more: HeadersInit) =>
  request(target, {
    method,
    headers: { ...headers, ...Object.fromEntries(new Headers(more)) },
    ...(body !== undefined && { body }),
  });

describe.each(documentedOperations.map((operation) => [operation.operationId, operation] as const))(
  '%s',
  (_, operation) => {
    test('takes what the document allows, and refuses what it forbids', async () => {
      const [credentials = {}] = credentialsOf(operation);
      const disagreements: string[] = [];
      const verdicts = new Set<boolean>();
      for (const generated of requestsTo(operation, ids)) {
        verdicts.add(generated.allowed);
        const response = await send(generated, credentials);
        disagreements.push(...(await disagreementsIn(generated, response)));
      }
      expect(disagreements).toEqual([]);
      const takesNothing = !(operation.requestBody ?? operation.parameters?.some(isQuery));
      expect(verdicts).toEqual(new Set(takesNothing ? [true] : [true, false]));
    });

    test('takes every credential of the document, and answers 401 without one', async () => {
      const [generated] = requestsTo(operation, ids);
      if (!generated) throw new Error('Nothing was generated.');
      for (const credentials of credentialsOf(operation)) {
        expect((await send(generated, credentials)).status).toBeLessThan(300);
        const blank = Object.fromEntries(
          Object.keys(credentials).map((name) => [name, 'Bearer x']),
        );
        expect((await send(generated, blank)).status).toBe(401);
      }
      expect((await send(generated, {})).status).toBe(401);
    });

    test('answers 404 where an id of its path is no uuid', async () => {
      const [credentials = {}] = credentialsOf(operation);
      for (const name of Object.keys(ids).filter((id) => operation.path.includes(`{${id}}`))) {
        for (const id of ['1', 'x', 'null', '%20', `${ids[name]}0`]) {
          const [generated] = requestsTo(operation, { ...ids, [name]: id });
          if (!generated) throw new Error('Nothing was generated.');
          expect((await send(generated, credentials)).status).toBe(404);
        }
      }
    });
  },
);

const isQuery = (parameter: { in: string }): boolean => parameter.in === 'query';

/** Where the document and the service are not of one mind about a request. */
async function disagreementsIn(generated: GeneratedRequest, response: Response): Promise<string[]> {
  const { allowed, change } = generated;
  const { status } = response;
  const isAsDocumented = allowed ? status >= 200 && status < 300 : status === 400;
  if (!isAsDocumented) {
    return [`${change}: ${allowed ? 'allowed' : 'forbidden'}, and answered ${status}`];
  }
  if (status !== 200) return [];
  const upload = ResultsUploadOut.safeParse(await response.json());
  return upload.success ? wronglyFailed(generated, upload.data) : [];
}

/** Rows that are as documented and failed all the same, though their bib is known and they have a time. */
function wronglyFailed({ body }: GeneratedRequest, { failed }: ResultsUploadOut): string[] {
  if (typeof body !== 'string') return [];
  const { results }: { results: unknown[] } = JSON.parse(body);
  return failed
    .filter(({ row }) => errorsIn(ROW_SCHEMA, results[row - 1]).length === 0)
    .filter(({ reason }) => !/^No registration|needs a chip time or a gun time/.test(reason))
    .map(({ reason, item }) => `${JSON.stringify(item)} is as documented, and failed: ${reason}`);
}
