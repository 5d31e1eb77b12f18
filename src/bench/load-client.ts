import { setTimeout as sleep } from 'node:timers/promises';

/** A request, and its body if it is an upload. */
export type Sent = { url: string; key: string; body?: string };
export type Load = { requests: readonly Sent[]; perSecond: number; seconds: number };
export type Measured = { latenciesMs: number[]; failures: string[] };

const TICK_MS = 5;

/** Sends the requests in turns at a fixed rate, whatever is still unanswered, as many independent clients do. */
async function run({ requests, perSecond, seconds }: Load): Promise<Measured> {
  const measured: Measured = { latenciesMs: [], failures: [] };
  const waiting: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond;
    for (; sent < Math.min(due, perSecond * seconds); sent++) {
      const request = requests[sent % requests.length];
      // A request that leaves late has waited since it was due.
      const dueAt = startedAt + (sent / perSecond) * 1_000;
      if (request) waiting.push(send(request, dueAt, measured));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(waiting);
  return measured;
}

async function send({ url, key, body }: Sent, dueAt: number, measured: Measured): Promise<void> {
  try {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const response = await fetch(url, body ? { method: 'POST', headers, body } : { headers });
    const text = await response.text();
    if (response.status !== 200) measured.failures.push(`${response.status} ${text.slice(0, 200)}`);
  } catch (error) {
    measured.failures.push(String(error));
  }
  measured.latenciesMs.push(performance.now() - dueAt);
}

process.on('message', (load: Load) => run(load).then((measured) => process.send?.(measured)));
