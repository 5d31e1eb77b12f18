import { exports, WorkerEntrypoint } from 'cloudflare:workers';
import { createApp } from '../src/worker/app.ts';
import { toBoardRequest } from '../src/worker/board/address.ts';
import { answerDocument, documentAddress, documentAt } from '../src/worker/board/boards.ts';
import { parseConfig } from '../src/worker/config.ts';
import { forPeople } from '../src/worker/http/pages.ts';
import { notModifiedFor } from '../src/worker/http/revalidation.ts';
import { CANNOT_START, consoleLog, NOT_PRUNED } from '../src/worker/log.ts';
import { pruneHistory } from '../src/worker/results/batches/prune.ts';
import { buildServices, type Services } from '../src/worker/services.ts';

type Deployed = { app: ReturnType<typeof createApp>; services: Services };

let deployed: Deployed | undefined;

/**
 * @throws Error if a variable for every request is missing or malformed. The error names the variable, never a value
 */
function deploy(bindings: Env): Deployed {
  // A single app for each isolate: the app remembers refused keys and the boards with spectators.
  if (!deployed) {
    const version = bindings.VERSION?.id ?? '';
    const services = buildServices(parseConfig(bindings), consoleLog, {
      fetch: (kind, eventId) => exports.Board.fetch(documentAddress(kind, eventId, version)),
      purge: (eventId) => exports.Board.purge(eventId),
    });
    deployed = { app: createApp(services), services };
  }
  return deployed;
}

function answer(request: Request, bindings: Env, context: ExecutionContext) {
  try {
    return deploy(bindings).app.fetch(request, bindings, context);
  } catch (error) {
    return answerUnstarted(request, error);
  }
}

/** Answers for a Worker that cannot start. The health checks name the variables. */
function answerUnstarted(request: Request, error: unknown): Response {
  consoleLog.error(CANNOT_START, error);
  const isHealth = /^\/(health|ready)z$/.test(new URL(request.url).pathname);
  const why = isHealth && error instanceof Error ? ` ${error.message}` : '';
  return Response.json(
    { detail: `The service is not configured.${why}`, code: 'INTERNAL_ERROR' },
    { status: 500, headers: { 'Cache-Control': 'private, no-store' } },
  );
}

/** The live board, and the documents behind the board. Cloudflare caches both: see board/boards.ts. */
export class Board extends WorkerEntrypoint<Env> {
  override fetch(request: Request) {
    const document = documentAt(request);
    return document
      ? answerDocument(deploy(this.env).services, document, (work) => this.ctx.waitUntil(work))
      : answer(request, this.env, this.ctx);
  }

  /** A purge reaches only the cache of the calling entrypoint. */
  async purge(tag: string): Promise<boolean> {
    const purged = await this.ctx.cache?.purge({ tags: [tag] });
    return purged?.success ?? true;
  }
}

export default {
  async fetch(request, bindings, context) {
    const boardRequest = toBoardRequest(request);
    const response = boardRequest
      ? notModifiedFor(request, await context.exports.Board.fetch(boardRequest))
      : await answer(request, bindings, context);
    return forPeople(request, response, bindings);
  },
  /** The Cron Trigger of wrangler.toml calls this every night. */
  async scheduled(_controller, bindings) {
    try {
      await pruneHistory(deploy(bindings).services);
    } catch (error) {
      consoleLog.error(NOT_PRUNED, error);
      throw error;
    }
  },
} satisfies ExportedHandler<Env>;
