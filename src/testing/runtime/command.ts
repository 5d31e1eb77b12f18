import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

/** What the package is built from. */
const SOURCES = [
  'package.json',
  'README.md',
  'tsconfig.json',
  'src/cli',
  'src/client',
  'src/timing-files',
];

/** `race-results`, packed and installed in an empty folder without a network. */
export type InstalledCommand = { path: string; remove(): void };

/** Packs a copy of the project: other tests may be packing the project itself at this moment. */
export async function installCommand(): Promise<InstalledCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'copy');
    for (const source of SOURCES) {
      cpSync(join(ROOT, source), join(copy, source), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    const project = join(folder, 'project');
    mkdirSync(project);
    await run('npm', ['pack', '--pack-destination', project], { cwd: copy });
    const tarball = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? '';
    const quiet = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
    await run('npm', ['install', ...quiet, `./${tarball}`], { cwd: project });
    return { path: join(project, 'node_modules/.bin/race-results'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

export type Ended = { exitCode: number | null; stdout: string; stderr: string };

/** A run of the command as a process, without a terminal. */
export type RunningCommand = {
  child: ChildProcessWithoutNullStreams;
  /** What it printed so far, on both streams. */
  printed(): string;
  ended: Promise<Ended>;
};

/** @param env replaces the variables of the same name; RACE_RESULTS_* are otherwise unset */
export function startCommand(
  { path }: InstalledCommand,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !/^RACE_RESULTS_/.test(name));
  const child = spawn(path, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  return { child, printed: () => stdout + stderr, ended };
}

export const runCommand = (...started: Parameters<typeof startCommand>): Promise<Ended> =>
  startCommand(...started).ended;
