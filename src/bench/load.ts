import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import * as z from 'zod';

const Order = z.object({
  url: z.string(),
  keys: z.array(z.string()),
  connections: z.int(),
  forMs: z.number(),
});

/** What is asked for, and for how long; each request takes the next key. */
export type Order = z.infer<typeof Order>;

const Load = z.object({ requests: z.int(), perSecond: z.number(), clientCpuMs: z.number() });

export type Load = z.infer<typeof Load>;

/**
 * Sends requests over some connections, each as soon as the one before it is answered, from a process
 * of its own: what the client computes is then counted apart.
 */
export async function putLoad(order: Order): Promise<Load> {
  const child = fork(import.meta.filename, [JSON.stringify(order)]);
  const told = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [])]);
  return Load.parse(told[0]);
}

async function load({ url, keys, connections, forMs }: Order): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let sent = 0;
  const send = () =>
    new Promise<void>((resolve, reject) => {
      sent += 1;
      const key = keys[sent % keys.length] ?? '';
      get(url, { agent, headers: { 'X-API-Key': key } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.resume().on('end', resolve);
      }).on('error', reject);
    });
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < startedAt + forMs) await send();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { requests: sent, perSecond: sent / seconds, clientCpuMs: (user + system) / 1_000 };
}

if (process.argv[1] === import.meta.filename) {
  process.send?.(await load(Order.parse(JSON.parse(process.argv[2] ?? ''))));
  process.disconnect();
}
