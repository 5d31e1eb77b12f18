import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import * as z from 'zod';
import { type Build, buildWorker } from '../testing/runtime/bundle.ts';
import { startWorkerd } from '../testing/runtime/workerd.ts';
import { cpuMs } from './cpu.ts';
import { type Line, markdownTable, median, type Report, ratioLine } from './measure.ts';

/** The most that our own code may add to the compressed bundle. */
const OWN_MOST_KIB = 180;
/** The most that the start of an isolate may take, as a multiple of a Worker of plain Hono. */
const START_UP_MOST = 10;

const ROOT = join(import.meta.dirname, '../..');
const OWN = 'this project';
const STARTS = 9;
/** Isolates in a process. With several isolates, the start of the process matters little. */
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
      ownCodeLine(gzipKib - (await packagesAlone(build, Object.keys(bundle.inputs))).gzipKib),
      ratioLine('start-up of an isolate, processor time', {
        ...(await measureStartUp(build)),
        most: START_UP_MOST,
        clock: 'processor',
      }),
    ],
    notes: [
      `The compressed bundle has ${gzipKib} KiB. Our own code: its size without the packages that our code imports.`,
      `Start-up: processor time until workerd has evaluated the bundle, including the start of workerd, divided by the ${ISOLATES} isolates of the process. The floor is a Worker of plain Hono. Medians of ${STARTS} starts in turns.`,
      markdownTable(
        ['in the bundle', 'bytes, minified', 'share'],
        [...rows, ['all', String(bundle.bytes), share(bundle.bytes)]],
      ),
    ],
  };
}

const ownCodeLine = (kib: number): Line => ({
  operation: 'our own code in the bundle, gzip',
  measured: `${kib.toFixed(1)} KiB`,
  goal: `≤ ${OWN_MOST_KIB} KiB`,
  met: kib <= OWN_MOST_KIB,
  isBroken: kib > OWN_MOST_KIB,
});

/** Builds a Worker of nothing but the package imports in this project's bundled files. */
async function packagesAlone({ folder }: Build, inputs: readonly string[]): Promise<Build> {
  const imports: string[] = [];
  for (const path of inputs.filter((input) => originOf(input) === OWN)) {
    const { code } = await transform(readFileSync(join(ROOT, path), 'utf8'), { loader: 'ts' });
    imports.push(...packageImports(code, imports.length));
  }
  // Imports are resolved from the folder of the importing file.
  const own = mkdtempSync(join(ROOT, 'node_modules/.bench-'));
  try {
    const entry = join(own, 'worker.ts');
    writeFileSync(
      entry,
      `const keep = globalThis.keep;\n${imports.join('\n')}\nexport default {};\n`,
    );
    const alone = join(folder, 'packages-alone');
    mkdirSync(alone);
    return await buildWorker(alone, entry);
  } finally {
    rmSync(own, { recursive: true });
  }
}

/**
 * The imports of packages in a file, and uses of the imported names, so that the bundler keeps the packages. @param
 * from the first number for the names
 */
function packageImports(code: string, from: number): string[] {
  const later = Array.from(
    code.matchAll(/\bimport\("([^."][^"]*)"\)/g),
    ([text]) => `keep(${text});`,
  );
  const found = code.matchAll(/^import (?:\* as (\w+)|\{([^}]+)\}|\w+) from "([^."][^"]*)";$/gm);
  const now = Array.from(found, ([, namespace, names, specifier], index) => {
    const name = `used${from + index}`;
    const uses = names
      ? names.split(',').map((each) => each.trim().split(' ')[0])
      : Array.from(
          code.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g')),
          ([, member]) => member,
        );
    if (!names && !namespace) return `import ${name} from "${specifier}"; keep(${name});`;
    const used = [...new Set(uses)].map((member) => `${name}.${member}`);
    return `import * as ${name} from "${specifier}"; keep(${used.join()});`;
  });
  return [...now, ...later];
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
  return { ms: median(all), floorMs: median(floors) };
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
    return /(^|\/)(src|functions)\//.test(path) ? OWN : 'imports of Node’s own modules';
  }
  const [name = '', ...rest] = inPackage.split('/');
  return name.startsWith('@') ? `${name}/${rest[0]}` : name;
}
