import { beforeAll, expect, test } from 'vitest';
import { ErrorBody } from '../site/openapi/errors.ts';
import { idOfKeys } from '../site/openapi/operations.ts';
import { LIVE_KEYS_MAX } from '../worker/api-keys/queries.ts';
import { generateApiKey } from '../worker/auth/api-key/api-key.ts';
import { createSessions } from '../worker/auth/panel/session.ts';
import { createBoards } from '../worker/board/boards.ts';
import { connect } from '../worker/db/client.ts';
import { OFFICIAL_MAX } from '../worker/db/sql.ts';
import { createGate } from '../worker/gate/gate.ts';
import { createLeases } from '../worker/gate/leases.ts';
import { createTurns } from '../worker/gate/turns.ts';
import { type Copied, writeCursor } from '../worker/http/cursor.ts';
import {
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_NAMES_MAX,
  JSON_ROW_MAX,
  JSON_VALUES_MAX,
} from '../worker/http/json-text.ts';
import { consoleLog } from '../worker/log.ts';
import { POINTS_MAX } from '../worker/passings/schemas.ts';
import { createRefusals, tooManyRefusals } from '../worker/rate-limit/refusals.ts';
import {
  CSV_BODY_MAX,
  JSON_BODY_MAX,
  ROWS_PER_CSV_UPLOAD,
  ROWS_PER_JSON_UPLOAD,
} from '../worker/results/upload/schemas.ts';
import { SCOPES } from '../worker/scopes.ts';
import { type DocumentedOperation, documentedErrors, documentedOperations } from './documented.ts';
import { createDocumentedWorld, type DocumentedWorld } from './documented-world.ts';
import { createEvent, createKey, createOrganization, createRegistrations } from './factories.ts';
import { injectFault, withoutServices } from './faults.ts';
import { limiterThat, startApp, testConfig, withKey } from './harness.ts';
import { createMember, secondsFromNow, signSession, withSession } from './members.ts';
import type { GeneratedRequest } from './requests.ts';
import { postJson } from './uploads.ts';

let world: DocumentedWorld;

beforeAll(async () => {
  world = await createDocumentedWorld();
});

/** The batch of the documented examples. */
const BATCH_ID = 'c0000000-0000-4000-8000-000000000001';

type Provoke = (operation: DocumentedOperation) => Promise<Response>;

/** The outcome of a look-up of unknown names. */
const nothing = () => Promise.resolve(new Set<string>());

/** Sends the operation's example with a change of the example, the sender or the receiver. */
const sending =
  (change: (example: GeneratedRequest) => Partial<GeneratedRequest>): Provoke =>
  (operation) => {
    const example = world.exampleOf(operation);
    const [credentials = {}] = world.credentialsOf(operation);
    return world.send({ ...example, ...change(example) }, credentials);
  };

const sendingAs =
  (credentials: (operation: DocumentedOperation) => Promise<Record<string, string>>): Provoke =>
  async (operation) =>
    world.send(world.exampleOf(operation), await credentials(operation));

const sendingTo =
  (start: () => Promise<ReturnType<typeof startApp>>): Provoke =>
  async (operation) => {
    const [credentials = {}] = world.credentialsOf(operation);
    return world.send(world.exampleOf(operation), credentials, (await start()).request);
  };

const notThere =
  (id: keyof DocumentedWorld['ids']): Provoke =>
  (operation) => {
    const [credentials = {}] = world.credentialsOf(operation);
    return world.send(world.exampleOf(operation, { [id]: crypto.randomUUID() }), credentials);
  };

const withQuery = (change: (query: URLSearchParams) => void) =>
  sending(({ target }) => {
    const url = new URL(target, 'http://api.test');
    change(url.searchParams);
    return { target: url.pathname + url.search };
  });

/** The path of an operation, with the query that moves a start. */
const withShift = (target: string) => `${target.replace(/\?.*/, '')}?shift=true`;

const withText = (body: string, type = 'application/json') =>
  sending(() => ({ headers: { 'Content-Type': type }, body }));

const withFile = (content: string, field = 'file') =>
  sending(() => {
    const body = new FormData();
    body.append(field, new File([content], 'results.csv'));
    return { headers: {}, body };
  });

const named = (key: string) =>
  sending(({ headers }) => ({ headers: { ...headers, 'Idempotency-Key': key } }));

/** A session signed with a key of the panel, which does not answer. */
const unverifiable: Provoke = (operation) => {
  const sessions = createSessions(
    { ...testConfig, PANEL_JWT_SECRET: undefined, PANEL_JWKS_URL: 'https://panel.example/jwks' },
    () => Promise.reject(new Error('away')),
  );
  const token = `${btoa('{"alg":"RS256"}')}.e30.eA`;
  const { request } = startApp(testConfig, { sessions });
  return world.send(world.exampleOf(operation), withSession(token), request);
};

/** The example of an operation with light inputs, with heavy inputs. */
function heavier(example: GeneratedRequest): GeneratedRequest {
  if (example.method === 'GET')
    return { ...example, target: example.target.replaceAll(/(point|bib)=[^&]*/g, '') };
  if (typeof example.body !== 'string') return example;
  const rows = JSON.stringify(Array.from({ length: 101 }, (_, at) => ({ bib_number: `${at}` })));
  return { ...example, body: example.body.replace(/"(results|passings)":\[.*\]/s, `"$1":${rows}`) };
}

const LIST_OF: Record<string, Copied['list']> = {
  exportEventParticipants: 'participants',
  exportEventResults: 'results',
  exportEventPassings: 'passings',
  exportEventStartList: 'start-list',
};

/** A cursor stands alone. */
const withSince = (cursor: string) =>
  sending(({ target }) => ({ target: `${target.replace(/\?.*/, '')}?changed_since=${cursor}` }));

/** Sends a cursor of the list, changed to another event or another database. */
const withCursor =
  (event: { eventId?: string }): Provoke =>
  (operation) => {
    const list = LIST_OF[operation.operationId] ?? 'results';
    const moment = { identity: 'another', cursor: '1', total: 0 };
    const cursor = writeCursor({ list, eventId: world.ids.event_id, ...event }, moment, '');
    return withSince(cursor)(operation);
  };

/** A request for each documented error: by status and name, or by operation as well. */
const PROVOKED: Record<string, Provoke> = {
  '401 missing': sendingAs(async () => ({})),
  '401 malformed': sendingAs(async () => withKey('er_live_short')),
  '401 dead': sendingAs(async () => withKey(generateApiKey())),
  '401 invalid': sendingAs(async () => withSession('x')),
  '401 expired': sendingAs(async () =>
    withSession(await signSession({ sub: world.owner.userId, exp: secondsFromNow(-60) })),
  ),
  '403 scope': sendingAs(async ({ security }) => {
    const needed = Object.values(security[0] ?? {}).flat();
    const scopes = SCOPES.filter((scope) => !needed.includes(scope));
    return withKey(await createKey(world.ids.organization_id, { scopes }));
  }),
  '403 member': sendingAs(
    async () => (await createMember(world.ids.organization_id, 'member')).headers,
  ),
  '404 board': notThere('event_id'),
  '404 runner': sending(({ target }) => ({ target: target.replace(/[^/]+$/, 'nobody') })),
  '413 event': sendingTo(async () =>
    startApp(testConfig, {
      boards: createBoards({
        db: connect(testConfig.DATABASE_URL),
        log: consoleLog,
        now: Date.now,
        fetch: async () => new Response(null, { status: 413 }),
      }),
    }),
  ),
  '429 missing': sendingTo(async () =>
    startApp(testConfig, {
      refusals: {
        ...createRefusals(undefined, {
          liveKeys: nothing,
          openBoards: nothing,
          openCodes: nothing,
        }),
        boards: { isOver: () => true, isOpen: async () => false, add: async () => {} },
      },
    }),
  ),
  '400 distance': withQuery((query) => query.set('distance', '\0')),
  '404 event_id': notThere('event_id'),
  '404 bib_number': notThere('bib_number'),
  '404 distance': notThere('distance'),
  '404 organization_id': notThere('organization_id'),
  '404 key_id': notThere('key_id'),
  '404 batch_id': notThere('batch_id'),
  '404 upload_id': notThere('upload_id'),
  '404 inscription_id': notThere('inscription_id'),
  '404 version': notThere('version'),
  '400 cursor': withSince('yesterday'),
  '400 foreignCursor': withCursor({ eventId: crypto.randomUUID() }),
  '400 restored': withCursor({}),
  '400 filterBesideCursor': withSince('&distance=21K'),
  '400 dryRun': withQuery((query) => query.set('dry_run', 'yes')),
  '400 idempotencyKey': named('finish 17'),
  '400 otherContent': async (operation) => {
    const key = crypto.randomUUID();
    await named(key)(operation);
    const form = new FormData();
    form.append('file', new File(['bib,time\n18,1:30:00\n'], 'results.csv'));
    const empty = { passings: [], results: [] };
    const body = operation.path.endsWith('/file') ? form : JSON.stringify(empty);
    const provoke = sending(({ headers }) => ({
      headers: { ...headers, 'Idempotency-Key': key },
      body,
    }));
    return provoke(operation);
  },
  '400 unknown': withQuery((query) => query.set('dryrun', 'true')),
  '400 noBody': withText('{"dry_run": true}'),
  '400 page': withQuery((query) => query.set('page', '0')),
  '400 pageSize': withQuery((query) => query.set('page_size', '101')),
  '400 after': withQuery((query) => query.set('after', '17')),
  '404 after': withQuery((query) => query.set('after', crypto.randomUUID())),
  '400 status': withQuery((query) => query.set('status', 'GONE')),
  '400 kitStatus': withQuery((query) => query.set('kit_status', 'LOST')),
  '400 nothing': withQuery((query) => {
    for (const name of ['bib', 'chip', 'document']) query.delete(name);
  }),
  '400 shape': withText('{"results": {}}'),
  '400 json': withText(''),
  '400 finished': withText('{"chip_time": null, "gun_time": null}'),
  '400 time': withText('{"chip_time": "1h28"}'),
  '409 unlikely': withText('{"chip_time": "25:00:00", "gun_time": null}'),
  // No column could number so many versions. The answer names the true version, which concurrent operations raise in
  // the shared world.
  '409 changed': async (operation) => {
    const fresh = await createDocumentedWorld();
    const example = fresh.exampleOf(operation);
    const stale = {
      ...example,
      headers: { 'Content-Type': 'application/json' },
      body: '{"status": "DNF", "version": "c0000000-0000-4000-8000-00000000ffff"}',
    };
    const answer = await fresh.send(stale, fresh.owner.headers);
    const said = (await answer.text()).replace(fresh.ids.batch_id, BATCH_ID);
    return new Response(said, answer);
  },
  '400 shift': async (operation) => {
    const fresh = await createDocumentedWorld();
    const [credentials = {}] = fresh.credentialsOf(operation);
    const example = fresh.exampleOf(operation);
    return fresh.send({ ...example, target: withShift(example.target) }, credentials);
  },
  '409 impossible': async (operation) => {
    const fresh = await createDocumentedWorld();
    const { organization_id, event_id } = fresh.ids;
    const key = await createKey(organization_id);
    const row = { bib_number: '17', gun_time: '0:00:10' };
    const path = `/public/v1/events/${event_id}`;
    await postJson({ path, key }, JSON.stringify({ results: [row] }));
    const [credentials = {}] = fresh.credentialsOf(operation);
    const example = fresh.exampleOf(operation);
    const send = (version: number, time: string, target: string) => {
      const starts_at = `2027-05-09T${time}+02:00`;
      const starts = [{ name: 'Wave', bib_from: 17, bib_to: 17, starts_at }];
      const body = JSON.stringify({ version, starts });
      const headers = { 'Content-Type': 'application/json' };
      return fresh.send({ ...example, target, headers, body }, credentials);
    };
    await send(0, '09:00:00', example.target.replace(/\?.*/, ''));
    return send(1, '09:01:00', withShift(example.target));
  },
  '400 overlap': withText(
    JSON.stringify({
      version: 0,
      starts: ['Wave A', 'Wave B'].map((name) => ({
        name,
        starts_at: '2027-05-09T09:00:00+02:00',
      })),
    }),
  ),
  '400 start': withText('{"version": 0, "starts": [{"name": "10K", "starts_at": "9:00"}]}'),
  '400 twoPoints': withText(
    '{"version": 0, "points": [{"name": "Km 5", "order": 1}, {"name": "KM  5", "order": 2}]}',
  ),
  '409 version': async (operation) => {
    const fresh = await createDocumentedWorld();
    const [credentials = {}] = fresh.credentialsOf(operation);
    const [list = ''] = /(starts|points)$/.exec(operation.path) ?? [];
    const item = list === 'starts' ? { starts_at: '2027-05-09T09:00:00+02:00' } : { order: 1 };
    const body = JSON.stringify({ version: 3, [list]: [{ name: '10K', ...item }] });
    return fresh.send(
      { ...fresh.exampleOf(operation), headers: { 'Content-Type': 'application/json' }, body },
      credentials,
    );
  },
  '400 bibs': withText('{"bib_numbers": ["17", "17"]}'),
  '404 otherBib': withText('{"bib_numbers": ["17", "nobody"]}'),
  '404 nothingToSwap': async (operation) => {
    const [firstBib, secondBib] = [crypto.randomUUID(), crypto.randomUUID()];
    await createRegistrations(
      world.ids.event_id,
      [firstBib, secondBib].map((bib_number) => ({ bib_number })),
    );
    return withText(JSON.stringify({ bib_numbers: [firstBib, secondBib] }))(operation);
  },
  '409 swapped': async (operation) => {
    const swapped = await createDocumentedWorld();
    const { organization_id, event_id } = swapped.ids;
    const key = await createKey(organization_id);
    const race = { path: `/public/v1/events/${event_id}`, key };
    const swap = JSON.stringify({ bib_numbers: ['17', '18'] });
    const { batch_id } = await (await postJson(race, swap, { to: '/results/swap' })).json<{
      batch_id: string;
    }>();
    const corrected = { results: [{ bib_number: '17', chip_time: '1:11:11' }] };
    await postJson(race, JSON.stringify(corrected), { to: '/results' });
    const [credentials = {}] = swapped.credentialsOf(operation);
    return swapped.send(swapped.exampleOf(operation, { batch_id }), credentials);
  },
  'getEventRanking 400 rule': withQuery((query) => query.set('rule', 'net')),
  'updateEventRanking 400 rule': withText('{"rule": "net"}'),
  '400 switch': withText('{"board_enabled": "yes"}'),
  '400 scopes': withText('{"name": "Timing van", "scopes": []}'),
  'createApiKey 400 field': withText(
    '{"name": "Timing van", "scopes": ["events:read"], "expires_On": "2099-12-31T23:59:59Z"}',
  ),
  'createApiKey 400 event': withText(
    '{"name": "Timing van", "scopes": ["events:read"], "event_id": "e0000000-0000-4000-8000-000000000009"}',
  ),
  '400 field': withFile('bib,time\n', 'other'),
  '400 header': withFile('name,time\nRuna,00:41:02\n'),
  '400 revoked': async (operation) => {
    const revoke = documentedOperations.find(({ operationId }) => operationId === 'revokeApiKey');
    if (!revoke) throw new Error('Keys cannot be revoked.');
    const passing = await createDocumentedWorld();
    const [credentials = {}] = passing.credentialsOf(operation);
    await passing.send(passing.exampleOf(revoke), credentials);
    return passing.send(passing.exampleOf(operation), credentials);
  },
  '400 expired': async (operation) => {
    const id = crypto.randomUUID();
    const expires_at = new Date(Date.now() - 60_000);
    await createKey(world.ids.organization_id, { id, expires_at });
    const [credentials = {}] = world.credentialsOf(operation);
    return world.send(world.exampleOf(operation, { key_id: id }), credentials);
  },
  '400 contentType': withText('x', 'text/plain'),
  'uploadEventResults 400 rows': withText(
    JSON.stringify({ results: Array(ROWS_PER_JSON_UPLOAD + 1).fill({}) }),
  ),
  'uploadEventPassings 400 rows': withText(
    JSON.stringify({ passings: Array(ROWS_PER_JSON_UPLOAD + 1).fill({}) }),
  ),
  'uploadEventPassings 400 points': withText(
    JSON.stringify({
      passings: Array.from({ length: POINTS_MAX + 1 }, (_, index) => ({
        bib_number: '17',
        point: `Lap ${index}`,
        time: '41:28',
      })),
    }),
  ),
  '400 points': async (operation) => {
    const full = await createDocumentedWorld();
    const { organization_id, event_id } = full.ids;
    await postJson(
      { path: `/public/v1/events/${event_id}`, key: await createKey(organization_id) },
      JSON.stringify({
        // The world has a point already.
        passings: Array.from({ length: POINTS_MAX - 1 }, (_, index) => ({
          bib_number: '17',
          point: `Lap ${index}`,
          time: '41:28',
        })),
      }),
      { to: '/passings' },
    );
    const [credentials = {}] = full.credentialsOf(operation);
    const example = full.exampleOf(operation);
    // Only a new point of the event is a point too many.
    const target = example.target.replace('point=Km+10', 'point=Km+11');
    return full.send({ ...example, target }, credentials);
  },
  'uploadEventPassings 413 body': withText(' '.repeat(JSON_BODY_MAX + 1)),
  '400 point': withQuery((query) => query.set('point', '')),
  '400 nul': withQuery((query) => query.set('bib', '\0')),
  '400 search': withQuery((query) => query.set('search', '\0')),
  '400 delimiter': withQuery((query) => query.set('delimiter', 'tab')),
  '400 compressed': sending(({ headers }) => ({
    headers: { ...headers, 'Content-Encoding': 'gzip' },
  })),
  '400 depth': withText('['.repeat(JSON_DEPTH_MAX + 1)),
  '400 members': withText(`[${Array(JSON_MEMBERS_MAX + 1).fill(1)}]`),
  '400 values': withText(
    `[[${Array(JSON_VALUES_MAX / JSON_MEMBERS_MAX).fill(`[${Array(JSON_MEMBERS_MAX).fill(1)}]`)}]]`,
  ),
  '400 names': withText(
    JSON.stringify(Array.from({ length: JSON_NAMES_MAX + 1 }, (_, at) => ({ [`Lap ${at}`]: '' }))),
  ),
  '400 rowLength': withText(`[[["${'x'.repeat(JSON_ROW_MAX)}"]]]`),
  '400 column': withQuery((query) => query.set('bib', 'Startnummer')),
  '400 format': withQuery((query) => query.set('time_format', 'dashes')),
  '400 row': withFile(`bib,time\n1,${'x'.repeat(65_536)}`),
  'uploadEventResults 413 body': withText(' '.repeat(JSON_BODY_MAX + 1)),
  '400 rows': withFile(`bib,time\n${'1,\n'.repeat(ROWS_PER_CSV_UPLOAD + 1)}`),
  '413 body': (operation) =>
    (operation.path.includes('/file')
      ? withFile(`bib,time\n${`1,${'1'.repeat(250)}\n`.repeat(CSV_BODY_MAX / 250)}`)
      : withText(' '.repeat(64 * 1_024 + 1)))(operation),
  '429 refusals': sendingTo(async () =>
    startApp(testConfig, {
      rateLimiter: limiterThat('refuses'),
      refusals: {
        ...createRefusals(undefined, {
          liveKeys: nothing,
          openBoards: nothing,
          openCodes: nothing,
        }),
        isKeyOver: () => true,
        isLive: () => Promise.reject(tooManyRefusals()),
      },
    }),
  ),
  '429 overLimit': sendingTo(async () =>
    startApp(testConfig, {
      rateLimiter: limiterThat('refuses'),
      panelLimits: { sessions: limiterThat('refuses'), organizations: limiterThat('admits') },
    }),
  ),
  'createApiKey 400 tooMany': async (operation) => {
    const full = await createOrganization();
    await Promise.all(Array.from({ length: LIVE_KEYS_MAX }, () => createKey(full)));
    const owner = await createMember(full);
    return world.send(world.exampleOf(operation, { organization_id: full }), owner.headers);
  },
  '400 noResults': async (operation) => {
    const { organization_id } = world.ids;
    const event_id = await createEvent(organization_id);
    return world.send(world.exampleOf(operation, { event_id }), world.owner.headers);
  },
  '400 tooManyVersions': async (operation) => {
    const full = await createDocumentedWorld();
    const example = full.exampleOf(operation);
    for (let version = 2; version <= OFFICIAL_MAX; version++) {
      await full.send(example, full.owner.headers);
    }
    return full.send(example, full.owner.headers);
  },
  '503 another': async (operation) => {
    const raced = await createDocumentedWorld();
    const made = await Promise.all(
      Array.from({ length: 3 }, () => raced.send(raced.exampleOf(operation), raced.owner.headers)),
    );
    return made.find(({ status }) => status === 503) ?? Response.error();
  },
  '500 bug': sendingTo(async () =>
    startApp(await injectFault(testConfig, 'postgres', { kind: 'sqlstate', sqlstate: '42601' })),
  ),
  '503 database': sendingTo(async () => startApp(withoutServices(testConfig, 'postgres'))),
  '503 sessions': unverifiable,
  '503 uploads': sendingTo(async () => {
    const none = createLeases({ total: 0 });
    return startApp(testConfig, { gate: { ...createGate(), small: none, large: none } });
  }),
  '503 turn': async (operation) => {
    const full = createTurns({ total: 0 });
    const none = { ...full, wait: (sender: string) => full.wait(sender, { patienceMs: 0 }) };
    const { request } = startApp(testConfig, {
      gate: { ...createGate(), heavy: none, files: none },
    });
    const [credentials = {}] = world.credentialsOf(operation);
    return world.send(heavier(world.exampleOf(operation)), credentials, request);
  },
};

test.each(documentedOperations.map((operation) => [operation.operationId, operation] as const))(
  'answers exactly the documented errors of %s',
  async (id, operation) => {
    const errors = documentedErrors(operation);
    expect(errors.length).toBeGreaterThan(4);
    const answers: unknown[] = [];
    for (const { status, name } of errors) {
      const provoke =
        PROVOKED[`${idOfKeys(id)} ${status} ${name}`] ?? PROVOKED[`${status} ${name}`];
      if (!provoke) throw new Error(`No request of this test provokes ${id} ${status} ${name}.`);
      const response = await provoke(operation);
      const { code, detail } = ErrorBody.parse(await response.json());
      const said = detail.replace(response.headers.get('X-Request-Id') ?? '', REQUEST_ID);
      answers.push({ status: response.status, name, value: { code, detail: said } });
    }
    expect(answers).toEqual(errors);
  },
);

const REQUEST_ID = 'd0000000-0000-4000-8000-000000000001';
