import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Build } from '../testing/runtime/bundle.ts';
import { markdownTable, type Report } from './measure.ts';

const GOAL_KIB = 300;

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

/** What is uploaded, and which packages it is made of. */
export async function benchBundle({ gzipKib, metafile }: Build): Promise<Report> {
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
    ],
    notes: [
      markdownTable(
        ['in the bundle', 'bytes, minified', 'share'],
        [...rows, ['all', String(bundle.bytes), share(bundle.bytes)]],
      ),
    ],
  };
}

/** The npm package a bundled file is of. */
function originOf(path: string): string {
  const inPackage = path.split('node_modules/').at(-1) ?? path;
  if (inPackage !== path) {
    const [name = '', ...rest] = inPackage.split('/');
    return name.startsWith('@') ? `${name}/${rest[0]}` : name;
  }
  return /(^|\/)(src|functions)\//.test(path) ? 'this project' : 'imports of Node’s own modules';
}
