import * as z from 'zod/mini';
import { organizationNotFound, requireManager } from '../auth/panel/require-manager.ts';
import { following } from '../db/statement.ts';
import { invalid, notFound, unavailable } from '../errors.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { uuidOrNil } from '../http/validation.ts';
import { later } from '../later.ts';
import type { ApiKeyUses, CreatedApiKey, RotatedApiKey } from './answer-schemas.ts';
import {
  countLiveKeys,
  createApiKey,
  findApiKey,
  LIVE_KEYS_MAX,
  listApiKeyEvents,
  listApiKeys,
  lockKeyCreation,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from './queries.ts';
import { ApiKeyIn, ApiKeyNameIn, requireFuture } from './schemas.ts';

const KeyPath = later(() => z.object({ key_id: uuidOrNil() }));

/** Key management from the organization's panel. */
export const apiKeyRoutes = new Hono<AppEnv>()

  .post(
    '/',
    requireManager('createApiKey', {
      weight: 'light',
      body: ApiKeyIn,
      statements: ({ c, body }) => {
        requireFuture(body.expires_at, c.get('services').now());
        return [following([lockKeyCreation({})], createApiKey(body)), countLiveKeys({})] as const;
      },
      answer: ([[created], [live]], { c, caller, body }) => {
        if (!created && live && live.total >= LIVE_KEYS_MAX) throw tooManyKeys();
        if (!created) throw body.event_id ? foreignEvent(body.event_id) : organizationNotFound();
        const answer: CreatedApiKey = {
          ...created,
          created_by: caller.userId,
          message:
            'Save this API key now, where only your backend reads it: it is never shown again.',
        };
        return c.json(answer, 201);
      },
    }),
  )

  .get(
    '/',
    requireManager('listApiKeys', {
      weight: 'light',
      query: PageQuery,
      statements: ({ query }) => [listApiKeys(limits(query))],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf),
    }),
  )

  .get(
    '/:key_id/events',
    requireManager('listApiKeyEvents', {
      weight: 'light',
      param: KeyPath,
      query: PageQuery,
      statements: ({ param, query }) => [
        listApiKeyEvents({ keyId: param.key_id, ...limits(query) }),
      ],
      answer: ([pages], { c, query }) => answerPage(c, pages, query, rowsOf, keyNotFound),
    }),
  )

  .get(
    '/:key_id/uses',
    requireManager('getApiKeyUses', {
      weight: 'light',
      param: KeyPath,
      statements: ({ param: { key_id: keyId } }) => [findApiKey({ keyId })],
      answer: async ([[known]], { c, param }) => {
        if (!known) throw keyNotFound();
        const { uses, now } = c.get('services');
        const days = await uses.read(param.key_id, now()).catch((cause: unknown) => {
          throw usesAway(cause);
        });
        const answer: ApiKeyUses = {
          days: days.map(({ day, requests, personal, refusals, isComplete }) => ({
            day,
            requests,
            personal_reads: personal,
            refusals,
            is_complete: isComplete,
          })),
        };
        return c.json(answer);
      },
    }),
  )

  .patch(
    '/:key_id',
    requireManager('renameApiKey', {
      weight: 'light',
      param: KeyPath,
      body: ApiKeyNameIn,
      statements: ({ param: { key_id: keyId }, body: { name } }) => [
        following([renameApiKey({ keyId, name })], findApiKey({ keyId })),
      ],
      answer: ([[renamed]], { c }) => {
        if (!renamed) throw keyNotFound();
        return c.json(renamed);
      },
    }),
  )

  .post(
    '/:key_id/rotate',
    requireManager('rotateApiKey', {
      weight: 'light',
      param: KeyPath,
      statements: ({ param: { key_id: keyId } }) => [
        rotateApiKey({ keyId }),
        findApiKey({ keyId }),
      ],
      answer: ([[rotated], [known]], { c }) => {
        if (!known) throw keyNotFound();
        if (!rotated) throw notRotatable(known.revoked_at === null ? 'expired' : 'revoked');
        const answer: RotatedApiKey = rotated;
        return c.json(answer);
      },
    }),
  )

  .delete(
    '/:key_id',
    requireManager('revokeApiKey', {
      weight: 'light',
      param: KeyPath,
      statements: ({ param: { key_id: keyId } }) => [
        following([revokeApiKey({ keyId })], findApiKey({ keyId })),
      ],
      answer: ([[known]], { c }) => {
        if (!known) throw keyNotFound();
        return c.body(null, 204);
      },
    }),
  );

const usesAway = (cause: unknown) =>
  unavailable('The counter of requests does not answer. Ask again in a minute.', 60, cause);

export const keyNotFound = () => notFound('This API key');

/** @param eventId a uuid */
export const foreignEvent = (eventId: string) =>
  invalid(
    'invalid_input',
    `event_id: expected the id of an event of this organization, not "${eventId}".`,
  );

export const tooManyKeys = () =>
  invalid(
    'too_many_keys',
    `The organization has ${LIVE_KEYS_MAX} live API keys, the most that it may have. Revoke one that is not used.`,
    { values: { most: LIVE_KEYS_MAX } },
  );

export const notRotatable = (state: 'expired' | 'revoked') =>
  invalid('key_not_live', `This API key is ${state} and cannot be rotated. Create another.`, {
    values: { case: state },
  });
