import { WorkerEntrypoint } from 'cloudflare:workers';
import { createApp } from '../src/worker/app.ts';
import { toBoardRequest } from '../src/worker/board/edge.ts';
import { parseConfig } from '../src/worker/config.ts';
import { forPeople } from '../src/worker/http/page-for-people.ts';
import { consoleLog } from '../src/worker/log.ts';
import { buildServices } from '../src/worker/services.ts';

let app: ReturnType<typeof createApp> | undefined;

function answer(request: Request, bindings: unknown, context: ExecutionContext) {
  try {
    // One app for each isolate: the rate limiter remembers refused keys in it.
    app ??= createApp(buildServices(parseConfig(bindings)));
  } catch (error) {
    consoleLog.error('The Worker cannot start', error);
    return Response.json(
      { detail: 'The service is not configured.', code: 'INTERNAL_ERROR' },
      { status: 500, headers: { 'Cache-Control': 'private, no-store' } },
    );
  }
  return app.fetch(request, bindings, context);
}

/** The live board. Cloudflare caches its answers for all spectators: see board/edge.ts. */
export class Board extends WorkerEntrypoint {
  override fetch(request: Request) {
    return answer(request, this.env, this.ctx);
  }
}

export default {
  async fetch(request, bindings, context) {
    const boardRequest = toBoardRequest(request);
    const response = boardRequest
      ? context.exports.Board.fetch(boardRequest)
      : answer(request, bindings, context);
    return forPeople(request, await response);
  },
} satisfies ExportedHandler;

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: { Board: typeof Board };
    }
  }
}
