import { describe, expect, test } from 'vitest';
import { documentedOperations } from '../../testing/documented.ts';
import { createDocumentedWorld } from '../../testing/documented-world.ts';
import { startApp } from '../../testing/harness.ts';

const { request } = startApp();
const reads = documentedOperations.filter(
  ({ method, path }) => method === 'GET' && path.startsWith('/public/v1/'),
);

describe('a read with a key', () => {
  test.each(reads.map((read) => [read.operationId, read] as const))(
    'answers %s with an ETag, and with 304 while nothing changes',
    async (id, read) => {
      const { ids, credentialsOf } = await createDocumentedWorld();
      const values = new Map<string, string>(Object.entries(ids));
      const path = read.path.replaceAll(/\{(\w+)\}/g, (_, name) => values.get(name) ?? '');
      const needed = id === 'lookupEventParticipants' ? '?bib=17' : '';
      const [credentials = {}] = credentialsOf(read);
      const ask = (headers = {}) =>
        request(path + needed, { headers: { ...credentials, ...headers } });
      const first = await ask();
      expect(first.status).toBe(200);
      const tag = first.headers.get('ETag') ?? '';
      expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
      expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
      await first.body?.cancel();
      const again = await ask({ 'If-None-Match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'));
    },
  );
});

test('lets no cache keep the answer about a missing version', async () => {
  const { ids, credentialsOf } = await createDocumentedWorld();
  const read = reads.find(({ operationId }) => operationId === 'getOfficialResults');
  const [headers = {}] = read ? credentialsOf(read) : [];
  const path = `/public/v1/events/${ids.event_id}/results/official/2`;
  const response = await request(path, { headers });
  expect(response.status).toBe(404);
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
  expect(response.headers.get('ETag')).toBeNull();
});
