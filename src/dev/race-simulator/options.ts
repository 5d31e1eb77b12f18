import { parseArgs } from 'node:util';
import * as z from 'zod';
import { DEMO } from '../stack/demo.ts';
import { wholeNumber } from '../stack/environment.ts';
import { isLocal } from '../stack/listen.ts';
import type { Ready } from '../stack/running.ts';
import type { RaceOptions } from './rehearsal.ts';

const USAGE =
  'Usage: npm run race -- [--speed 60] [--runners 300] [--seed 1] [--api URL] [--event ID] [--key KEY] [--through-cli FOLDER]';

const Options = z.object({
  speed: wholeNumber(1, 3_600).default(60),
  runners: wholeNumber(1, 10_000).default(300),
  seed: wholeNumber(0, 2 ** 32 - 1).default(1),
  api: z
    .url({ protocol: /^https?$/, error: 'expected an address such as http://localhost:8787' })
    .optional(),
  event: z.guid({ error: "expected an event's id, a uuid" }).optional(),
  key: z.string().min(1, { error: 'expected an API key' }).optional(),
  'through-cli': z.string().min(1, { error: 'expected a folder' }).optional(),
});

type CommandLine = RaceOptions & {
  /** The folder of a race sent by `race-results`. */
  throughCli?: string | undefined;
};

/**
 * Reads a command line. The defaults are the demo event, its key, and the stack of this checkout. The demo's key goes
 * to loopback addresses only.
 * @param running undefined when this checkout runs no stack
 * @throws Error with each wrong option and its accepted values
 */
export function readOptions(args: readonly string[], running: Ready | undefined): CommandLine {
  const text = { type: 'string' } as const;
  const options = Object.fromEntries(Object.keys(Options.shape).map((name) => [name, text]));
  const parsed = Options.safeParse(parseArgs({ args: [...args], options }).values);
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(({ path, message }) => `--${path.join()}: ${message}`);
    throw new Error(`${reasons.join('; ')}. ${USAGE}`);
  }
  const { api = running?.origin, event, key, 'through-cli': throughCli, ...race } = parsed.data;
  const demo = isLocal(api ?? '') && running ? { ...DEMO, apiKey: running.apiKey } : undefined;
  const [eventId, apiKey] = [event ?? demo?.eventId, key ?? demo?.apiKey];
  if (api === undefined || eventId === undefined || apiKey === undefined) {
    throw new Error(
      `Start \`npm run dev\` in this checkout, or give --api, --event and --key. ${USAGE}`,
    );
  }
  return { ...race, throughCli, origin: new URL(api).origin, eventId, apiKey };
}
