import { OPERATIONS } from '../../../site/openapi/operations.ts';
import { type DocumentedOperation, documentedOperations } from '../../documented.ts';
import { type GeneratedRequest, requestsTo } from '../../requests.ts';
import type { RaceDay } from '../race-day.ts';
import type { WireForm } from './lanes.ts';

const RUNNERS = 60_000;
/** The distance of two runners. Half of all further runners have the commonest distance. */
const RARE = 'Rare 7K';
const COMMON = '10K';
const POINTS = 6;
/** More keys than the rate limit needs for the requests of a measurement. */
const KEYS = 600;
/** As many as their organization's rate limit allows to be busy at once. */
const SESSIONS = 4;

/** An operation of the document, and the weight of its route. */
export type WeighedOperation = DocumentedOperation & {
  weight: (typeof OPERATIONS)[number]['weight'];
  /** Whether the route calls a request light. An upload in the document's form is light. */
  isLight(form: GeneratedRequest): boolean;
};

/** The operations that change the race for later measurements. */
const LAST = /^(makeResultsOfficial|revert|delete|rotate|revoke|correct|swap)/;
export const isLast = ({ operationId }: DocumentedOperation): boolean => LAST.test(operationId);

/** All operations of the document. Operations that change the race stand last. */
export const weighedOperations: readonly WeighedOperation[] = documentedOperations
  .map((operation) => {
    const { weight, weigh } = OPERATIONS.find(({ id }) => id === operation.operationId) ?? {};
    if (!weight) throw new Error(`${operation.operationId} has no route.`);
    const isLight = ({ target }: GeneratedRequest) => {
      const query = Object.fromEntries(new URL(target, 'http://api.test').searchParams);
      return weight === 'light' || (weight === 'by input' && weigh?.(query) === 'light');
    };
    return { ...operation, weight, isLight };
  })
  .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

export type LargeRace = Awaited<ReturnType<typeof createLargeRace>>;

/**
 * An organization with a race of so many results and six times as many passings, and with a value for every parameter
 * of a path.
 */
export async function createLargeRace(day: RaceDay, runners = RUNNERS) {
  const { organizationId, eventId, createKey, createSession } = await day.createRace(0);
  const keys = await Promise.all(Array.from({ length: KEYS }, () => createKey()));
  const tokens = await Promise.all(Array.from({ length: SESSIONS }, createSession));
  const callers = {
    keys: keys.map((key) => ({ 'X-API-Key': key })),
    sessions: tokens.map((token) => ({ Authorization: `Bearer ${token}` })),
  };
  const query = (text: string, values: unknown[] = []) => day.pool.query(text, values);
  await query(
    `with person as (
      insert into persons (id) select gen_random_uuid() from generate_series(1, ${runners}) returning id
    )
    insert into registrations (event_id, person_id, status, given_names, surnames, document, gender, bib_number, chip,
      distance, category, registered_at)
    select $1, id, 'PAID', 'Ada', 'Example ' || n, 'D' || n, (array['F', 'M'])[1 + n % 2], n::text, 'C' || n,
      case when n in (17, 18) then '${RARE}' else (array['21K', '${COMMON}'])[1 + n % 2] end, (array['U20', '20-39', '40+'])[1 + n % 3], now() - n * interval '1 second'
    from (select id, row_number() over () as n from person) numbered`,
    [eventId],
  );
  const batch = await query(
    `insert into result_batches (event_id, api_key_id, source, total_processed, uploaded, updated, not_found, errors,
      duplicates)
    select $1, id, 'json', ${runners}, ${runners}, 0, 0, 0, 0 from api_keys where organization_id = $2 limit 1
    returning id`,
    [eventId, organizationId],
  );
  const batchId = String(batch.rows[0]?.id);
  await query(
    `insert into results (registration_id, event_id, batch_id, status, chip_time_ms, splits)
    select id, event_id, $2, 'FINISHED', 4000000 + bib_number::int * 7919 % 9000000, '{"Km 5": 1200000}'
    from registrations where event_id = $1`,
    [eventId, batchId],
  );
  await query(
    `insert into passings (registration_id, event_id, upload_id, point, time_ms)
    select id, event_id, gen_random_uuid(), 'Km ' || 5 * n, n * 1000000 + bib_number::int * 7919 % 900000
    from registrations, generate_series(1, ${POINTS}) n where event_id = $1`,
    [eventId],
  );
  await query('vacuum analyze');
  const panel = `/api/v1/organizations/${organizationId}`;
  const [session] = callers.sessions;
  if (!session) throw new Error('The organization has no session.');
  const made = await fetch(`${day.origin}${panel}/events/${eventId}/results/official`, {
    method: 'POST',
    headers: session,
  });
  if (made.status !== 201) throw new Error(`The results are not official: ${await made.text()}`);
  const [registration, key] = await Promise.all([
    query(`select id from registrations where event_id = $1 and bib_number = '17'`, [eventId]),
    query('select id from api_keys where organization_id = $1 limit 1', [organizationId]),
  ]);
  const ids = {
    event_id: eventId,
    bib_number: '17',
    inscription_id: String(registration.rows[0]?.id),
    after: String(registration.rows[0]?.id),
    batch_id: batchId,
    organization_id: organizationId,
    key_id: String(key.rows[0]?.id),
    version: '1',
    dry_run: 'true',
  };
  let uses = 0;
  const nextKey = () => keys[uses++ % keys.length] ?? '';

  /** The forms of a request: the document's form, and the form without optional parts. */
  function formsOf(operation: DocumentedOperation): GeneratedRequest[] {
    const plain = {
      ...operation,
      parameters: (operation.parameters ?? []).filter(({ required }) => required),
    };
    const [shown] = requestsTo(operation, ids);
    const [short] = requestsTo(plain, ids);
    return [shown, short].filter((form) => form !== undefined);
  }

  /**
   * The forms with the highest possible cost: the longest page, near and last, alone and with the rarest and the
   * commonest value of each filter. Bib 17 is of the rarest distance, and 19 of the commonest.
   */
  function worstFormsOf(operation: DocumentedOperation): GeneratedRequest[] {
    const [, short] = formsOf(operation);
    const names = (operation.parameters ?? []).map(({ name }) => name);
    if (!short) return [];
    const filters: Record<string, string[]> = {
      distance: [RARE, COMMON],
      category: ['None', '40+'],
      gender: ['X', 'F'],
      status: ['DSQ', 'FINISHED'],
      kit_status: ['DELIVERED', 'PENDING'],
    };
    const sent = names.flatMap((name) => (filters[name] ?? []).map((value) => [name, value]));
    const pages = names.includes('page') ? [1, Math.floor(runners / 100)] : [];
    const queries = [[], ...sent].flatMap((filter) =>
      pages.map((page) => {
        const query = new URLSearchParams(filter.length > 0 ? [filter] : []);
        query.set('page_size', '100');
        query.set('page', String(page));
        return query;
      }),
    );
    const target = new URL(short.target, day.origin);
    const others = short.target.includes('/17') ? [short.target.replace('/17', '/19')] : [];
    return [
      ...others.map((other) => ({ ...short, target: other })),
      ...queries.map((query) => {
        const all = new URLSearchParams([...target.searchParams, ...query]);
        return { ...short, target: `${target.pathname}?${all}` };
      }),
    ];
  }

  /** The headers of all allowed callers of an operation, each with its own rate limit. */
  const callersOf = ({ security }: DocumentedOperation): Record<string, string>[] =>
    callers[Object.hasOwn(security[0] ?? {}, 'panelSession') ? 'sessions' : 'keys'];

  async function send(operation: DocumentedOperation, form: GeneratedRequest): Promise<number> {
    const all = callersOf(operation);
    const { url, ...init } = await onWire(form);
    const headers = { ...init.headers, ...all[uses++ % all.length] };
    const response = await fetch(url, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  }

  /** A form with several parts gets a boundary. */
  async function onWire({ method, target, headers, body }: GeneratedRequest): Promise<WireForm> {
    const url = day.origin + target;
    if (body === undefined) return { method, url, headers };
    const whole = new Request(url, { method, headers, body });
    return {
      method,
      url,
      headers: Object.fromEntries(whole.headers),
      body: new Uint8Array(await whole.arrayBuffer()),
    };
  }

  return {
    path: `/public/v1/events/${eventId}`,
    organizationId,
    eventId,
    nextKey,
    sessions: callers.sessions,
    formsOf,
    worstFormsOf,
    callersOf,
    onWire,
    send,
  };
}
