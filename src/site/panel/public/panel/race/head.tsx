import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf } from '../address.ts';
import type { OfficialResults, OrganizationEvent } from '../api.ts';
import { raceTime, text } from '../formats.ts';
import { Kept, useAttempt, useSession } from '../kit.tsx';
import { later, loadNow } from '../later.tsx';
import { announce } from '../page.ts';
import { latestOf } from '../race-state.ts';
import { mayRun, nextStepOf, stateOf } from './phase.ts';

const folds = () => import('./folds.ts');

const Downloads = later(async () => (await folds()).Downloads);
const Ranking = later(async () => (await folds()).Ranking);
const Prizes = later(async () => (await folds()).Prizes);
const RankingMissing = later(async () => (await folds()).RankingMissing, { waits: true });
const OfficialVersions = later(async () => (await folds()).OfficialVersions);
const CopySettings = later(async () => (await folds()).CopySettings);
const Course = later(async () => (await folds()).Course);
const Starts = later(async () => (await folds()).Starts);
const RaceHistory = later(async () => (await folds()).RaceHistory);
const Progress = later(async () => (await import('../on-course/part.tsx')).Progress);

/** The official versions, the last version first; undefined before the loading. */
interface Versions {
  readonly value: readonly OfficialResults[] | undefined;
  reload(): Promise<void>;
}

/** The name, the state and the counts of a race, with the folded parts beneath. */
export function Head({
  race,
  versions,
  change,
  openMissing,
}: {
  race: OrganizationEvent;
  versions: Versions;
  change: (changed: OrganizationEvent) => void;
  /** Runs when the reader opens the list of the runners without a result. */
  openMissing: () => void;
}) {
  const state = stateOf(race);
  const step = nextStepOf(race, versions.value && (versions.value[0] ?? null));
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
      <More race={race} step={step} versions={versions} change={change} />
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
    keys: '/panel?view=keys',
    send: addressOf(race.id, 'uploads'),
  };
  // The part with the step is open already, and has a primary button of its own.
  if (addresses[step] === location.pathname + location.search) return null;
  return (
    <a class="button primary" href={addresses[step]}>
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
  const number = (value: number) => text('number', { value });
  return (
    <dl class="figures">
      <Count name={text('figure.registered')} count={registered}>
        {number(registered)}
      </Count>
      <Count name={text('figure.results')} count={results}>
        {number(results)}
      </Count>
      <Count name={text('figure.missing')} count={missing}>
        {missing === 0 ? (
          number(missing)
        ) : (
          <a
            href={addressOf(id, 'results', 'NONE')}
            aria-label={text('showMissing', { count: missing })}
            onClick={openMissing}
          >
            {number(missing)}
          </a>
        )}
      </Count>
    </dl>
  );
}

const Count = ({
  name,
  count,
  children,
}: {
  name: string;
  count: number;
  children: ComponentChildren;
}) => (
  <div class={count === 0 ? 'none' : ''}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A phone has no room for the folded parts above the list. */
const isNarrow = matchMedia('(max-width: 40rem)').matches;

function More({
  race,
  step,
  versions,
  change,
}: {
  race: OrganizationEvent;
  step: Step;
  versions: Versions;
  change: (changed: OrganizationEvent) => void;
}) {
  const [isOpen, setOpen] = useState(!isNarrow);
  const hasResults = race.total_results > 0;
  const isOfficial = versions.value?.[0]?.state === 'official';
  return (
    <details
      id="race-more"
      open={isOpen}
      onToggle={({ currentTarget, target }) =>
        target === currentTarget && setOpen(currentTarget.open)
      }
    >
      <summary>{text('raceMore')}</summary>
      <div class="folds row">
        {hasResults && step !== 'official' && !isOfficial && (
          <MakeOfficial race={race} reload={versions.reload} />
        )}
        {hasResults && (
          <Fold id="downloads" title={text('download')}>
            <Downloads race={race} />
          </Fold>
        )}
        <Fold id="ranking" title={text(`ranked.${race.ranking_rule}`)}>
          <Ranking race={race} changed={change} />
          <Prizes race={race} changed={change} />
        </Fold>
        <Fold id="starts" title={text('starts')}>
          <Starts race={race} />
        </Fold>
        <Fold id="course" title={text('course')}>
          <Course race={race} />
        </Fold>
        <Fold id="copy" title={text('copySettings')}>
          <CopySettings race={race} changed={change} />
        </Fold>
        {(versions.value?.length ?? 0) > 0 && (
          <Fold id="official-versions" title={text('officialVersions')}>
            <OfficialVersions race={race} versions={versions.value ?? []} />
          </Fold>
        )}
        <Fold id="race-history" title={text('raceHistory')}>
          <RaceHistory race={race} />
        </Fold>
      </div>
      <p class="hint">{text('raceElsewhere')}</p>
    </details>
  );
}

function Fold({ id, title, children }: { id: string; title: string; children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details id={id} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      <Kept isShown={isOpen}>{children}</Kept>
    </details>
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
      class={`button ${isPrimary ? 'primary' : ''}`}
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
