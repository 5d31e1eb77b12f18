import { zValidator } from '@hono/zod-validator';
import * as z from 'zod/mini';
import { generateApiKey } from '../auth/api-key/api-key.ts';
import {
  type MemberEnv,
  organizationNotFound,
  requireManager,
} from '../auth/panel/require-manager.ts';
import { invalid, notFound } from '../errors.ts';
import { Hono } from '../http/hono.ts';
import { readJson } from '../http/json-body.ts';
import { onlyKnown } from '../http/known-inputs.ts';
import { answerPage, limits, PageQuery, rowsOf } from '../http/pagination.ts';
import { query } from '../http/validation.ts';
import type { CreatedApiKey, RotatedApiKey } from './answer-schemas.ts';
import {
  createApiKey,
  findApiKey,
  listApiKeyEvents,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
  storedSecret,
} from './queries.ts';
import { ApiKeyNameIn, apiKeyIn } from './schemas.ts';

const keyPath = zValidator('param', z.object({ key_id: z.guid() }), (result) => {
  if (!result.success) throw keyNotFound();
});

/** Key management from the organization's panel. */
export const apiKeyRoutes = new Hono<MemberEnv>()

  .post('/', requireManager, onlyKnown({ hasBody: true }), async (c) => {
    const { member, services } = c.var;
    const input = await readJson(c, apiKeyIn(services.now()), member.userId);
    const key = generateApiKey();
    const [[created]] = await member.run(
      createApiKey({
        ...input,
        ...(await storedSecret(key)),
        expires_at: input.expires_at ?? null,
      }),
    );
    if (!created) throw organizationNotFound();
    const answer: CreatedApiKey = {
      ...created,
      created_by: member.userId,
      api_key: key,
      message: 'Save this API key now, where only your backend reads it: it is never shown again.',
    };
    return c.json(answer, 201);
  })

  .get('/', requireManager, query(PageQuery), async (c) => {
    const page = c.req.valid('query');
    const [pages] = await c.var.member.run(listApiKeys(limits(page)));
    return answerPage(c, pages, page, rowsOf);
  })

  .get('/:key_id/events', requireManager, keyPath, query(PageQuery), async (c) => {
    const { key_id: keyId } = c.req.valid('param');
    const page = c.req.valid('query');
    const [pages] = await c.var.member.run(listApiKeyEvents({ keyId, ...limits(page) }));
    return answerPage(c, pages, page, rowsOf, keyNotFound);
  })

  .patch('/:key_id', requireManager, onlyKnown({ hasBody: true }), keyPath, async (c) => {
    const { member } = c.var;
    const { key_id } = c.req.valid('param');
    const { name } = await readJson(c, ApiKeyNameIn, member.userId);
    const [, [renamed]] = await member.run(
      renameApiKey({ keyId: key_id, name }),
      findApiKey({ keyId: key_id }),
    );
    if (!renamed) throw keyNotFound();
    return c.json(renamed);
  })

  .post('/:key_id/rotate', requireManager, onlyKnown({}), keyPath, async (c) => {
    const { member } = c.var;
    const { key_id } = c.req.valid('param');
    const key = generateApiKey();
    const [[rotated], [known]] = await member.run(
      rotateApiKey({ keyId: key_id, ...(await storedSecret(key)) }),
      findApiKey({ keyId: key_id }),
    );
    if (!known) throw keyNotFound();
    if (!rotated) {
      throw notRotatable(known.revoked_at === null ? 'expired' : 'revoked');
    }
    const answer: RotatedApiKey = { ...rotated, api_key: key };
    return c.json(answer);
  })

  .delete('/:key_id', requireManager, onlyKnown({}), keyPath, async (c) => {
    const { member } = c.var;
    const { key_id } = c.req.valid('param');
    const [, [known]] = await member.run(
      revokeApiKey({ keyId: key_id }),
      findApiKey({ keyId: key_id }),
    );
    if (!known) throw keyNotFound();
    return c.body(null, 204);
  });

export const keyNotFound = () => notFound('This API key');

export const notRotatable = (state: 'expired' | 'revoked') =>
  invalid(`This API key is ${state} and cannot be rotated. Create another.`);
