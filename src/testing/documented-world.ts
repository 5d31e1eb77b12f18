import { type DocumentedOperation, document, documentedOperations } from './documented.ts';
import { configureEvent, createRace, createRegistrations } from './factories.ts';
import { request, withKey } from './harness.ts';
import { createMember, keysPath, makeKey } from './members.ts';
import { type GeneratedRequest, requestsTo } from './requests.ts';
import type { Route } from './routes.ts';

type Headers = Record<string, string>;
type List = { meta: { total: number } };

/** The request of an operation's examples, with these ids in its path and query. */
export function exampleOf(
  operation: DocumentedOperation,
  ids: Record<string, string>,
): GeneratedRequest {
  const [example] = requestsTo(operation, ids);
  if (!example) throw new Error('The operation has no example request.');
  return example;
}

/** The documented operation of a route. */
export function operationOf({ method, path }: Route): DocumentedOperation {
  const documented = path.replaceAll(/:(\w+)/g, '{$1}');
  const found = documentedOperations.find(
    (operation) => operation.method === method && operation.path === documented,
  );
  if (!found) throw new Error(`${method} ${path} is not documented.`);
  return found;
}

/** The request that writes at once, and that fits any result: no dry run, and no version of a document or result. */
export function acting({ target, body, ...example }: GeneratedRequest): GeneratedRequest {
  const [path = '', query] = target.split('?');
  const search = new URLSearchParams(query);
  for (const name of ['dry_run', 'digest']) search.delete(name);
  const sent = typeof body === 'string' ? JSON.parse(body) : undefined;
  const { dry_run: _, confirmed: __, ...rest } = sent ?? {};
  if (typeof rest.version === 'string') delete rest.version;
  return {
    ...example,
    target: search.size > 0 ? `${path}?${search}` : path,
    ...(body !== undefined && { body: sent ? JSON.stringify(rest) : body }),
  };
}

/** A request that the operation refuses: a broken page and half a body. A write refuses an unknown query. */
export const broken = ({ method, target, ...example }: GeneratedRequest): GeneratedRequest => ({
  ...example,
  method,
  target: target.replace(/(\?.*)?$/, '?page=0&dry_run=perhaps'),
  headers: { 'Content-Type': 'application/json' },
  ...(method !== 'GET' && { body: '{' }),
});

/** Sends a generated request. */
export const sendGenerated = (
  { method, target, headers, body }: GeneratedRequest,
  credentials: Headers,
  ask: typeof request = request,
): Promise<Response> =>
  ask(target, {
    method,
    headers: { ...headers, ...credentials },
    ...(body !== undefined && { body }),
  });

/** Creates an organization with everything that the document's examples name. */
export async function createDocumentedWorld() {
  const { organizationId, key, eventId } = await createRace({ bibs: ['17', '18', '19'] });
  await configureEvent(eventId, { board_enabled: true });
  const [registrationId = ''] = await createRegistrations(eventId, [{ distance: '2K Kids' }]);
  const owner = await createMember(organizationId);
  const managed = await makeKey({ organizationId, owner, path: keysPath(organizationId) });
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
    distance: '2K Kids',
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

    exampleOf: (operation: DocumentedOperation, others: Partial<typeof ids> = {}) =>
      exampleOf(operation, { ...ids, ...others }),

    async send(
      generated: GeneratedRequest,
      credentials: Headers,
      ask?: typeof request,
    ): Promise<Response> {
      // The deleted or corrected result exists again.
      const isChange = generated.method === 'DELETE' || generated.method === 'PATCH';
      if (isChange && generated.target.includes('/results/')) await upload();
      const { body: _, ...sent } = generated;
      const body = sent.method === 'PATCH' ? await ofPresent(generated.body) : generated.body;
      return sendGenerated({ ...sent, ...(body !== undefined && { body }) }, credentials, ask);
    },
  };
}

export type DocumentedWorld = Awaited<ReturnType<typeof createDocumentedWorld>>;
