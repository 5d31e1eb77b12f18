import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { SignJWT } from 'jose';
import * as z from 'zod';
import { type Demo, ensureDemo, SAMPLE_RESULTS } from './demo.ts';
import { listen, reasonOf } from './listen.ts';
import { migrate } from './migrate.ts';
import { DEV_PORTS, startStack } from './stack.ts';
import { startWrangler, stopWrangler, untilItAnswers } from './wrangler.ts';

const ROOT = join(import.meta.dirname, '../..');
const STATE = join(ROOT, '.local');
const DEV_VARS = join(ROOT, '.dev.vars');

const milliseconds = z.coerce.number().int().min(0).max(60_000).default(0);
const Environment = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(8787),
  DATABASE_URL: z.string().optional(),
  REDIS_URL: z.string().optional(),
  LOCAL_POSTGRES_DELAY_MS: milliseconds,
  LOCAL_REDIS_DELAY_MS: milliseconds,
});

/** `npm run dev`: the local stack, the demo world, and wrangler in front of both. */
async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: { reset: { type: 'boolean' }, 'stack-only': { type: 'boolean' } },
  });
  const environment = parseEnvironment();
  if (flags.reset) await reset(environment.DATABASE_URL);
  if (!flags['stack-only']) await assertFree(environment.PORT, 'the API; PORT chooses another');

  const stack = await startStack({
    dataDir: join(STATE, 'postgres'),
    databaseUrl: environment.DATABASE_URL,
    redisUrl: environment.REDIS_URL,
    postgresDelayMs: environment.LOCAL_POSTGRES_DELAY_MS,
    redisDelayMs: environment.LOCAL_REDIS_DELAY_MS,
  });
  let wrangler: ChildProcess | undefined;
  const stop = async () => {
    if (wrangler) await stopWrangler(wrangler);
    await stack.stop();
  };
  const stopAndExit = () => void stop().finally(() => process.exit());
  process.once('SIGINT', stopAndExit).once('SIGTERM', stopAndExit);

  try {
    await migrate(stack.postgresUrl);
    const demo = await ensureDemo(stack.postgresUrl, STATE);
    const secret = writeDevVars(stack.workerEnv);
    const origin = `http://localhost:${environment.PORT}`;
    if (!flags['stack-only']) {
      wrangler = startWrangler(['--port', String(environment.PORT)], 'inherit');
      wrangler.once('exit', (code) => {
        process.exitCode = code ?? 0;
        stopAndExit();
      });
      await untilItAnswers(`${origin}/healthz`, wrangler);
    }
    console.log(welcome(origin, stack.postgresUrl, demo, await signPanelJwt(demo, secret)));
  } catch (error) {
    await stop();
    throw error;
  }
}

function parseEnvironment(): z.infer<typeof Environment> {
  const parsed = Environment.safeParse(process.env);
  if (parsed.success) return parsed.data;
  throw new Error(
    parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  );
}

async function reset(databaseUrl: string | undefined): Promise<void> {
  if (databaseUrl !== undefined) {
    throw new Error('--reset empties the embedded Postgres only; DATABASE_URL names another.');
  }
  // Never from under a stack that is running.
  await assertFree(DEV_PORTS.postgres, 'embedded Postgres; another stack is running');
  rmSync(STATE, { recursive: true, force: true });
}

/** Wrangler would take the next port silently, and everything printed here would be wrong. */
async function assertFree(port: number, what: string): Promise<void> {
  const probe = createServer();
  await listen(probe, port, what);
  await new Promise((resolve) => probe.close(resolve));
}

/**
 * Writes the bindings that `wrangler dev` reads; other lines of the file stay.
 * @returns the secret that panel tokens are signed with, made on the first run
 */
function writeDevVars(workerEnv: Record<string, string>): string {
  const known = existsSync(DEV_VARS) ? parseEnv(readFileSync(DEV_VARS, 'utf8')) : {};
  const secret = known['PANEL_JWT_SECRET'] ?? randomBytes(32).toString('base64url');
  const variables = { ...known, ...workerEnv, PANEL_JWT_SECRET: secret };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(DEV_VARS, lines.join(''), { mode: 0o600 });
  return secret;
}

const signPanelJwt = ({ ownerId }: Demo, secret: string): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(ownerId)
    .setIssuedAt()
    .setExpirationTime('1 day')
    .sign(new TextEncoder().encode(secret));

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

main().catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
