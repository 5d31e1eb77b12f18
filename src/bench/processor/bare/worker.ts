import type { Subrequest } from '../replay.ts';

let subrequests: Subrequest[] | undefined;

type Bindings = { SUBREQUESTS: string; ANSWER: string };

/** The floor of a read: sends the API's subrequests, ignores their answers, and answers a fixed text. */
export default {
  async fetch(_, { SUBREQUESTS, ANSWER }) {
    subrequests ??= JSON.parse(SUBREQUESTS) as Subrequest[];
    await Promise.all(
      subrequests.map(async ({ url, headers, body }) => {
        const answer = await fetch(url, { method: 'POST', headers, body });
        await answer.text();
      }),
    );
    return new Response(ANSWER, { headers: { 'Content-Type': 'application/json' } });
  },
} satisfies ExportedHandler<Bindings>;
