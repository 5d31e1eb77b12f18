import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { Participant } from '../participants/schemas.ts';
import { ResultsUploadOut } from '../results/schemas.ts';
import type { Entrant, ResultRow } from './plan.ts';

const PAGE_SIZE = 100;
const ATTEMPTS = 5;
const RETRIED = new Set([429, 503]);

const Failure = z.object({ detail: z.string(), code: z.string() });
const Participants = z.object({
  data: z.array(Participant),
  meta: z.object({ total_pages: z.int() }),
});

/** What the API answered in place of what it was asked for. */
export class Refusal extends Error {
  readonly code: string;
  constructor({ code, detail }: z.infer<typeof Failure>) {
    super(detail);
    this.code = code;
  }
}

export type Api = ReturnType<typeof createApi>;

export function createApi({ origin, apiKey }: { origin: string; apiKey: string }) {
  let requests = 0;
  let retries = 0;

  async function ask<T>(answer: z.ZodType<T>, path: string, init: RequestInit): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      requests += 1;
      const response = await fetch(`${origin}/public/v1${path}`, {
        ...init,
        headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      });
      const body: unknown = await response.json();
      if (response.ok) return answer.parse(body);
      if (!RETRIED.has(response.status) || attempt === ATTEMPTS) {
        throw new Refusal(Failure.parse(body));
      }
      retries += 1;
      const seconds = Number(response.headers.get('Retry-After'));
      await sleep(seconds * 1_000, undefined, init.signal ? { signal: init.signal } : {});
    }
  }

  return {
    traffic: () => ({ requests, retries }),

    /** The first registrations that have a bib, in the order of the API. */
    async entrants(eventId: string, atMost: number, signal: AbortSignal): Promise<Entrant[]> {
      const entrants: Entrant[] = [];
      for (let page = 1, pages = 1; page <= pages && entrants.length < atMost; page++) {
        const path = `/events/${eventId}/participants?page=${page}&page_size=${PAGE_SIZE}`;
        const { data, meta } = await ask(Participants, path, { signal });
        pages = meta.total_pages;
        for (const { bib_number, distance, category } of data) {
          if (bib_number !== null) entrants.push({ bib: bib_number, distance, category });
        }
      }
      return entrants.slice(0, atMost);
    },

    uploadResults: (eventId: string, results: ResultRow[]) =>
      ask(ResultsUploadOut, `/events/${eventId}/results`, {
        method: 'POST',
        body: JSON.stringify({ results }),
      }),
  };
}
