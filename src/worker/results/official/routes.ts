import type { Context } from 'hono';
import * as z from 'zod/mini';
import { requireManager } from '../../auth/panel/require-manager.ts';
import { plannedForEvent } from '../../db/planned.ts';
import type { RowStream } from '../../db/row-stream.ts';
import { OFFICIAL_BYTES_MAX, OFFICIAL_MAX } from '../../db/sql.ts';
import { following, type Statement } from '../../db/statement.ts';
import { EXPORT_BUDGET_MS } from '../../db/streamed-statement.ts';
import { invalid, notFound, unavailable } from '../../errors.ts';
import { changing } from '../../events/changing.ts';
import { findManagedEvent } from '../../events/panel-queries.ts';
import { busyWithUploads } from '../../http/arrival.ts';
import { type AppEnv, senderOf } from '../../http/context.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { attachment, etagOf } from '../../http/export.ts';
import { Hono } from '../../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../../http/pagination.ts';
import { streamText } from '../../http/text-stream.ts';
import { nextPieceOf } from '../../http/turn.ts';
import { EventPath, eventNotFound, oneText } from '../../http/validation.ts';
import { later } from '../../later.ts';
import { pair } from '../pair.ts';
import type { OfficialResults } from './answer-schemas.ts';
import { documentOf, fileOf, seal, unsealed } from './document.ts';
import { keepBeside } from './keep-beside.ts';
import {
  type FoundVersion,
  findOfficial,
  findOfficialEvent,
  insertOfficial,
  listOfficial,
  type ReaderKind,
  readOfficial,
  readOfficialRows,
} from './queries.ts';

/** The form of a signature's payload. */
const FORMAT = 2;

const TYPE = 'application/x-ndjson';
/** The digest in an address decides the answer, also after a restore of the database. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

/** A malformed version becomes 0, which no event has, so the answer is 404. */
const VersionPath = later(() =>
  z.extend(EventPath(), {
    version: z.catch(z.pipe(z.string().check(z.regex(/^\d{1,4}$/)), z.transform(Number)), 0),
  }),
);

type VersionPath = z.output<ReturnType<typeof VersionPath>>;

/** A malformed digest becomes '', which no version has, so the answer is 404. */
export const VersionQuery = later(() => z.object({ digest: z.catch(z.optional(oneText()), '') }));

type VersionQuery = z.output<ReturnType<typeof VersionQuery>>;

const listing = (
  reader: ReaderKind,
): Endpoint<
  unknown,
  z.output<ReturnType<typeof EventPath>>,
  PageQuery,
  unknown,
  unknown,
  readonly [ReturnType<(typeof listOfficial)[ReaderKind]>]
> => ({
  weight: 'heavy',
  param: EventPath,
  query: PageQuery,
  statements: ({ param: { event_id: eventId }, query }) => [
    following([plannedForEvent()], listOfficial[reader]({ eventId, ...limits(query) })),
  ],
  answer([pages], { c, param: { event_id: eventId }, query }) {
    for (const page of pages) keepBeside(c, eventId, page);
    return answerPage(c, pages, query, rowsOf);
  },
});

type VersionStatements = readonly [Statement<FoundVersion[]>, Statement<RowStream<Uint8Array>>];

/** The statements behind a version as a file. */
export const readVersion = (
  { event_id: eventId, version }: VersionPath,
  reader: ReaderKind,
): VersionStatements => [
  findOfficial[reader]({ eventId, version }),
  readOfficial[reader]({ eventId, version }),
];

/** Answers a version as a file, in pieces. @throws ApiError NOT_FOUND */
export function answerVersion(
  c: Context<AppEnv>,
  [[event], stream]: readonly [readonly FoundVersion[], RowStream<Uint8Array>],
  version: number,
  digest = event?.digest,
): Response {
  if (!event?.signature || event.digest !== digest) {
    stream.cancel();
    throw event ? versionNotFound() : eventNotFound();
  }
  c.header('Content-Type', `${TYPE}; charset=utf-8`);
  c.header('Content-Disposition', attachment(event, `official results ${version}`, 'jsonl'));
  if (c.req.method === 'HEAD') {
    stream.cancel();
    return c.body(null);
  }
  const file = fileOf(event.signature, unsealed(stream.rows));
  return c.body(
    streamText(file, { release: stream.cancel, turn: c.get('turn'), nextPiece: nextPieceOf(c) }),
  );
}

const reading = (
  reader: ReaderKind,
): Endpoint<
  unknown,
  VersionPath,
  VersionQuery | undefined,
  unknown,
  unknown,
  VersionStatements
> => ({
  weight: 'heavy',
  param: VersionPath,
  // A page keeps no copy for ever.
  ...(reader === 'key' && { query: VersionQuery }),
  statements: ({ param }) => readVersion(param, reader),
  async answer(answers, { c, param, query }) {
    const digest = query?.digest;
    const answer = answerVersion(c, answers, param.version, digest);
    // A copy on the board is short-lived: the board may be switched off.
    if (reader === 'key') {
      if (digest !== undefined) answer.headers.set('Cache-Control', IMMUTABLE);
      // The signature states the digest of the document.
      answer.headers.set('ETag', await etagOf(TYPE, [], answers[0][0]?.signature ?? ''));
    }
    return answer;
  },
});

/** The list of official versions, and the versions themselves. */
export const officialPairs = [
  pair({
    method: 'get',
    path: '/results/official',
    scope: 'events:read',
    ids: { key: 'listOfficialResults', member: 'listOrganizationOfficialResults' },
    endpoint: listing,
  }),
  pair({
    method: 'get',
    path: '/results/official/:version',
    scope: 'events:read',
    ids: { key: 'getOfficialResults', member: 'getOrganizationOfficialResults' },
    endpoint: reading,
  }),
];

/** Makes a version. */
export const organizationOfficialRoutes = new Hono<AppEnv>().post(
  '/',
  requireManager(
    'makeResultsOfficial',
    changing({
      weight: 'heavy',
      param: EventPath,
      statements: ({ param: { event_id: eventId } }) => [
        findOfficialEvent({ eventId }),
        following([plannedForEvent(EXPORT_BUDGET_MS)], readOfficialRows({ eventId })),
      ],
      async write([[event], stream], { c, caller: { userId }, run }) {
        const services = c.get('services');
        const memory = holdDocument(c);
        let content = '';
        async function* pieces() {
          for await (const piece of stream.rows) {
            content = piece.digest;
            yield piece;
          }
        }
        try {
          if (!event) throw eventNotFound();
          if (event.versions >= OFFICIAL_MAX) throw tooManyVersions();
          const sealed = await seal(documentOf(pieces()), memory.hold);
          const { rows, digest, document } = sealed;
          if (rows === 0) throw noResults();
          const facts = { version: event.next_version, made_at: event.made_at, rows, digest };
          const signature = await services.signer.sign('official-results', {
            ...facts,
            format: FORMAT,
            rank_by: event.rank_by,
            event: { id: event.id, name: event.name, event_date: event.event_date },
            organization: { id: event.organization_id, name: event.organization_name },
          });
          const [inserted, managed] = await run(
            insertOfficial({
              eventId: event.id,
              version: facts.version,
              madeAt: facts.made_at,
              userId,
              rows,
              digest,
              signature,
              content,
              rankBy: event.rank_by,
              document,
            }),
            findManagedEvent({ eventId: event.id }),
          );
          if (managed.length === 0) throw eventNotFound();
          if (inserted.length === 0) throw madeByAnother();
          const answer: OfficialResults = {
            ...facts,
            state: 'official',
            user_id: userId,
            signature,
            rank_by: event.rank_by,
            changes: null,
          };
          return { answer: c.json(answer, 201), logged: { rows } };
        } finally {
          stream.cancel();
          memory.release();
        }
      },
    }),
  ),
);

/**
 * Memory for a document during its making. `hold` throws an ApiError if the document is too large, or other requests
 * hold the memory.
 */
function holdDocument(c: Context<AppEnv>) {
  const { large } = c.get('services').gate;
  const holder = {};
  const release = () => large.release(holder);
  // After the client has gone, no other code of a request is sure to run.
  c.req.raw.signal.addEventListener('abort', release);
  return {
    hold(bytes: number): void {
      if (bytes > OFFICIAL_BYTES_MAX) throw documentTooLarge();
      // The document travels in base64.
      if (!large.hold(holder, senderOf(c), Math.ceil((bytes * 4) / 3))) throw busyWithUploads();
    },
    release,
  };
}

/** The public keys for the verification of official versions. The keys need no API key and cost no trip. */
export const publicKeyRoutes = new Hono<AppEnv>().get('/jwks.json', (c) => {
  const keys = c.get('services').signer.publicKeys();
  c.header('Cache-Control', 'public, max-age=3600');
  return c.json(keys);
});

export const versionNotFound = () => notFound('This official version');

export const noResults = () =>
  invalid('no_results', 'This event has no results, so there is nothing to make official.');

export const tooManyVersions = () =>
  invalid(
    'too_many_versions',
    `This event has ${OFFICIAL_MAX} official versions, and no event has more. Each of them stays.`,
    { values: { most: OFFICIAL_MAX } },
  );

const documentTooLarge = () =>
  invalid(
    'document_too_large',
    `The results, compressed, are larger than ${OFFICIAL_BYTES_MAX / 2 ** 20} MiB. Results with fewer splits fit.`,
    { values: { most: OFFICIAL_BYTES_MAX / 2 ** 20 } },
  );

export const madeByAnother = () =>
  unavailable('Somebody else made a version at the same moment. Look at it, and try again.', 1);
