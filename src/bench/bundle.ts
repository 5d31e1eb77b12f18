import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Build, buildWorker } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { cpuMs } from './cpu.ts';
import { markdownTable, median, type Report, ratioLine } from './measure.ts';

const GOAL_KIB = 150;

/** The most that start-up may cost, as a multiple of a plain Hono Worker's. */
const START_UP_GOAL = 5;
const STARTS = 9;
/** One process starts several isolates, so that its own start weighs little. */
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
        goal: `< ${GOAL_KIB} KiB`,
        met: gzipKib < GOAL_KIB,
      },
      ratioLine('start-up of an isolate, processor time', await measureStartUp(build)),
    ],
    notes: [
      `Start-up: processor time until workerd has evaluated the bundle, with its own start, in a process of ${ISOLATES} isolates, per isolate. The floor is a Worker of plain Hono. Medians of ${STARTS} starts in turns.`,
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
  const isolates = Array.from({ length: ISOLATES }, (_, index) => ({ name: `w${index}`, folder }));
  const workerd = await startWorkerd(isolates);
  const spentMs = cpuMs(workerd.pid) / ISOLATES;
  await workerd.stop();
  return spentMs;
}

function originOf(path: string): string {
  const ours = /(^|\/)(src|functions)\//.test(path)
    ? 'this project'
    : 'imports of Node’s own modules';
  return packageOf(path) ?? ours;
}

/** The npm package that a bundled file is of. */
export function packageOf(path: string): string | undefined {
  // src/site/neon-driver.ts writes it from the package.
  if (path.endsWith('/neon-driver.mjs')) return '@neondatabase/serverless';
  const inPackage = path.split('node_modules/').at(-1) ?? path;
  if (inPackage === path) return undefined;
  const [name = '', ...rest] = inPackage.split('/');
  // The source maps of drizzle-orm lead out of its own folder.
  if (name === 'src') return 'drizzle-orm';
  return name.startsWith('@') ? `${name}/${rest[0]}` : name;
}
