/** The ordinary server uses these parts of Fastify. The bench installs it, and nothing else needs it. */
declare module 'fastify' {
  type Request = {
    id: string;
    method: string;
    url: string;
    headers: Record<string, string | undefined>;
    params: unknown;
    query: unknown;
    body: unknown;
  };

  type Reply = {
    statusCode: number;
    elapsedTime: number;
    code(status: number): Reply;
    header(name: string, value: string): Reply;
    send(body: unknown): Reply;
  };

  type Route = (path: string, answer: (request: Request) => Promise<unknown>) => void;

  export type App = {
    get: Route;
    post: Route;
    addHook(
      name: 'onSend',
      run: (request: Request, reply: Reply, body: string) => Promise<string>,
    ): void;
    addHook(name: 'onResponse', run: (request: Request, reply: Reply) => Promise<void>): void;
    setErrorHandler(
      answer: (error: Error & { statusCode?: number }, request: Request, reply: Reply) => void,
    ): void;
    listen(at: { host: string; port: number }): Promise<string>;
    log: { info(line: object): void; error(error: unknown): void };
  };

  export class LogController {
    constructor(options: { disableRequestLogging: boolean });
  }

  export default function Fastify(options: {
    logger: boolean;
    logController: LogController;
    bodyLimit: number;
  }): App;
}
