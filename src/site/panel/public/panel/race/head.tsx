import { addressOf } from '../address.ts';
import type { OfficialResults, OrganizationEvent } from '../api.ts';
import { raceTime, text } from '../formats.ts';
import { Figures, Fold, useAttempt, useSession } from '../kit.tsx';
import { later, loadNow } from '../later.tsx';
import { announce } from '../page.ts';
import { latestOf } from '../race-state.ts';
import { mayRun, type nextStepOf, stateOf } from './phase.ts';

export const folds = () => import('./folds.ts');

const Downloads = later(async () => (await folds()).Downloads);
const RankingMissing = later(async () => (await folds()).RankingMissing, { waits: true });
const OfficialVersions = later(async () => (await folds()).OfficialVersions);
const Progress = later(async () => (await import('../on-course/part.tsx')).Progress);

/** The official versions, the last version first; undefined before the loading. */
interface Versions {
  readonly value: readonly OfficialResults[] | undefined;
  reload(): Promise<void>;
}

/** The name, the state, the counts and the next step of a race. */
export function Head({
  race,
  step,
  versions,
  openMissing,
}: {
  race: OrganizationEvent;
  step: Step;
  versions: Versions;
  /** Runs when the reader opens the list of the runners without a result. */
  openMissing: () => void;
}) {
  const state = stateOf(race);
  return (
    <div class="race-head card stack">
      <div class="row spread">
        <div class="race-name">
          <h1 id="race-title" tabIndex={-1}>
            {race.name}
          </h1>
          <p class="dotted soft">
            <time dateTime={race.event_date}>{raceTime(race.event_date)}</time>
            <span>
              <bdi>{race.city}</bdi>
            </span>
          </p>
        </div>
        <NextStep race={race} step={step} reload={versions.reload} />
      </div>
      <p class="row">
        <span class="pill" data-state={state}>
          {text(`race.${state}`)}
        </span>{' '}
        <Worth race={race} versions={versions.value} />{' '}
        <span class="latest soft">{latestOf(race)}</span>
      </p>
      <Counts race={race} openMissing={openMissing} />
      {mayRun(race) && (
        <p class="progress dotted hint">
          <Progress race={race} />
        </p>
      )}
      <RankingMissing race={race} />
    </div>
  );
}

type Step = ReturnType<typeof nextStepOf>;

function NextStep({
  race,
  step,
  reload,
}: {
  race: OrganizationEvent;
  step: Step;
  reload: () => Promise<void>;
}) {
  if (step === undefined) return null;
  if (step === 'official') return <MakeOfficial race={race} isPrimary reload={reload} />;
  const addresses = {
    board: addressOf(race.id, 'board'),
    starts: addressOf(race.id, 'settings'),
    send: addressOf(race.id, 'uploads'),
  };
  const isOpen = addresses[step] === location.pathname + location.search;
  return (
    <a class="button primary" href={addresses[step]} aria-current={isOpen ? 'page' : undefined}>
      {text(`next.${step}`)}
    </a>
  );
}

/** Whether the results are official. */
function Worth({
  race,
  versions,
}: {
  race: OrganizationEvent;
  versions: readonly OfficialResults[] | undefined;
}) {
  const [last] = versions ?? [];
  if (!last && race.total_results === 0) return null;
  const { state = 'provisional', version = 0 } = last ?? {};
  return (
    <span class={`pill ${versions ? '' : 'unknown-yet'}`} data-state={state}>
      {text(`worth.${state}`, { version })}
    </span>
  );
}

/** How many runners are registered, have a result and have none. */
function Counts({ race, openMissing }: { race: OrganizationEvent; openMissing: () => void }) {
  const { id, total_results: results, paid_inscriptions: registered } = race;
  const missing = Math.max(0, registered - results);
  // Before the start nobody can have a result.
  if (stateOf(race) === 'before') return <Figures of={[[text('figure.registered'), registered]]} />;
  return (
    <Figures
      of={[
        [text('figure.registered'), registered],
        [text('figure.results'), results],
        [
          text('figure.missing'),
          missing && (
            <a
              href={addressOf(id, 'results', 'NONE')}
              aria-label={text('showMissing', { count: missing })}
              onClick={openMissing}
            >
              {text('number', { value: missing })}
            </a>
          ),
        ],
      ]}
    />
  );
}

const LOOK = 'button minor toggle';

/** The files of the results and the official versions, beside the number of runners. */
export function ResultsTools({
  race,
  step,
  versions,
}: {
  race: OrganizationEvent;
  step: Step;
  versions: Versions;
}) {
  if (race.total_results === 0) return null;
  const [last] = versions.value ?? [];
  return (
    <>
      {versions.value && step !== 'official' && last?.state !== 'official' && (
        <MakeOfficial race={race} reload={versions.reload} />
      )}
      <Fold id="downloads" look={LOOK} title={text('download')}>
        <Downloads race={race} />
      </Fold>
      {last && (
        <Fold id="official-versions" look={LOOK} title={text('officialVersions')}>
          <OfficialVersions race={race} versions={versions.value ?? []} />
        </Fold>
      )}
    </>
  );
}

/** The button that makes the results official, after a question. */
function MakeOfficial({
  race,
  isPrimary = false,
  reload,
}: {
  race: OrganizationEvent;
  isPrimary?: boolean;
  reload: () => Promise<void>;
}) {
  const session = useSession();
  const { attempt, isBusy } = useAttempt(undefined, announce);
  return (
    <button
      type="button"
      class={`button ${isPrimary ? 'primary' : 'minor'}`}
      aria-busy={isBusy || undefined}
      onClick={() =>
        attempt(async () => {
          const { askToMakeOfficial } = await loadNow(folds);
          await askToMakeOfficial(session, race, reload);
        })
      }
    >
      {text('makeOfficial')}
    </button>
  );
}
