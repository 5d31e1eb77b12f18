import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { type Demo, ensureDemo, SAMPLE_RESULTS } from './demo.ts';
import { parseEnvironment } from './environment.ts';
import { choosePort } from './listen.ts';
import { migrate } from './migrate.ts';
import { claim } from './running.ts';
import { ifStarted } from './script.ts';
import { DEV_VARS, secondsFromNow, signSession } from './session.ts';
import { newSigningKeys } from './signing-keys.ts';
import { startStack } from './stack.ts';
import { startWrangler, stopWrangler, untilItAnswers } from './wrangler.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STATE = join(ROOT, '.local');
const USUAL_PORT = 8787;
const STACK_PORTS = { postgres: 5488, neon: 5489, upstash: 5490 };
const DAY_SECONDS = 86_400;

/** `npm run dev`: starts the local stack with the demo world, and wrangler. */
async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: { reset: { type: 'boolean' }, 'stack-only': { type: 'boolean' } },
  });
  const environment = parseEnvironment(process.env);
  const isStackOnly = flags['stack-only'] === true;
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const stopAndExit = () => void stop().finally(() => process.exit());
  process.once('SIGINT', stopAndExit).once('SIGTERM', stopAndExit);
  try {
    const claimed = await claim(STATE);
    undo.push(claimed.release);
    if (flags.reset) reset(environment.DATABASE_URL);
    const port = isStackOnly
      ? (environment.PORT ?? USUAL_PORT)
      : await choosePort(environment.PORT, USUAL_PORT);
    const origin = `http://localhost:${port}`;
    const stack = await startStack({
      ports: STACK_PORTS,
      dataDir: join(STATE, 'postgres'),
      databaseUrl: environment.DATABASE_URL,
      redisUrl: environment.REDIS_URL,
      postgresDelayMs: environment.LOCAL_POSTGRES_DELAY_MS,
      redisDelayMs: environment.LOCAL_REDIS_DELAY_MS,
    });
    undo.push(stack.stop);
    await migrate(stack.postgresUrl);
    const demo = await ensureDemo(stack.postgresUrl, STATE);
    const secret = writeDevVars(stack.workerEnv);
    if (!isStackOnly) {
      const wrangler = startWrangler(['--port', String(port)], 'inherit');
      undo.push(() => stopWrangler(wrangler));
      wrangler.once('exit', (code) => {
        process.exitCode = code ?? 0;
        stopAndExit();
      });
      await untilItAnswers(origin, wrangler);
    }
    claimed.announce({ origin, apiKey: demo.apiKey });
    console.log(welcome(origin, stack.postgresUrl, demo, await signPanelJwt(demo, secret)));
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Removes the state folder. */
function reset(databaseUrl: string | undefined): void {
  if (databaseUrl !== undefined) {
    throw new Error(
      '--reset empties only the embedded Postgres, but DATABASE_URL names another server.',
    );
  }
  rmSync(STATE, { recursive: true, force: true });
}

/**
 * Writes the bindings that `wrangler dev` reads, and keeps the other lines of the file. The first run generates the
 * secrets.
 * @returns the secret that signs panel tokens
 */
function writeDevVars(workerEnv: Record<string, string>): string {
  const known = existsSync(DEV_VARS) ? parseEnv(readFileSync(DEV_VARS, 'utf8')) : {};
  const secret = known['PANEL_JWT_SECRET'] ?? randomBytes(32).toString('base64url');
  const SIGNING_KEYS = known['SIGNING_KEYS'] ?? newSigningKeys();
  const variables = { ...known, ...workerEnv, PANEL_JWT_SECRET: secret, SIGNING_KEYS };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(DEV_VARS, lines.join(''), { mode: 0o600 });
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

ifStarted(import.meta.filename, main);
