import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Build, buildWorker } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { cpuMs } from './cpu.ts';
import { markdownTable, median, type Report, ratioLine } from './measure.ts';

/**
 * Half of Neon's driver is a WebSocket client that the Worker does not use. The package has one entry for both:
 * https://github.com/neondatabase/serverless.
 */
const GOAL_KIB = 215;

/** The most processor time of a start-up, as a multiple of a plain Hono Worker's. */
const START_UP_GOAL = 5;
const STARTS = 9;
/** Isolates in a process. With several, the start of the process itself matters little. */
const ISOLATES = 5;

const Metafile = z.object({
  outputs: z.record(
    z.string(),
    z.object({
      bytes: z.int(),
      entryPoint: z.string().optional(),
      inputs: z.record(z.string(), z.object({ bytesInOutput: z.int() })),
    }),
  ),
});

/** Reports the size of the bundle, the packages in it, and the processor time of an isolate's start-up. */
export async function benchBundle(build: Build): Promise<Report> {
  const { gzipKib, metafile } = build;
  const { outputs } = Metafile.parse(JSON.parse(readFileSync(metafile, 'utf8')));
  const bundle = Object.values(outputs).find(({ entryPoint }) => entryPoint !== undefined);
  if (!bundle) throw new Error('The metafile names no entry point.');

  const bytesOf = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(bundle.inputs)) {
    const origin = originOf(path);
    bytesOf.set(origin, (bytesOf.get(origin) ?? 0) + bytesInOutput);
  }
  const share = (bytes: number) => `${((100 * bytes) / bundle.bytes).toFixed(1)} %`;
  const rows = Array.from(bytesOf)
    .sort(([, a], [, b]) => b - a)
    .map(([origin, bytes]) => [origin, String(bytes), share(bytes)]);
  return {
    lines: [
      {
        operation: 'Worker bundle, gzip',
        measured: `${gzipKib} KiB`,
        goal: `≤ ${GOAL_KIB} KiB`,
        met: gzipKib <= GOAL_KIB,
      },
      ratioLine('start-up of an isolate, processor time', await measureStartUp(build)),
    ],
    notes: [
      `Start-up: processor time until workerd has evaluated the bundle, including the start of workerd, divided by the ${ISOLATES} isolates of the process. The floor is a Worker of plain Hono. Medians of ${STARTS} starts in turns.`,
      markdownTable(
        ['in the bundle', 'bytes, minified', 'share'],
        [...rows, ['all', String(bundle.bytes), share(bundle.bytes)]],
      ),
    ],
  };
}

async function measureStartUp({ folder }: Build) {
  const emptyFolder = join(folder, 'empty-start-up');
  mkdirSync(emptyFolder);
  await buildWorker(emptyFolder, 'src/bench/empty/worker.ts');
  const floors: number[] = [];
  const all: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    floors.push(await startUpMs(emptyFolder));
    all.push(await startUpMs(folder));
  }
  return { ms: median(all), floorMs: median(floors), most: START_UP_GOAL };
}

async function startUpMs(folder: string): Promise<number> {
  const workerd = await startWorkerd(folder, { isolates: ISOLATES });
  const spentMs = cpuMs(workerd.pid) / ISOLATES;
  await workerd.stop();
  return spentMs;
}

/** @returns the npm package of a bundled file */
function originOf(path: string): string {
  const inPackage = path.split('node_modules/').at(-1) ?? path;
  if (inPackage === path) {
    return /(^|\/)(src|functions)\//.test(path) ? 'this project' : 'imports of Node’s own modules';
  }
  const [name = '', ...rest] = inPackage.split('/');
  return name.startsWith('@') ? `${name}/${rest[0]}` : name;
}
