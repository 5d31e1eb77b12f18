import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { forPeople } from './pages.ts';

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8';
const failure = (status: number) =>
  Response.json(
    { detail: 'No operation has this method and path.' },
    {
      status,
      headers: { 'X-Request-Id': '7', 'Cache-Control': 'public, max-age=10', ETag: '"1"' },
    },
  );
const answerTo = (path: string, headers: Record<string, string>, status = 404) =>
  forPeople(new Request(`https://race.example${path}`, { headers }), failure(status), env);

describe('forPeople', () => {
  test.each([
    ['/', 404, 'There is no page at this address'],
    ['/docs/none', 404, 'There is no page at this address'],
    ['/pages/board', 404, 'There is no page at this address'],
    ['/board/17', 404, 'There is no board at this address'],
    ['/', 500, 'Something broke on our side'],
    ['/board/17', 500, 'Something broke on our side'],
    ['/board/17', 503, 'The server does not answer'],
  ])('answers a browser with a page (%s, %i)', async (path, status, title) => {
    const response = await answerTo(path, { Accept: PAGE }, status);
    expect(response.status).toBe(status);
    const { headers } = response;
    expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('private, no-store');
    expect(headers.get('Vary')).toBe('Accept, Accept-Language');
    expect(headers.get('Content-Security-Policy')).toContain(
      "default-src 'none'; style-src 'self'",
    );
    expect(headers.get('X-Request-Id')).toBe('7');
    expect(headers.has('ETag')).toBe(false);
    const html = await response.text();
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).not.toMatch(/<script|<style| style=/);
    expect(html.includes('<meta http-equiv="refresh" content="10">')).toBe(status === 503);
  });

  test('speaks the language of the browser', async () => {
    const spanish = await answerTo('/', {
      Accept: PAGE,
      'Accept-Language': 'es-AR,es;q=0.9,en;q=0.8',
    });
    expect(await spanish.text()).toContain('<html lang="es">');
    const other = await answerTo('/', { Accept: PAGE, 'Accept-Language': 'fr,es;q=0.5' });
    expect(await other.text()).toContain('<html lang="en">');
  });

  test('answers JSON to everybody else, and for each operation of the API', async () => {
    for (const accept of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      expect((await answerTo('/', accept)).headers.get('Content-Type')).toContain('json');
    }
    for (const path of ['/public/v1/events/x', '/api/v1/x', '/healthz']) {
      const response = await answerTo(path, { Accept: PAGE });
      expect(response.headers.get('Content-Type'), path).toContain('json');
    }
  });

  test('leaves every other answer as it is', async () => {
    for (const status of [200, 304, 400, 401, 429]) {
      const response = new Response(null, { status });
      const request = new Request('https://race.example/', { headers: { Accept: PAGE } });
      expect(await forPeople(request, response, env)).toBe(response);
    }
  });
});

// The first request loads the whole Worker.
test('answers a browser at a wrong address of the deployed Worker with a page', {
  timeout: 120_000,
}, async () => {
  for (const [path, title] of [
    ['/none', 'There is no page at this address'],
    ['/pages/board', 'There is no page at this address'],
    ['/board/17', 'There is no board at this address'],
  ] as const) {
    const request = new Request(`https://race.example${path}`, { headers: { Accept: PAGE } });
    const response = await exports.default.fetch(request);
    expect([response.status, await response.text()], path).toEqual([
      404,
      expect.stringContaining(`<h1>${title}</h1>`),
    ]);
  }
});
