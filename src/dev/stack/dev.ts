import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { type Demo, ensureDemo, SAMPLE_RESULTS } from './demo.ts';
import { parseEnvironment } from './environment.ts';
import { choosePort, reasonOf } from './listen.ts';
import { migrate } from './migrate.ts';
import { claim } from './running.ts';
import { ifStarted } from './script.ts';
import { DEV_VARS, secondsFromNow, signSession } from './session.ts';
import { newSigningKeys } from './signing-keys.ts';
import { startStack } from './stack.ts';
import {
  describeEnd,
  startWrangler,
  stopWrangler,
  untilItAnswers,
  type Wrangler,
} from './wrangler.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STATE = join(ROOT, '.local');
const USUAL_PORT = 8787;
const STACK_PORTS = { postgres: 5488, neon: 5489, upstash: 5490 };
const DAY_SECONDS = 86_400;

type Places = {
  /** The folder of the embedded Postgres and of the demo's key. */
  state: string;
  /** The file with the Worker's variables. */
  devVars: string;
  /** Stands for wrangler in tests. */
  wrangler?: string;
  patience?: { totalMs: number; idleMs: number };
};

/** Starts the local stack with the demo world, and wrangler. A failure is printed, with exit code 1. */
export async function develop(
  { state, devVars, wrangler: program, patience }: Places,
  flags: { reset?: boolean | undefined; 'stack-only'?: boolean | undefined },
): Promise<void> {
  const isStackOnly = flags['stack-only'] === true;
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  let wrangler: Wrangler | undefined;
  let isEnding = false;
  const end = (code: number) => {
    isEnding = true;
    void stop().finally(() => process.exit(code));
  };
  const fail = (error: unknown) => {
    if (isEnding) return;
    console.error(failureText(reasonOf(error), wrangler?.lastLines() ?? []));
    end(1);
  };
  process.once('SIGINT', () => end(0)).once('SIGTERM', () => end(0));
  try {
    const environment = parseEnvironment(process.env);
    const claimed = await claim(state);
    undo.push(claimed.release);
    if (flags.reset) reset(state, environment.DATABASE_URL);
    const port = isStackOnly
      ? (environment.PORT ?? USUAL_PORT)
      : await choosePort(environment.PORT, USUAL_PORT);
    const origin = `http://localhost:${port}`;
    const stack = await startStack({
      ports: STACK_PORTS,
      dataDir: join(state, 'postgres'),
      databaseUrl: environment.DATABASE_URL,
      redisUrl: environment.REDIS_URL,
      postgresDelayMs: environment.LOCAL_POSTGRES_DELAY_MS,
      redisDelayMs: environment.LOCAL_REDIS_DELAY_MS,
      step,
    });
    undo.push(stack.stop);
    const demo = await step('Migrations and the demo race', async () => {
      await migrate(stack.postgresUrl);
      return ensureDemo(stack.postgresUrl, state);
    });
    const secret = writeDevVars(devVars, stack.workerEnv);
    if (!isStackOnly) {
      const print = (output: string) => void process.stdout.write(output);
      await step('Build and Worker', async () => {
        const started = startWrangler(['--port', String(port)], print, program);
        wrangler = started;
        undo.push(() => stopWrangler(started));
        await untilItAnswers(origin, started, patience);
        started.process.once('exit', () => fail(new Error(describeEnd(started.process))));
      });
    }
    claimed.announce({ origin, apiKey: demo.apiKey });
    console.log(welcome(origin, stack.postgresUrl, demo, await signPanelJwt(demo, secret)));
  } catch (error) {
    fail(error);
  }
}

/** Runs a step of the start, with its name before and its time after. */
async function step<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  const startedAt = Date.now();
  console.log(`${name} …`);
  const value = await run();
  console.log(`${name}: ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  return value;
}

/** The output of a failed start: the reason, the end of wrangler's log, and the next step. */
function failureText(reason: string, lastLines: readonly string[]): string {
  const log = lastLines.map((line) => `    ${line}`);
  return [
    '',
    `The start failed: ${reason}`,
    ...(log.length > 0 ? ['The end of the log of wrangler:', ...log] : []),
    `What to do: ${adviceFor(`${reason}\n${lastLines.join('\n')}`)}`,
  ].join('\n');
}

function adviceFor(text: string): string {
  if (/ENOSPC|no space left/i.test(text)) return 'free space on the disk, then start again.';
  if (text.includes('SIGKILL')) {
    return 'the system ends programs when memory is short. End other programs, then start again.';
  }
  if (text.includes('did not answer')) {
    return 'start again when the machine is less busy. If the start fails again, run "npm run stack" and, in another terminal, "npx wrangler dev --log-level debug".';
  }
  return 'remove the cause, then start again. "npm run dev -- --reset" starts from an empty database.';
}

/** Removes the state folder. */
function reset(state: string, databaseUrl: string | undefined): void {
  if (databaseUrl !== undefined) {
    throw new Error(
      '--reset empties only the embedded Postgres, but DATABASE_URL names another server.',
    );
  }
  rmSync(state, { recursive: true, force: true });
}

/**
 * Writes the bindings for `wrangler dev`, and keeps further lines of the file. The first run generates the secrets.
 * @returns the secret behind panel tokens
 */
function writeDevVars(devVars: string, workerEnv: Record<string, string>): string {
  const known = existsSync(devVars) ? parseEnv(readFileSync(devVars, 'utf8')) : {};
  const secret = known['PANEL_JWT_SECRET'] ?? randomBytes(32).toString('base64url');
  const SIGNING_KEYS = known['SIGNING_KEYS'] ?? newSigningKeys();
  const variables = { ...known, ...workerEnv, PANEL_JWT_SECRET: secret, SIGNING_KEYS };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(devVars, lines.join(''), { mode: 0o600 });
  return secret;
}

const signPanelJwt = ({ ownerId }: Demo, secret: string): Promise<string> =>
  signSession({ sub: ownerId, exp: secondsFromNow(DAY_SECONDS) }, secret);

function welcome(origin: string, postgresUrl: string, demo: Demo, panelJwt: string): string {
  const event = `${origin}/public/v1/events/${demo.eventId}`;
  const curl = `curl -s -H 'X-API-Key: ${demo.apiKey}'`;
  const sample = relative(process.cwd(), join(STATE, SAMPLE_RESULTS));
  return `
  API         ${origin}
  Postgres    ${postgresUrl}
  Demo key    ${demo.apiKey}
  Event       ${demo.eventId}
  Panel JWT   ${panelJwt}
  Panel       ${origin}/panel#organization=${demo.organizationId}&token=${panelJwt}
  Board       ${origin}/board/${demo.eventId}
  Docs        ${origin}/docs

  List the events, upload results, read the figures:

${curl} ${origin}/public/v1/events
${curl} -F 'file=@${sample}' ${event}/results/file
${curl} ${event}/stats
`;
}

/** `npm run dev`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { reset: { type: 'boolean' }, 'stack-only': { type: 'boolean' } },
  });
  await develop({ state: STATE, devVars: DEV_VARS }, values);
}

ifStarted(import.meta.filename, main);
