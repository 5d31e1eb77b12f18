import { WorkerEntrypoint } from 'cloudflare:workers';
import { createApp } from '../src/app.ts';
import { toBoardRequest } from '../src/board/edge.ts';
import { parseConfig } from '../src/config.ts';
import { consoleLog } from '../src/log.ts';
import { buildServices } from '../src/services.ts';

let app: ReturnType<typeof createApp> | undefined;

function answer(request: Request, bindings: unknown, context: ExecutionContext) {
  try {
    // Kept for the isolate's life: it holds configuration, and which keys are over their limit.
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

/** Behind the cache: what it answers is kept for everybody, as long as its Cache-Control says. */
export class Board extends WorkerEntrypoint {
  override fetch(request: Request) {
    return answer(request, this.env, this.ctx);
  }
}

export default {
  fetch(request, bindings, context) {
    const boardRequest = toBoardRequest(request);
    if (boardRequest) return context.exports.Board.fetch(boardRequest);
    return answer(request, bindings, context);
  },
} satisfies ExportedHandler;

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: { Board: typeof Board };
    }
  }
}
