import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { buildServices } from '../src/services.ts';

let app: ReturnType<typeof createApp> | undefined;

export default {
  fetch(request, bindings, context) {
    // Kept for the isolate's life: what it holds is configuration and the keys known to be over limit.
    app ??= createApp(buildServices(parseConfig(bindings)));
    return app.fetch(request, bindings, context);
  },
} satisfies ExportedHandler;
