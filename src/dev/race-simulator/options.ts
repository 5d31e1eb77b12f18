import { parseArgs } from 'node:util';
import * as z from 'zod';
import { isLocal } from '../stack/listen.ts';
import type { Ready } from '../stack/running.ts';
import type { RaceOptions } from './rehearsal.ts';

const USAGE = `npm run race -- [--speed 60] [--runners 300] [--seed 1]
                [--api https://…] [--event <id>] [--key <key>] [--through-cli <folder>]`;

const number = (least: number, most: number, kind = 'number') => {
  const error = `expected a ${kind} from ${least} to ${most}`;
  return z.coerce
    .number({ error })
    .min(least, { error })
    .max(most, { error })
    .refine((value) => kind === 'number' || Number.isInteger(value), { error });
};
const Options = z.object({
  speed: number(1, 3_600).default(60),
  runners: number(1, 10_000, 'whole number').default(300),
  seed: number(0, 2 ** 32 - 1, 'whole number').default(1),
  api: z
    .url({ protocol: /^https?$/, error: 'expected an address such as http://localhost:8787' })
    .transform((address) => new URL(address))
    .optional(),
  event: z.guid({ error: "expected an event's id, a uuid" }).optional(),
  key: z.string().min(1, { error: 'expected an API key' }).optional(),
  'through-cli': z.string().min(1, { error: 'expected a folder' }).optional(),
});

type CommandLine = RaceOptions & {
  /** Folder of a file from which `race-results` sends the race. */
  throughCli?: string;
};

/**
 * Reads a command line. The defaults are the demo event, its key, and the stack that this checkout runs. The
 * demo's key goes to loopback addresses only.
 * @param running undefined when this checkout runs no stack
 * @throws Error that names each wrong option and what it accepts
 */
export function readOptions(args: readonly string[], running: Ready | undefined): CommandLine {
  const parsed = Options.safeParse(flagsOf(args));
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(
      ({ path, message }) => `--${path.join('.')}: ${message}`,
    );
    throw new Error([...reasons, USAGE].join('\n'));
  }
  const { 'through-cli': throughCli, event, key, ...rest } = parsed.data;
  const { api = running && new URL(running.origin), ...race } = rest;
  if (!api) {
    throw new Error('No stack of this checkout is running. Start `npm run dev`, or give --api.');
  }
  const isHere = isLocal(api.href);
  const demo = isHere ? running?.demo : undefined;
  const eventId = event ?? demo?.eventId;
  const apiKey = key ?? demo?.apiKey;
  if (eventId === undefined || apiKey === undefined) {
    throw new Error(
      isHere
        ? 'No stack of this checkout is running. Start `npm run dev`, or give --event and --key.'
        : `--api ${api.host} also needs --event and --key.`,
    );
  }
  return {
    ...race,
    ...(throughCli !== undefined && { throughCli }),
    origin: api.origin,
    eventId,
    apiKey,
  };
}

function flagsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = Object.fromEntries(Object.keys(Options.shape).map((name) => [name, text]));
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
