import { useRef, useState } from 'preact/hooks';
import { getOrganizationEventPoints } from '../../client/operations/get-organization-event-points.ts';
import { listOrganizationEventRunners } from '../../client/operations/list-organization-event-runners.ts';
import { inToldOrder } from '../../read/point.ts';
import { filterInAddress, runnersQuery } from '../address.ts';
import {
  hasBib,
  type ListedRunner,
  type OrganizationEvent,
  type Runner,
  type Runners,
} from '../api.ts';
import { useLatest, useLoaded, useSession, useWhenShown } from '../kit.tsx';
import { addPoints, type Course, pointsOf } from './course.ts';

const PAGE_ROWS = 20;
/** The most rows of a page, and how many of these pages are kept up to date. */
const LARGE_PAGE_ROWS = 100;
const LARGE_PAGES_MAX = 5;

/** The loaded runners, and the query behind the runners. */
interface Found {
  readonly runners: readonly ListedRunner[];
  readonly total: number;
  readonly pages: { readonly shown: number; readonly total: number };
  readonly search: string;
  readonly filter: ReturnType<typeof filterInAddress>;
  /** All groups of the race. */
  readonly groups: Runners['groups'];
}

/**
 * The runners of a race, by the reader's search.
 * @param open the ids of the runners in the reader's work: meanwhile all rows stay in place
 */
export function useRunners(race: OrganizationEvent, search: string, open: readonly string[]) {
  const { run } = useSession();
  const { latest, message } = useLatest();
  const [found, setFound] = useState<Found>();
  /** Whether results have changed while the reader worked on a runner. */
  const isLate = useRef(false);
  /** A search keeps the points, so that found runners can be compared with the runners of the whole list. */
  const course = useRef<Course>(new Map()).current;
  const filter = filterInAddress();
  const wanted = search.trim();

  const ask = (query: Parameters<typeof listOrganizationEventRunners>[3]) =>
    run(({ client, organization }) =>
      listOrganizationEventRunners(client, organization, race.id, query),
    );

  /** Loads a page of the search. */
  const load = (number: number) =>
    latest(
      () => ask(runnersQuery(wanted, number)),
      ({ data, meta, groups }) => {
        if (number === 1) isLate.current = false;
        if (number === 1 && wanted === '' && filter.state === '') course.clear();
        addPoints(course, data);
        const pages = { shown: number, total: meta.total_pages };
        setFound((before) => {
          const runners = number === 1 ? data : withoutDoubles(before?.runners ?? [], data);
          return { runners, total: meta.total, pages, search: wanted, filter, groups };
        });
      },
    );

  /** Shows the new state of listed runners, in place. */
  const replace = (changed: readonly ListedRunner[]) => {
    addPoints(course, changed);
    const now = new Map(changed.map((one) => [one.inscription_id, one]));
    const current = (one: ListedRunner) => now.get(one.inscription_id) ?? one;
    setFound((before) => before && { ...before, runners: before.runners.map(current) });
  };

  /** Loads the new state of a runner. */
  async function reload({ bib_number, inscription_id }: Runner) {
    const { data } = await ask({ page: 1, search: bib_number });
    replace(data.filter((one) => one.inscription_id === inscription_id));
  }

  /** Loads the listed rows anew, without moving the rows. */
  async function reloadRows({ pages: { shown }, runners }: Found) {
    const pages = Math.ceil((shown * PAGE_ROWS) / LARGE_PAGE_ROWS);
    for (let number = 1; number <= Math.min(pages, LARGE_PAGES_MAX); number++) {
      const query = { ...runnersQuery(wanted, number), page_size: LARGE_PAGE_ROWS };
      replace((await ask(query)).data);
    }
    for (const runner of runners.filter(hasBib)) {
      if (open.includes(runner.inscription_id)) await reload(runner);
    }
  }

  /** Loads the runners. Rows stay in place while the reader works on a row or has asked for more rows. */
  function refresh() {
    const isOpen = open.length > 0 && found?.filter.key === filter.key;
    isLate.current ||= isOpen;
    if (!found || (!isOpen && found.pages.shown <= 1)) return load(1);
    return latest(
      () => reloadRows(found),
      () => {},
    );
  }

  const { latest_batch, latest_change_at, ranking_rule } = race;
  useWhenShown(refresh, [latest_batch?.received_at, latest_change_at, ranking_rule, filter.key]);
  useWhenShown(() => open.length === 0 && isLate.current && refresh(), [open.length]);
  const told = useLoaded(
    () =>
      run(({ client, organization }) => getOrganizationEventPoints(client, organization, race.id)),
    [latest_change_at],
  );
  // Version 0: the points are derived from the passings.
  const toldPoints = told.value?.version ? told.value.points : [];
  const pointsOfRunner = (runner: ListedRunner) =>
    pointsOf(course, runner, (byTime) =>
      inToldOrder(toldPoints, runner.distance, byTime, ([name]) => name),
    );
  return { found, pointsOf: pointsOfRunner, message: message || told.message, load, reload };
}

/** A runner moved to the next page by a change is listed once. */
function withoutDoubles(known: readonly ListedRunner[], more: readonly ListedRunner[]) {
  const ids = new Set(known.map((one) => one.inscription_id));
  return [...known, ...more.filter((one) => !ids.has(one.inscription_id))];
}
