import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod';
import { bundleOf } from '../../testing/runtime/workerd.ts';
import { packageOf } from '../bundle.ts';
import { markdownTable } from '../measure.ts';

const SAMPLE_EVERY_US = 500;

const Frame = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
});
const Profile = z.object({
  nodes: z.array(z.object({ id: z.int(), callFrame: Frame })),
  samples: z.array(z.int()),
});
type Profile = z.infer<typeof Profile>;

const Message = z.object({
  id: z.int().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Sends a command of the debugging protocol. @returns its result */
type Send = (method: string, params?: object) => Promise<unknown>;

/** Connects to a Worker's inspector. @param inspector the address of its debugging protocol */
export async function inspect<T>(inspector: string, run: (send: Send) => Promise<T>): Promise<T> {
  const socket = new WebSocket(inspector);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error } = Message.parse(JSON.parse(String(data)));
    if (error) waiting.get(id)?.reject(new Error(`The inspector: ${error.message}`));
    else waiting.get(id)?.resolve(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () =>
      reject(new Error('The inspector of workerd does not answer.')),
    );
  });
  const send: Send = (method, params = {}) => {
    const id = waiting.size + 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  };
  try {
    return await run(send);
  } finally {
    socket.close();
  }
}

/** Profiles a Worker during `run`. */
export const profileDuring = (inspector: string, run: () => Promise<unknown>): Promise<Profile> =>
  inspect(inspector, async (send) => {
    await send('Profiler.enable');
    await send('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    await send('Profiler.start');
    await run();
    return z.object({ profile: Profile }).parse(await send('Profiler.stop')).profile;
  });

/**
 * A table of the packages in which a profile spends its time. It counts samples, because their times include those
 * of other processes.
 * @param folder the folder of the build, with the source map
 */
export function packagesTable({ nodes, samples }: Profile, folder: string): string {
  const map = new SourceMap(
    JSON.parse(readFileSync(join(bundleOf(folder), 'worker.js.map'), 'utf8')),
  );
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame, map)]));
  const owned = samples.map((id) => owners.get(id)).filter((owner) => owner !== undefined);
  const rows = Array.from(Map.groupBy(owned, (owner) => owner))
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([owner, { length }]) => [owner, `${((100 * length) / owned.length).toFixed(1)} %`]);
  return markdownTable(['processor time of getEvent in', 'share'], rows);
}

/** @returns the package of a function, or undefined if no JavaScript runs */
function ownerOf(frame: z.infer<typeof Frame>, map: SourceMap): string | undefined {
  const { functionName, url, lineNumber, columnNumber } = frame;
  if (/^\((program|idle|root)\)$/.test(functionName)) return undefined;
  if (functionName === '(garbage collector)') return 'garbage collector';
  const entry = url === '' ? {} : map.findEntry(lineNumber, columnNumber);
  const source = 'originalSource' in entry ? String(entry.originalSource) : undefined;
  if (source === undefined) return 'functions of the runtime';
  return packageOf(source) ?? 'this project';
}
