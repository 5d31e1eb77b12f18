import { type Key, say, type Values } from './words.ts';

/** The exit codes of the process. A number keeps its meaning. */
export const EXIT = {
  /** The whole task is done and stored. */
  done: 0,
  /** Some rows were rejected; all remaining rows are stored. */
  rejected: 1,
  /** The command line, the environment or race.json is wrong. */
  usage: 2,
  /** A file is unreadable, or a person has to give the meaning of the file. */
  unclear: 3,
  /** A guard stopped the command, or the person said no. */
  guard: 4,
  /** The key is missing, unknown, revoked or expired, or lacks a scope. */
  key: 5,
  /** The API cannot be reached. The queue is kept. */
  offline: 6,
  /** Another process sends for this event already. */
  running: 7,
  /** Ctrl-C. The queue is kept. */
  interrupted: 130,
  /** A mistake in this program. */
  bug: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command. The message tells a person the finding, the accepted input and the next step. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const failure = (exitCode: ExitCode, key: Key, values?: Values): CliError =>
  new CliError(exitCode, say(key, values));
