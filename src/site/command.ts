import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');
const Versioned = z.object({ version: z.string() });

/** The version of the client and the command. */
export function projectVersion(): string {
  const project: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Versioned.parse(project).version;
}

/**
 * Bundles the command `race-results` into a single file for Node 20 or newer. @param entry a different entry, for tests
 */
export function bundleCommand(
  outfile: string,
  { entry = join(ROOT, 'src/cli/main.ts') } = {},
): void {
  buildSync({
    entryPoints: [entry],
    outfile,
    format: 'cjs',
    bundle: true,
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    define: { RACE_RESULTS_VERSION: JSON.stringify(projectVersion()) },
  });
}
