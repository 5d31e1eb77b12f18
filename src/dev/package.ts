import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { projectVersion } from '../site/command.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const TSC = join(ROOT, 'node_modules/.bin/tsc');

const Project = z.object({
  name: z.string(),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  devDependencies: z.object({ node: z.string() }),
});

export const readProject = async (): Promise<z.infer<typeof Project>> =>
  Project.parse(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));

const COMMONJS = [
  ...['--module', 'commonjs', '--moduleResolution', 'bundler'],
  ...['--verbatimModuleSyntax', 'false'],
];

const entry = (folder: string) => ({
  types: `./lib/${folder}/index.d.ts`,
  default: `./lib/${folder}/index.js`,
});

const toJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Packs the client, which has no dependencies: the client imports only its own files.
 * @returns the path of the tarball in `into`
 */
export async function packPackage(into: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  try {
    const { devDependencies, ...published } = await readProject();
    const manifest = {
      ...published,
      version: projectVersion(),
      description: 'Client for the race results API: upload results, read results.',
      type: 'module',
      exports: {
        './client': { import: entry('client'), require: entry('commonjs') },
      },
      // TypeScript 5 reads no `exports` for `module: commonjs`.
      typesVersions: { '*': { client: [entry('commonjs').types] } },
      files: ['lib'],
    };
    const compile = (into: string, ...flags: string[]) =>
      run(TSC, ['-p', join(ROOT, 'src/client'), '--outDir', join(folder, 'lib', into), ...flags]);
    await Promise.all([
      mkdir(into, { recursive: true }),
      writeFile(join(folder, 'package.json'), toJson(manifest)),
      cp(join(ROOT, 'src/client/README.md'), join(folder, 'README.md')),
      compile('client'),
      compile('commonjs', ...COMMONJS),
    ]);
    await writeFile(join(folder, 'lib/commonjs/package.json'), toJson({ type: 'commonjs' }));
    return await pack(folder, into);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Packs a folder, or a package of the registry. @returns the path of the tarball in `into` */
export async function pack(what: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', into, what]);
  return join(into, stdout.trim());
}

/** Writes the checksums of these files into a file beside the files. */
export async function writeChecksums(folder: string, names: readonly string[]): Promise<void> {
  const lines = names.map(async (name) => {
    const digest = createHash('sha256').update(await readFile(join(folder, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  await writeFile(join(folder, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}

if (import.meta.main) console.log(await packPackage(join(ROOT, 'dist')));
