import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { interrupted, raceResults } from '../../cli/terminal/race-results.ts';
import { packPackage } from '../../dev/package.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '../../cli/main.ts');

export type Ended = { exitCode: number | null; stdout: string; stderr: string };

/** A command that runs without a terminal. */
export type RunningCommand = {
  pid: number;
  /** The output of both streams so far. */
  printed(): string;
  /** Ctrl-C */
  interrupt(): void;
  ended: Promise<Ended>;
};

/** `env` has all variables RACE_RESULTS_*. A process inherits the others. */
type StartOptions = { cwd: string; env?: Record<string, string> };

export type StartCommand<Running extends RunningCommand = RunningCommand> = (
  args: readonly string[],
  options: StartOptions,
) => Running;

/**
 * Runs the command in this process, which takes milliseconds where a process of its own takes a second.
 * @param options.onPrint is called with each text before the command goes on
 */
export function startInProcess(
  args: readonly string[],
  { cwd, env = {}, onPrint = () => {} }: StartOptions & { onPrint?: (text: string) => unknown },
): RunningCommand {
  const stop = new AbortController();
  const printed = { stdout: '', stderr: '' };
  const printer = (name: keyof typeof printed) =>
    new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        printed[name] += text;
        onPrint(text);
        done();
      },
    });
  const ended = raceResults(args, {
    env,
    stop,
    folder: cwd,
    stdin: Readable.from([]),
    stdout: printer('stdout'),
    stderr: printer('stderr'),
  });
  return {
    pid: process.pid,
    printed: () => printed.stdout + printed.stderr,
    interrupt: () => stop.abort(interrupted()),
    ended: ended.then((exitCode) => ({ exitCode, ...printed })),
  };
}

/** `race-results`, packed and installed in an empty folder without a network. */
export type InstalledCommand = {
  path: string;
  /** Starts it as a process. */
  start: StartCommand<RunningProcess>;
  remove(): void;
};

/** Starts the command from its sources, as a process that can be killed. */
export const startFromSource: StartCommand<RunningProcess> = (...started) =>
  startProcess([process.execPath, '--disable-warning=ExperimentalWarning', MAIN], ...started);

export type RunningProcess = RunningCommand & { kill(): void };

export async function installCommand(): Promise<InstalledCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const project = join(folder, 'project');
    mkdirSync(project);
    const tarball = await packPackage(project);
    const quiet = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
    await run('npm', ['install', ...quiet, tarball], { cwd: project });
    const path = join(project, 'node_modules/.bin/race-results');
    return { path, start: (...started) => startProcess([path], ...started), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function startProcess(
  [file = '', ...first]: readonly string[],
  ...[args, { cwd, env = {} }]: Parameters<StartCommand>
): RunningProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/^RACE_RESULTS_/.test(name));
  const child: ChildProcessWithoutNullStreams = spawn(file, [...first, ...args], {
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
  return {
    pid: child.pid ?? 0,
    printed: () => stdout + stderr,
    interrupt: () => void child.kill('SIGINT'),
    kill: () => void child.kill('SIGKILL'),
    ended,
  };
}
