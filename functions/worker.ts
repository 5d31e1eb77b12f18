import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { consoleLog } from '../src/log.ts';
import { buildServices } from '../src/services.ts';

let app: ReturnType<typeof createApp> | undefined;

export default {
  fetch(request, bindings, context) {
    try {
      // Kept for the isolate's life: it holds configuration, and which keys are over their limit.
      app ??= createApp(buildServices(parseConfig(bindings)));
    } catch (error) {
      consoleLog.error('The Worker cannot start', error);
      return Response.json(
        { detail: 'The service is not configured.', code: 'INTERNAL_ERROR' },
        { status: 500 },
      );
    }
    return app.fetch(request, bindings, context);
  },
} satisfies ExportedHandler;
