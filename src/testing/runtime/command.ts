import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { interrupted, raceResults } from '../../cli/terminal/race-results.ts';
import { bundleCommand } from '../../site/command.ts';

const FAST = join(import.meta.dirname, 'fast-command.ts');

export type Ended = { exitCode: number | null; stdout: string; stderr: string };

/** A running command without a terminal. */
export type RunningCommand = {
  pid: number;
  /** The output of both streams so far. */
  printed(): string;
  /** Ctrl-C */
  interrupt(): void;
  /** Ends the command before the test ends: a separate process is killed. */
  end(): void | Promise<void>;
  ended: Promise<Ended>;
};

/** `env` has all variables RACE_RESULTS_*. A process inherits all further variables. */
type StartOptions = { cwd: string; env?: Record<string, string> };

export type StartCommand<Running extends RunningCommand = RunningCommand> = (
  args: readonly string[],
  options: StartOptions,
) => Running;

const FAST_PACE = { settleMs: 50, everyMs: 50 };

/**
 * Runs the command in this process, which takes milliseconds; a separate process takes a second.
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
  const interrupt = () => stop.abort(interrupted());
  const ended = raceResults(args, {
    env,
    stop,
    folder: cwd,
    pace: FAST_PACE,
    stdin: Readable.from([]),
    stdout: printer('stdout'),
    stderr: printer('stderr'),
  });
  return {
    pid: process.pid,
    printed: () => printed.stdout + printed.stderr,
    interrupt,
    async end() {
      interrupt();
      await ended;
    },
    ended: ended.then((exitCode) => ({ exitCode, ...printed })),
  };
}

/** `race-results` as a single file in an empty folder, in the form for a crew. */
export type InstalledCommand = {
  path: string;
  start: StartCommand<RunningProcess>;
  remove(): void;
};

/** Starts the command from its sources at a fast pace, as a process that a test can kill. */
export const startFromSource: StartCommand<RunningProcess> = (...started) =>
  startProcess([process.execPath, '--disable-warning=ExperimentalWarning', FAST], ...started);

export type RunningProcess = RunningCommand & { kill(): void };

/** @param isFast whether the pace is short enough for a test */
export function installCommand({ isFast = false } = {}): InstalledCommand {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  const path = join(folder, 'race-results.cjs');
  if (isFast) bundleCommand(path, { entry: FAST });
  else bundleCommand(path);
  return {
    path,
    start: (...started) => startProcess([process.execPath, path], ...started),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
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
  const kill = () => void child.kill('SIGKILL');
  return {
    pid: child.pid ?? 0,
    printed: () => stdout + stderr,
    interrupt: () => void child.kill('SIGINT'),
    kill,
    end: kill,
    ended,
  };
}
