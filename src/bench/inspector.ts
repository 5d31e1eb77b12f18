import { once } from 'node:events';

/** What V8 says of an isolate, in bytes (the debugging protocol's Runtime.getHeapUsage). */
export type HeapUsage = {
  usedSize: number;
  totalSize: number;
  embedderHeapUsedSize?: number;
  backingStorageSize?: number;
};

export type Inspector = {
  heapUsage(): Promise<HeapUsage>;
  close(): void;
};

/** Opens the debugging protocol of one isolate. */
export async function inspect(address: string): Promise<Inspector> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, (result: HeapUsage) => void>();
  let lastId = 0;
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  await once(socket, 'open');
  const call = (method: string) =>
    new Promise<HeapUsage>((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method }));
    });
  return {
    heapUsage: () => call('Runtime.getHeapUsage'),
    close: () => socket.close(),
  };
}
