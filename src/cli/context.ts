import type { RaceResultsClient } from '../client/index.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { Prompter } from './prompt.ts';
import type { Settings } from './settings.ts';

/** What every command works with. */
export type Context = {
  settings: Settings;
  output: Output;
  prompter: Prompter;
  /** Retries a little: for reads that a person waits for. */
  client: RaceResultsClient;
  /** Aborted by Ctrl-C, with `CliError` of the code 130 as its reason. */
  signal: AbortSignal;
};

export type Command = (context: Context) => Promise<ExitCode>;
