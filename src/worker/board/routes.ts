import { transact } from '../db/client.ts';
import { boardCodeIn } from '../events/board-code.ts';
import { everybodyOf } from '../gate/gate.ts';
import type { AppEnv } from '../http/context.ts';
import { Hono } from '../http/hono.ts';
import { fetchPage } from '../http/pages.ts';
import { withETag } from '../http/revalidation.ts';
import { inTurn, waitForTurn } from '../http/turn.ts';
import { answerVersion, readVersion } from '../results/official/routes.ts';
import { bibsIn } from './address.ts';
import { toFound } from './found.ts';
import { toList } from './list.ts';
import { openBoardRoutes } from './open-routes.ts';
import { fillPage } from './page.ts';
import { BoardListQuery, WANTED_MAX } from './schemas.ts';
import {
  cached,
  findCode,
  findRanking,
  findRunner,
  findRunnerOfPath,
  findShown,
  noBoard,
} from './shown.ts';
import { findSnapshot } from './snapshot.ts';

const VERSION_FRESH_SECONDS = 60;

/** The live board of an event. The board is public once the organization has enabled the board. */
export const boardRoutes = new Hono<AppEnv>()
  .use(cached)
  .route('/v1', openBoardRoutes)
  .get('/:event_id', async (c) => {
    const shown = await findShown(c);
    const snapshot = findSnapshot(shown);
    const first = {
      at: c.get('services').now().getTime(),
      version: await versionOf(JSON.stringify(snapshot)),
      snapshot,
      runners: await Promise.all(
        bibsIn(c.req.query('bib') ?? '').map((bib) => findRunner(c, shown, bib)),
      ),
    };
    // A static file with an address would answer for events without a board too.
    const { body, headers } = await fetchPage(c.env, c.req.raw, 'board');
    const filled = fillPage(new Response(body), c.req.url, first);
    return c.newResponse(filled.body, { headers: Object.fromEntries(headers) });
  })
  .get('/:event_id/data', withETag, async (c) => {
    const snapshot = findSnapshot(await findShown(c));
    c.header('ETag', await versionOf(JSON.stringify(snapshot)));
    return c.json(snapshot);
  })
  .get('/:event_id/results', withETag, async (c) => {
    const query = BoardListQuery().safeParse(c.req.query());
    if (!query.success) throw noBoard();
    return c.json(toList(await findShown(c), query.data));
  })
  .get('/:event_id/find', withETag, async (c) => {
    const wanted = c.req.query('q') ?? '';
    if (wanted.length > WANTED_MAX) throw noBoard();
    return c.json(toFound(await findShown(c), wanted));
  })
  .get('/:event_id/official/:version', async (c) => {
    const { value, owner } = await findRanking(c);
    const version = Number(c.req.param('version'));
    if (!(version <= (value.official?.version ?? 0))) throw noBoard();
    c.get('logFields').trips += 1;
    const param = { event_id: c.req.param('event_id'), version };
    const turn = await waitForTurn(c, 'heavy', { sender: everybodyOf(owner) });
    return inTurn(c, turn, async () => {
      const answers = await transact(c.get('services').db, readVersion(param, 'everybody'));
      // A version never changes, but the organization may switch the board off.
      c.set('freshSeconds', VERSION_FRESH_SECONDS);
      return answerVersion(c, answers, version);
    });
  })
  .get('/:event_id/bibs/:bib_number', withETag, async (c) => c.json(await findRunnerOfPath(c)));

/** How long a cache may keep where a short address leads. A renewal purges the board, and a browser asks again. */
const CODE_FRESH_SECONDS = 10;

/** The short address of a board, for posters: leads to the board, and with `?bib=` to the runner. */
export const boardCodeRoutes = new Hono<AppEnv>().use(cached).get('/:code', async (c) => {
  const code = boardCodeIn(c.req.param('code'));
  const eventId = code && (await findCode(c, code));
  if (!eventId) throw noBoard();
  c.set('freshSeconds', CODE_FRESH_SECONDS);
  c.header('Cache-Tag', eventId);
  return c.redirect(`/board/${eventId}${new URL(c.req.url).search}`);
});

/** The ETag of the data, which the page has too: the page's first request may get 304. */
async function versionOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body));
  return `"${Buffer.from(digest).toString('hex')}"`;
}
