import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, LOOPBACK, listen, PortTakenError } from './listen.ts';
import { startStack } from './stack.ts';

const portOf = (url: string): number => Number(new URL(url).port);

async function taken(host = LOOPBACK): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0, 'test', host);
  onTestFinished(() => void server.close());
  return port;
}

test('listens on its usual ports', async () => {
  const ports = {
    postgres: await freePort(0, 'test'),
    neon: await freePort(0, 'test'),
    upstash: await freePort(0, 'test'),
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
  const found = [
    stack.postgresUrl,
    stack.workerEnv.DATABASE_URL,
    stack.workerEnv.UPSTASH_REDIS_REST_URL,
  ].map(portOf);
  for (const port of found) expect(Object.values(ports)).not.toContain(port);
  const response = await fetch(`${stack.workerEnv.UPSTASH_REDIS_REST_URL}/`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${stack.workerEnv.UPSTASH_REDIS_REST_TOKEN}` },
    body: '["PING"]',
  });
  expect(await response.json()).toEqual({ result: 'PONG' });
});

test.each([LOOPBACK, '::1'])('says in one line that a port of %s is taken', async (host) => {
  const port = await taken(host);
  await expect(freePort(port, 'the API, which PORT asks for')).rejects.toThrow(
    new PortTakenError(
      `Port ${port} is in use (the API, which PORT asks for). Stop what uses it or choose another.`,
    ),
  );
});
