import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { LOOPBACK, listen } from './listen.ts';
import { untilItAnswers } from './wrangler.ts';

/** Stands for wrangler, which has to be alive while it is waited for. */
function startProcess(program: string) {
  const child = spawn(process.execPath, ['--eval', program], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  return child;
}

/** Answers as the Worker does, whose Redis is 3 s away. */
async function serve(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/public/v1/events' ? 401 : 503).end();
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return `http://${LOOPBACK}:${port}`;
}

test('waits for the Worker but not for the database and Redis', async () => {
  await untilItAnswers(await serve(), startProcess('setTimeout(() => {}, 60_000)'));
});

test('says that wrangler has ended', async () => {
  const ended = startProcess('');
  await once(ended, 'exit');
  await expect(untilItAnswers('http://127.0.0.1:1', ended)).rejects.toThrow(
    'wrangler dev does not answer at http://127.0.0.1:1',
  );
});
