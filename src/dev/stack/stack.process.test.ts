import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { choosePort, freePort, LOOPBACK } from './listen.ts';
import { startStack } from './stack.ts';

const portOf = (url: string): number => Number(new URL(url).port);

async function taken(host = LOOPBACK): Promise<number> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' ? Number(address?.port) : 0;
}

test('listens on its usual ports', async () => {
  const ports = {
    postgres: await freePort(),
    neon: await freePort(),
    upstash: await freePort(),
  };
  const stack = await startStack({ ports });
  onTestFinished(stack.stop);
  expect({
    postgres: portOf(stack.postgresUrl),
    neon: portOf(stack.workerEnv.DATABASE_URL),
    upstash: portOf(stack.workerEnv.UPSTASH_REDIS_REST_URL),
  }).toEqual(ports);
});

test('listens on free ports where its usual ones are taken', async () => {
  const ports = { postgres: await taken(), neon: await taken(), upstash: await taken() };
  const stack = await startStack({ ports });
  onTestFinished(stack.stop);
  const usedPorts = [
    stack.postgresUrl,
    stack.workerEnv.DATABASE_URL,
    stack.workerEnv.UPSTASH_REDIS_REST_URL,
  ].map(portOf);
  for (const port of usedPorts) expect(Object.values(ports)).not.toContain(port);
  const response = await fetch(`${stack.workerEnv.UPSTASH_REDIS_REST_URL}/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.workerEnv.UPSTASH_REDIS_REST_TOKEN}` },
    body: '["PING"]',
  });
  expect(await response.json()).toEqual({ result: 'PONG' });
});

test.each([LOOPBACK, '::1'])('leaves the API no port that is taken at %s', async (host) => {
  const port = await taken(host);
  await expect(choosePort(port, port)).rejects.toThrow(
    `Port ${port} is in use, which PORT asks for. Stop what uses it or choose another.`,
  );
  expect(await choosePort(undefined, port)).not.toBe(port);
});

test('takes the port that is asked for, and the usual one otherwise', async () => {
  const [asked, usual] = [await freePort(), await freePort()];
  expect(await choosePort(asked, usual)).toBe(asked);
  expect(await choosePort(undefined, usual)).toBe(usual);
});
