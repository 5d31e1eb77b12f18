import { type DocumentedOperation, document } from './documented.ts';
import { configureEvent, createRace, createRegistrations } from './factories.ts';
import { startApp, withKey } from './harness.ts';
import { createMember, keysPath, makeKey } from './members.ts';
import { type GeneratedRequest, requestsTo } from './requests.ts';

type Headers = Record<string, string>;
type List = { meta: { total: number } };

/** Creates an organization with everything that the document's examples name. */
export async function createDocumentedWorld() {
  const { organizationId, key, eventId } = await createRace({ bibs: ['17', '18', '19'] });
  await configureEvent(eventId, { board_enabled: true });
  const [registrationId = ''] = await createRegistrations(eventId, [{}]);
  const owner = await createMember(organizationId);
  const managed = await makeKey({ organizationId, owner, path: keysPath(organizationId) });
  const { request } = startApp();
  const upload = () =>
    request(`/public/v1/events/${eventId}/results`, {
      method: 'POST',
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: '{"results": [{"bib_number": "17", "chip_time": "01:28:03.512"}]}',
    });
  const passing = await request(`/public/v1/events/${eventId}/passings`, {
    method: 'POST',
    headers: { ...withKey(key), 'Content-Type': 'application/json' },
    body: '{"passings": [{"bib_number": "17", "point": "Km 10", "time": "41:28"}]}',
  });
  const { upload_id } = await passing.json<{ upload_id: string }>();
  const { batch_id } = await (await upload()).json<{ batch_id: string }>();
  await request(`/api/v1/organizations/${organizationId}/events/${eventId}/results/official`, {
    method: 'POST',
    headers: owner.headers,
  });
  /** The version in the example is no longer the result's version. */
  async function ofPresent(body: GeneratedRequest['body']) {
    if (typeof body !== 'string' || !body.includes('"version":2')) return body;
    const path = `/public/v1/events/${eventId}/results/17/history`;
    const { meta } = await (await request(path, { headers: withKey(key) })).json<List>();
    return body.replace('"version":2', `"version":${meta.total}`);
  }
  const ids = {
    event_id: eventId,
    bib_number: '17',
    inscription_id: registrationId,
    batch_id,
    upload_id,
    organization_id: organizationId,
    key_id: managed.id,
    after: registrationId,
    version: '1',
  };
  return {
    ids,
    owner,

    /** The headers for each security requirement of an operation. */
    credentialsOf: ({ security }: DocumentedOperation): Headers[] =>
      security.flatMap(Object.keys).map((name) => {
        const scheme = document.components.securitySchemes[name];
        if (scheme?.type === 'apiKey') return { [scheme.name]: key };
        return name === 'panelSession' ? owner.headers : withKey(key);
      }),

    /** The request of the operation's examples, with these ids in its path. */
    exampleOf(operation: DocumentedOperation, others: Partial<typeof ids> = {}): GeneratedRequest {
      const [example] = requestsTo(operation, { ...ids, ...others });
      if (!example) throw new Error('The operation has no example request.');
      return example;
    },

    async send(
      generated: GeneratedRequest,
      credentials: Headers,
      ask = request,
    ): Promise<Response> {
      // The deleted or corrected result exists again.
      const isChange = generated.method === 'DELETE' || generated.method === 'PATCH';
      if (isChange && generated.target.includes('/results/')) await upload();
      const { method, target, headers } = generated;
      const body = method === 'PATCH' ? await ofPresent(generated.body) : generated.body;
      return ask(target, {
        method,
        headers: { ...headers, ...credentials },
        ...(body !== undefined && { body }),
      });
    },
  };
}

export type DocumentedWorld = Awaited<ReturnType<typeof createDocumentedWorld>>;
