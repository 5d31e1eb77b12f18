import type { ListedRunner } from '../api.ts';
import { isolated, shortTime, textOfParts as text } from '../formats.ts';
import { bibAndName } from '../race-state.ts';

export const PAGE_ROWS = 100;
/** A question waits for this many pages. The list of the panel has all runners. */
const PAGES_MAX = 5;
const SHOWN = 5;

/** A runner without a result, as the question needs the runner. */
type MissingRunner = Pick<ListedRunner, 'bib_number' | 'given_names' | 'surnames' | 'splits'>;

/** The runners without a result. `total` also counts the runners of further pages. */
interface Missing {
  readonly runners: readonly MissingRunner[];
  readonly total: number;
}

/** @param load loads a page of the runners without a result */
export async function missingIn(
  load: (page: number) => PromiseLike<{ data: MissingRunner[]; meta: { total: number } }>,
): Promise<Missing> {
  const runners: MissingRunner[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await load(page);
    runners.push(...data);
    if (page === PAGES_MAX || page * PAGE_ROWS >= meta.total) return { runners, total: meta.total };
  }
}

/** A line for each runner: the last point that saw the runner. The runners seen last stand at the top. */
export function linesOf({ runners, total }: Missing): string[] {
  const seen = runners
    .map((runner) => ({ runner, last: lastOf(runner) }))
    .sort(({ last: one }, { last: other }) => {
      const [first = '', second = ''] = [one?.[1], other?.[1]];
      return first === second ? 0 : first < second ? 1 : -1;
    });
  const shown = seen.slice(0, SHOWN).map(({ runner, last }) => {
    const named = { runner: isolated(bibAndName(runner)) };
    if (!last) return text('seenNowhere', named);
    const [point, time] = last;
    return text('lastSeen', { ...named, point: isolated(point), time: shortTime(time) });
  });
  const more = total - shown.length;
  return more > 0 ? [...shown, text('missingMore', { count: more })] : shown;
}

/** The latest point of a runner; undefined without a point. */
const lastOf = ({ splits }: MissingRunner) =>
  Object.entries(splits).reduce<[string, string] | undefined>(
    (latest, point) => (latest && latest[1] >= point[1] ? latest : point),
    undefined,
  );
