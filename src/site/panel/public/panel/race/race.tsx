import { useRef, useState } from 'preact/hooks';
import { getOrganizationEvent } from '../../client/operations/get-organization-event.ts';
import { listOrganizationOfficialResults } from '../../client/operations/list-organization-official-results.ts';
import { addressOf, partInAddress, RACE_PARTS, type RacePart } from '../address.ts';
import { all, type OfficialResults, type OrganizationEvent } from '../api.ts';
import type { Events } from '../events/state.ts';
import { setRace, text } from '../formats.ts';
import {
  Kept,
  SessionContext,
  useEvery,
  useLatest,
  useLoaded,
  useSession,
  useShown,
  useTitle,
  useWhenShown,
} from '../kit.tsx';
import { later } from '../later.tsx';
import { failureIn } from '../page.ts';
import { Runners } from '../runners/runners.tsx';
import { Trouble } from '../trouble.tsx';
import { folds, Head, ResultsTools } from './head.tsx';
import { nextStepOf } from './phase.ts';

/** The page of a race shows changes by other users within five seconds. */
const REFRESH_MS = 4_000;

const UploadsPart = later(async () => (await import('../uploads/part.tsx')).UploadsPart, {
  texts: 'uploads',
});
const Board = later(async () => (await import('../board/board.tsx')).Board);
const Settings = later(async () => (await folds()).Settings);

const onCourse = () => import('../on-course/part.tsx');
const OnCourse = later(async () => (await onCourse()).OnCourse);
const Speaker = later(async () => (await onCourse()).Speaker);

const PART_NAMES = {
  results: 'partResults',
  uploads: 'uploads',
  course: 'partCourse',
  board: 'board',
  settings: 'partSettings',
} as const;

/** The page of a race has the state, the counts, the results, the uploads, the course and the board of the race. */
export function RacePage({ id, events }: { id: string; events: Events }) {
  const session = useSession();
  const part = partInAddress();
  const { race, isGone, message, reload, change } = useRace(id, events, part);
  useShown(isGone || message !== '');
  if (race) setRace(race);
  useTitle(race?.name ?? text('race'));
  return (
    <SessionContext.Provider value={{ ...session, refresh: reload }}>
      <Trouble message={message} retry={reload} />
      <section id="race" class="stack" aria-labelledby="race-title">
        {isGone && (
          <p class="card empty">
            {text('raceGone')} <a href="/panel">{text('eventsTitle')}</a>
          </p>
        )}
        {race && !isGone && part !== 'speaker' && <Parts race={race} part={part} change={change} />}
        {race && !isGone && part === 'speaker' && <Speaker race={race} />}
      </section>
    </SessionContext.Provider>
  );
}

function Parts({
  race,
  part,
  change,
}: {
  race: OrganizationEvent;
  part: RacePart;
  change: (changed: OrganizationEvent) => void;
}) {
  const versions = useOfficial(race);
  const step = nextStepOf(race, versions.value && (versions.value[0] ?? null));
  const list = useRef<HTMLElement>(null);
  // The list may be hidden until the address has changed.
  const openMissing = () =>
    requestAnimationFrame(() => list.current?.querySelector('select')?.focus());
  return (
    <div id="race-page" class="stack">
      <Head race={race} step={step} versions={versions} openMissing={openMissing} />
      <nav class="choice parts" aria-label={text('parts')}>
        {RACE_PARTS.map((one) => (
          <a
            key={one}
            href={addressOf(race.id, one)}
            aria-current={one === part ? 'page' : undefined}
          >
            {text(PART_NAMES[one])}
          </a>
        ))}
      </nav>
      <Kept isShown={part === 'results'}>
        <section ref={list} id="part-results" class="stack" aria-labelledby="results-title">
          <Runners race={race} official={versions.value && (versions.value[0] ?? null)}>
            <ResultsTools race={race} step={step} versions={versions} />
          </Runners>
        </section>
      </Kept>
      <Kept isShown={part === 'uploads'}>
        <section id="part-uploads" class="stack" aria-label={text('uploads')}>
          <UploadsPart race={race} />
        </section>
      </Kept>
      <Kept isShown={part === 'course'}>
        <section id="part-course" class="stack" aria-label={text('partCourse')}>
          <OnCourse race={race} />
        </section>
      </Kept>
      <Kept isShown={part === 'board'}>
        <section id="part-board" class="stack" aria-label={text('board')}>
          <Board race={race} changed={change} />
        </section>
      </Kept>
      <Kept isShown={part === 'settings'}>
        <section id="part-settings" class="stack" aria-label={text('partSettings')}>
          <Settings race={race} changed={change} />
        </section>
      </Kept>
    </div>
  );
}

/** Loads a race again and again. */
function useRace(id: string, events: Events, part: RacePart) {
  const { run } = useSession();
  const { latest, message, drop } = useLatest();
  const [loaded, setLoaded] = useState<OrganizationEvent>();
  const [isGone, setGone] = useState(false);
  const etag = useRef<string | undefined>(undefined);
  const race = loaded ?? events.items?.find((event) => event.id === id);
  const take = (changed: OrganizationEvent) => {
    setLoaded(changed);
    events.replace(changed);
  };
  const reload = () =>
    latest(
      async () => {
        try {
          const ifNoneMatch = etag.current;
          return await run(({ client, organization }) =>
            getOrganizationEvent(client, organization, id, { ifNoneMatch }),
          );
        } catch (error) {
          if (failureIn(error).kind !== 'notFound') throw error;
          return 'gone';
        }
      },
      (answer) => {
        setGone(answer === 'gone');
        if (answer === 'gone' || answer === 'not modified') return;
        etag.current = answer.etag;
        take(answer);
      },
    );
  useWhenShown(reload, [part]);
  useEvery(REFRESH_MS, reload);
  /** Shows the race after a change by a part of the page. Values requested before are out of date. */
  const change = (changed: OrganizationEvent) => {
    drop();
    etag.current = undefined;
    take(changed);
  };
  return { race, isGone, message, reload, change };
}

/**
 * The official versions, the last version first; undefined before the loading. The Worker compares the results with the
 * last version beside an answer, so the page asks again for the changes since.
 */
function useOfficial({ id, latest_batch, latest_change_at, ranking_rule }: OrganizationEvent) {
  const { run } = useSession();
  const versions = useLoaded<OfficialResults[]>(
    () =>
      run(({ client, organization }) =>
        all(listOrganizationOfficialResults(client, organization, id)),
      ),
    [latest_batch?.received_at, latest_change_at, ranking_rule],
  );
  const last = versions.value?.[0];
  const isUncompared = last?.state === 'changed_since' && last.changes === null;
  useEvery(REFRESH_MS, () => isUncompared && versions.reload());
  return versions;
}
