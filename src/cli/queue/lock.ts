import { once } from 'node:events';
import { mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { codeOf, digestOf, parsedJson } from '../own-files.ts';

const IS_WINDOWS = process.platform === 'win32';
/** A process that answers, or takes an address over, needs far less time unless it was killed. */
const PATIENCE_MS = 10_000;

/**
 * Where the process listens that sends for an event from a folder. Only its user can listen there: the
 * address stands in a folder of the user, and on Windows its name has a secret of the user in it.
 */
export function lockAddress(user: { folder: string; secret: string }, event: string, at: string) {
  const name = digestOf(`${user.secret} ${event} ${at}`).slice(0, 16);
  return IS_WINDOWS ? `\\\\.\\pipe\\race-results-${name}` : join(user.folder, `${name}.sock`);
}

/**
 * Takes an address. Other commands ask this process there.
 * @returns undefined if another process has it. A process that has ended has it no longer
 */
export async function takeLock(
  address: string,
  answer: (question: unknown) => Promise<unknown>,
): Promise<Server | undefined> {
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    // A command that has gone needs no answer.
    const question = await text(socket.iterator({ destroyOnReturn: false })).catch(() => undefined);
    socket.end(JSON.stringify(await answer(parsedJson(question))));
  });
  if (await listens(server, address)) return server;
  // On Windows, a killed process leaves no address.
  return !IS_WINDOWS && (await takesOver(server, address)) ? server : undefined;
}

/** Listens at the address of a process that was killed. One process at a time may try. */
async function takesOver(server: Server, address: string): Promise<boolean> {
  const claim = `${address}.claim`;
  const madeMs = (await stat(claim).catch(() => undefined))?.mtimeMs ?? Date.now();
  if (Math.abs(Date.now() - madeMs) > PATIENCE_MS) await rmdir(claim).catch(() => {});
  if ((await mkdir(claim, { recursive: true })) === undefined) return false;
  try {
    if ((await ask(address, null)) !== undefined) return false;
    await rm(address, { force: true });
    return await listens(server, address);
  } finally {
    await rmdir(claim);
  }
}

/** @returns undefined if no process has the address, and null if one has it that does not answer */
export async function ask(address: string, question: unknown): Promise<unknown> {
  const socket = connect(address).setTimeout(PATIENCE_MS, () => socket.destroy());
  try {
    socket.end(JSON.stringify(question));
    return parsedJson(await text(socket)) ?? null;
  } catch (error) {
    return ['ENOENT', 'ECONNREFUSED'].includes(codeOf(error) ?? '') ? undefined : null;
  }
}

/** It must not keep a command running that is done. */
const listens = (server: Server, address: string): Promise<boolean> =>
  once(server.unref().listen(address), 'listening').then(
    () => true,
    (error) => codeOf(error) !== 'EADDRINUSE' && Promise.reject(error),
  );
