import { describe, expect, test } from 'vitest';
import { forPeople } from './page-for-people.ts';

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8';
const failure = (status: number) =>
  Response.json({ detail: 'No operation has this method and path.' }, { status });
const answerTo = (path: string, headers: Record<string, string>, status = 404) =>
  forPeople(new Request(`https://race.example${path}`, { headers }), failure(status));

describe('forPeople', () => {
  test.each([
    ['/', 'There is no page at this address'],
    ['/docs/none', 'There is no page at this address'],
    ['/board/17', 'There is no board at this address'],
  ])('answers a browser with a page (%s)', async (path, title) => {
    const response = answerTo(path, { Accept: PAGE });
    expect(response.status).toBe(404);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Vary')).toContain('Accept');
    const html = await response.text();
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).not.toMatch(/<script|<style| style=/);
  });

  test('speaks the language of the browser', async () => {
    const spanish = answerTo('/', { Accept: PAGE, 'Accept-Language': 'es-AR,es;q=0.9,en;q=0.8' });
    expect(await spanish.text()).toContain('<html lang="es">');
    const other = answerTo('/', { Accept: PAGE, 'Accept-Language': 'fr,es;q=0.5' });
    expect(await other.text()).toContain('<html lang="en">');
  });

  test('answers JSON to everybody else, and for each operation of the API', () => {
    for (const accept of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
      expect(answerTo('/', accept).headers.get('Content-Type')).toContain('json');
    }
    for (const path of ['/public/v1/events/x', '/api/v1/x', '/healthz']) {
      const response = answerTo(path, { Accept: PAGE });
      expect(response.headers.get('Content-Type'), path).toContain('json');
    }
  });

  test('tries again by itself while the server does not answer', async () => {
    const response = answerTo('/board/17', { Accept: PAGE }, 503);
    expect([response.status, response.headers.get('Refresh')]).toEqual([503, '10']);
    expect(await response.text()).toContain('The server does not answer');
  });

  test('leaves every other answer as it is', () => {
    for (const status of [200, 304, 400, 401, 500]) {
      const response = new Response(null, { status });
      const request = new Request('https://race.example/', { headers: { Accept: PAGE } });
      expect(forPeople(request, response)).toBe(response);
    }
  });
});
