import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod';
import { bundleOf } from '../../testing/runtime/workerd.ts';
import { markdownTable } from '../measure.ts';

const SAMPLE_EVERY_US = 100;

const Frame = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
});
const Profile = z.object({
  nodes: z.array(z.object({ id: z.int(), callFrame: Frame })),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
});
type Profile = z.infer<typeof Profile>;

const Message = z.object({
  id: z.int().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

/** Profiles what a Worker does during `run`. @param inspector the address of its debugging protocol */
export async function profileDuring(
  inspector: string,
  run: () => Promise<unknown>,
): Promise<Profile> {
  const socket = new WebSocket(inspector);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error } = Message.parse(JSON.parse(String(data)));
    if (error) waiting.get(id)?.reject(new Error(`The inspector: ${error.message}`));
    else waiting.get(id)?.resolve(result);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The inspector does not answer.')));
  });
  const ask = (method: string, params = {}) => {
    const id = waiting.size + 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  };
  try {
    await ask('Profiler.enable');
    await ask('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    await ask('Profiler.start');
    await run();
    return z.object({ profile: Profile }).parse(await ask('Profiler.stop')).profile;
  } finally {
    socket.close();
  }
}

/**
 * Where the JavaScript of a profile spends its time, by package, as a table.
 * @param folder of the build, which has the source map
 */
export function packagesTable(
  { nodes, samples, timeDeltas }: Profile,
  folder: string,
  requests: number,
): string {
  const map = new SourceMap(
    JSON.parse(readFileSync(join(bundleOf(folder), 'worker.js.map'), 'utf8')),
  );
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame, map)]));
  const spentUs = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const owner = owners.get(id);
    if (owner === undefined) continue;
    spentUs.set(owner, (spentUs.get(owner) ?? 0) + (timeDeltas[index + 1] ?? 0));
  }
  const allUs = Array.from(spentUs.values()).reduce((sum, us) => sum + us, 0);
  const rows = Array.from(spentUs)
    .sort(([, a], [, b]) => b - a)
    .map(([owner, us]) => [
      owner,
      `${(us / requests).toFixed(0)} µs`,
      `${((100 * us) / allUs).toFixed(1)} %`,
    ]);
  return markdownTable(
    ['in the JavaScript of getEvent', 'a request', 'share'],
    [...rows, ['all', `${(allUs / requests).toFixed(0)} µs`, '100.0 %']],
  );
}

/** The package that a function is of. @returns undefined while no JavaScript runs */
function ownerOf(frame: z.infer<typeof Frame>, map: SourceMap): string | undefined {
  const { functionName, url, lineNumber, columnNumber } = frame;
  if (/^\((program|idle|root)\)$/.test(functionName)) return undefined;
  if (functionName === '(garbage collector)') return 'garbage collector';
  const entry = url === '' ? {} : map.findEntry(lineNumber, columnNumber);
  const source = 'originalSource' in entry ? String(entry.originalSource) : undefined;
  if (source === undefined) return 'functions of the runtime';
  const inPackage = source.split('node_modules/').at(-1) ?? source;
  if (inPackage === source) return 'this project';
  const [name = '', ...rest] = inPackage.split('/');
  return name.startsWith('@') ? `${name}/${rest[0]}` : name;
}
