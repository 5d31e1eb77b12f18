import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { Demo } from '../local/demo.ts';
import type { RaceOptions } from './race.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const USAGE = `npm run race -- [--speed 60] [--runners 300] [--seed 1]
                [--api http://localhost:8787] [--event <id>] [--key <key>]`;

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
    .transform((address) => new URL(address)),
  event: z.guid({ error: "expected an event's id, a uuid" }).optional(),
  key: z.string().min(1, { error: 'expected an API key' }).optional(),
});

/** What the machine knows without being told. */
type Local = {
  /** Where `npm run dev` listens. */
  port: string;
  demo: Demo | undefined;
};

/**
 * The race that a command line asks for: of the demo event with the demo's key, unless it says
 * otherwise. The demo's key leaves this machine for nobody.
 * @throws Error naming each option, what was given and what is accepted
 */
export function readOptions(args: readonly string[], { port, demo }: Local): RaceOptions {
  const parsed = Options.safeParse({ api: `http://localhost:${port}`, ...flagsOf(args) });
  if (!parsed.success) {
    const reasons = parsed.error.issues.map(
      ({ path, message }) => `--${path.join('.')}: ${message}`,
    );
    throw new Error([...reasons, USAGE].join('\n'));
  }
  const { api, event, key, ...race } = parsed.data;
  const known = LOOPBACK.has(api.hostname) ? demo : undefined;
  const eventId = event ?? known?.eventId;
  const apiKey = key ?? known?.apiKey;
  if (eventId === undefined || apiKey === undefined) {
    throw new Error(
      LOOPBACK.has(api.hostname)
        ? 'There is no demo race yet: start `npm run dev`, or give --event and --key.'
        : `Of ${api.host} nothing is known here: give --event and --key.`,
    );
  }
  return { ...race, origin: api.origin, eventId, apiKey };
}

function flagsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { speed: text, runners: text, seed: text, api: text, event: text, key: text };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}
