import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod';
import { generateApiKey } from '../caller/api-key.ts';
import { invalid, notFound } from '../errors.ts';
import { parseJson, readText, requireContentType } from '../http/body.ts';
import { PageQuery, pageOf } from '../http/pagination.ts';
import { invalidInput, query } from '../http/validation.ts';
import { type MemberEnv, manager, organizationNotFound } from '../member/member.ts';
import { toApiKeyRecord } from './api-key-record.ts';
import {
  countApiKeys,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  storedSecret,
} from './queries.ts';
import { type ApiKeyIn, apiKeyIn, type CreatedApiKey, type RotatedApiKey } from './schemas.ts';

const BODY_MAX = 64 * 1_024;

const keyPath = zValidator('param', z.object({ key_id: z.guid() }), (result) => {
  if (!result.success) throw keyNotFound();
});

/** Key management from the organization's panel (contract section 4.8). */
export const apiKeyRoutes = new Hono<MemberEnv>()

  .post('/', manager, async (c) => {
    const { member, services } = c.var;
    const input = await readApiKeyIn(c.req.raw, services.now());
    const key = generateApiKey();
    const [[created]] = await member.ask(createApiKey(member, input, await storedSecret(key)));
    if (!created) throw organizationNotFound();
    const answer: CreatedApiKey = {
      ...toApiKeyRecord(created),
      api_key: key,
      message: 'Save this API key now, where only your backend reads it: it is never shown again.',
    };
    return c.json(answer, 201);
  })

  .get('/', manager, query(PageQuery), async (c) => {
    const { member, facts } = c.var;
    const page = c.req.valid('query');
    const [counted, rows] = await member.ask(countApiKeys(member), listApiKeys(member, page));
    facts.rows = rows.length;
    return c.json(pageOf(rows.map(toApiKeyRecord), counted, page));
  })

  .post('/:key_id/rotate', manager, keyPath, async (c) => {
    const { member } = c.var;
    const { key_id } = c.req.valid('param');
    const key = generateApiKey();
    const [[rotated], [known]] = await member.ask(
      rotateApiKey(member, key_id, await storedSecret(key)),
      findApiKey(member, key_id),
    );
    if (!known) throw keyNotFound();
    if (!rotated) throw invalid('A revoked API key cannot be rotated. Create another.');
    const answer: RotatedApiKey = { ...toApiKeyRecord(rotated), api_key: key };
    return c.json(answer);
  })

  .delete('/:key_id', manager, keyPath, async (c) => {
    const { member } = c.var;
    const { key_id } = c.req.valid('param');
    const [, [known]] = await member.ask(revokeApiKey(member, key_id), findApiKey(member, key_id));
    if (!known) throw keyNotFound();
    return c.body(null, 204);
  });

/** @throws ApiError VALIDATION_ERROR */
async function readApiKeyIn(request: Request, now: Date): Promise<ApiKeyIn> {
  requireContentType(request, 'application/json');
  const sent = parseJson(await readText(request, BODY_MAX));
  const parsed = apiKeyIn(now).safeParse(sent);
  if (!parsed.success) throw invalidInput(parsed.error, sent);
  return parsed.data;
}

const keyNotFound = () => notFound('This API key');
