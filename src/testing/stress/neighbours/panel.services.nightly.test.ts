import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { compareBeside, type Neighbours, SLOW_ONCE, startNeighbours } from './neighbours.ts';

const REQUESTS = 1_000;
const LIMIT = 600;
const AT_ONCE = 10;

let neighbours: Neighbours;

beforeEach(async () => {
  neighbours = await startNeighbours(inject('servers'));
});
afterEach(() => neighbours?.stop());

test(
  'admits 600 of 1000 requests of one session, and serves another organization',
  SLOW_ONCE,
  async () => {
    const { day, quiet } = neighbours;
    const { organizationId, sessionToken } = await day.createRace(1);
    const statuses: Record<number, number> = {};
    const { ratio, ...times } = await compareBeside(quiet.read, async () => {
      let sent = 0;
      const connection = async () => {
        while (sent++ < REQUESTS) {
          const path = `/api/v1/organizations/${organizationId}/api-keys`;
          const headers = { Authorization: `Bearer ${sessionToken}` };
          const response = await fetch(day.origin + path, { headers });
          await response.arrayBuffer();
          statuses[response.status] = (statuses[response.status] ?? 0) + 1;
          if (response.status === 429) {
            expect(Number(response.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, connection));
    });
    process.stdout.write(`ratio ${ratio.toFixed(1)}, ${JSON.stringify({ ...times, statuses })}\n`);
    expect(statuses).toEqual({ 200: LIMIT, 429: REQUESTS - LIMIT });
    expect(ratio).toBeLessThan(10);
  },
);
