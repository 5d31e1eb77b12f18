import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bundleCommand } from '../site/command.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

const Project = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  devDependencies: z.object({ node: z.string() }),
});

export const readProject = async (): Promise<z.infer<typeof Project>> =>
  Project.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));

/**
 * Builds the npm package of the client and the command, which has no dependencies: each program is in one
 * file or imports only its own files.
 * @param folder is emptied first
 */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const project = await readProject();
  const { devDependencies, ...published } = project;
  const manifest = {
    ...published,
    description: 'Client and command for the race results API: upload results, read results.',
    type: 'module',
    exports: {
      './client': { types: './lib/client/index.d.ts', default: './lib/client/index.js' },
    },
    bin: { 'race-results': './lib/cli/race-results.js' },
    files: ['lib'],
  };
  await Promise.all([
    writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`),
    cp(join(ROOT, 'src/client/README.md'), join(folder, 'README.md')),
    run(TSC, ['-p', join(ROOT, 'src/client'), '--outDir', join(folder, 'lib/client')]),
  ]);
  bundleCommand(join(folder, 'lib/cli/race-results.js'), 'esm');
}

/** @returns the path of the tarball in `into` */
export async function packPackage(folder: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', into, folder]);
  return join(into, stdout.trim());
}

if (import.meta.main) {
  const folder = join(ROOT, 'dist');
  await buildPackage(folder);
  console.log(await packPackage(folder, folder));
}
