import type { RateLimiter } from '../rate-limit/rate-limiter.ts';
import { type DocumentedOperation, document } from './documented.ts';
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

type Headers = Record<string, string>;

/** An organization in which every operation of the document finds what its examples name. */
export async function createDocumentedWorld() {
  const { organizationId, key, eventId } = await createRace({ bibs: ['17', '18', '19'] });
  const owner = await createMember(organizationId);
  const managed = await makeKey({ organizationId, owner, path: keysPath(organizationId) });
  const ids = {
    event_id: eventId,
    bib_number: '17',
    organization_id: organizationId,
    key_id: managed.id,
  };
  const { request } = startApp(testConfig, { rateLimiter: unlimited });
  await request(`/public/v1/events/${eventId}/results`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: '{"results": [{"bib_number": "17", "chip_time": "01:28:03.512"}]}',
  });
  return {
    ids,
    owner,

    /** What each security requirement of an operation stands for. */
    credentialsOf: ({ security }: DocumentedOperation): Headers[] =>
      security.flatMap(Object.keys).map((name) => {
        const scheme = document.components.securitySchemes[name];
        if (scheme?.type === 'apiKey') return { [scheme.name]: key };
        return name === 'panelSession' ? owner.headers : withKey(key);
      }),

    /** The request of the operation's own examples, with these ids in its path. */
    exampleOf(operation: DocumentedOperation, others: Partial<typeof ids> = {}): GeneratedRequest {
      const [example] = requestsTo(operation, { ...ids, ...others });
      if (!example) throw new Error('Nothing was generated.');
      return example;
    },

    send: (generated: GeneratedRequest, credentials: Headers, ask = request): Promise<Response> =>
      ask(generated.target, {
        method: generated.method,
        headers: { ...generated.headers, ...credentials },
        ...(generated.body !== undefined && { body: generated.body }),
      }),
  };
}

export type DocumentedWorld = Awaited<ReturnType<typeof createDocumentedWorld>>;
