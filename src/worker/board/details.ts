import type { LookUp } from './look-up.ts';
import type { Ranking } from './ranking.ts';
import type { Waiting } from './waiting.ts';

/** The data of a runner that the ranking leaves out: the public name, and the splits in ms. */
export type Detail = { name: string | null; splits: Record<string, number> | null };

export type Details = {
  /** @throws ApiError SERVICE_UNAVAILABLE */
  find(
    ranking: Ranking,
    rows: readonly number[],
    waiting: Waiting,
  ): Promise<ReadonlyMap<number, Detail>>;
};

/** The memory of an isolate holds this many characters of details. */
const CHARACTERS_MAX = 16_000_000;

const NONE = '{"name":null,"splits":null}';

/**
 * Keeps the details of runners until their registration, their result or their event changes. The ranking
 * says when that was, so a detail is looked up once for each change.
 * @param lookUp finds the text of a Detail by the id of a registration
 */
export function createDetails(lookUp: LookUp<string>): Details {
  /** By the id of the registration: the version and the detail, as one text. The oldest comes first. */
  const kept = new Map<string, string>();
  let characters = 0;

  function forget(id: string) {
    characters -= id.length + (kept.get(id) ?? '').length;
    kept.delete(id);
  }

  function keep(id: string, text: string) {
    if (kept.has(id)) forget(id);
    kept.set(id, text);
    characters += id.length + text.length;
    for (const oldest of kept.keys()) {
      if (characters <= CHARACTERS_MAX) break;
      forget(oldest);
    }
  }

  return {
    async find(ranking, rows, waiting) {
      const found = new Map<number, Detail>();
      const missing: [id: string, row: number][] = [];
      for (const row of rows) {
        const id = ranking.ids[row] ?? '';
        const version = versionOf(ranking, row);
        const text = kept.get(id);
        if (text?.startsWith(version)) found.set(row, JSON.parse(text.slice(version.length)));
        else missing.push([id, row]);
      }
      const loaded = await lookUp(
        missing.map(([id]) => id),
        waiting,
      );
      for (const [id, row] of missing) {
        const detail = loaded.get(id) ?? NONE;
        keep(id, versionOf(ranking, row) + detail);
        found.set(row, JSON.parse(detail));
      }
      return found;
    },
  };
}

const versionOf = ({ eventVersion, versions, writtenMs }: Ranking, row: number): string =>
  `${eventVersion} ${versions[row]} ${writtenMs[row]} `;
