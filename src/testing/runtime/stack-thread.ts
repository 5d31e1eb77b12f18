import { parentPort, workerData } from 'node:worker_threads';
import { type RealServers, startOwnStack } from './own-stack.ts';

// The shared stack of the tests in a run. The thread of vitest has enough to do without a database.
const servers: RealServers | undefined = workerData;
const { stack, stop } = await startOwnStack(servers);
parentPort?.once('message', async () => {
  await stop();
  parentPort?.close();
});
parentPort?.postMessage(stack.workerEnv);
