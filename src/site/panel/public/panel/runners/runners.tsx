import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { DOT } from '../../shared/dom.ts';
import {
  addressOf,
  type Group,
  groupInAddress,
  RUNNER_STATES,
  stateInAddress,
} from '../address.ts';
import {
  hasBib,
  type ListedRunner,
  type OfficialResults,
  type OrganizationEvent,
  type Runner,
  type Runners as RunnersOfRace,
} from '../api.ts';
import { outcomeOf, shortTime, text } from '../formats.ts';
import { genderName } from '../gender.ts';
import { Message, More, RowButton, useShown } from '../kit.tsx';
import { later } from '../later.tsx';
import { navigate } from '../navigation.ts';
import { stateOf } from '../race/phase.ts';
import { nameOf } from '../race-state.ts';
import { useTyped } from '../typed.ts';
import type { Point } from './course.ts';
import { useRunners } from './list.ts';

const SEARCH_DELAY_MS = 250;

const Warnings = later(async () => (await import('../warnings/warnings.tsx')).Warnings, {
  waits: true,
});
const Details = later(async () => (await import('../runner/details.tsx')).RunnerDetails);

/** A runner whose details are open. */
type Open = { readonly id: string; readonly bib: string };

/**
 * The runners of a race. Each runner has details to open.
 * @param official the last official version: null without a version, undefined before the loading
 * @param children what a reader does with all results
 */
export function Runners({
  race,
  official,
  children,
}: {
  race: OrganizationEvent;
  official: OfficialResults | null | undefined;
  children: ComponentChildren;
}) {
  const [search, setSearch] = useTyped(`search ${race.id}`, '');
  const [open, setOpen] = useTyped<readonly Open[]>(`open ${race.id}`, []);
  const ids = open.map(({ id }) => id);
  const list = useRunners(race, search, ids);
  const { found } = list;
  useShown(found !== undefined || list.message !== '');
  useReopened(open, found?.runners, (bib) => setSearch(bib));
  const loadSoon = useSoon(() => list.load(1), search);
  const isNone = found?.total === 0;
  const toggle = ({ inscription_id: id, bib_number: bib }: Runner) =>
    setOpen(ids.includes(id) ? open.filter((one) => one.id !== id) : [...open, { id, bib }]);
  return (
    <>
      <h2 id="results-title" class="unseen">
        {text('partResults')}
      </h2>
      <Warnings
        race={race}
        correct={(runner) => {
          setSearch(runner.bib);
          setOpen([...open.filter(({ id }) => id !== runner.id), runner]);
          navigate(addressOf(race.id, 'results'), 'replace');
        }}
      />
      <Search
        race={race.id}
        search={search}
        groups={found?.groups ?? []}
        setSearch={setSearch}
        load={loadSoon}
      />
      <Message>{list.message}</Message>
      <div class="folds row">
        {found && !isNone && (
          <p id="runner-count" class="hint" role="status">
            {text('runnersFound', { count: found.total })}
          </p>
        )}
        {children}
      </div>
      <ul id="runner-list" class="card" aria-label={text('partResults')}>
        {found?.runners.map((runner) => (
          <Row
            key={runner.inscription_id}
            runner={runner}
            points={list.pointsOf(runner)}
            isOpen={ids.includes(runner.inscription_id)}
            isBefore={stateOf(race) === 'before'}
            lacks={found.filter.state === 'INCOMPLETE'}
            place={placeWithin(found.filter.group, runner)}
            toggle={hasBib(runner) ? () => toggle(runner) : undefined}
          >
            {hasBib(runner) && (
              <Details
                race={race.id}
                runner={runner}
                points={list.pointsOf(runner)}
                official={official}
                reload={() => list.reload(runner)}
              />
            )}
          </Row>
        ))}
      </ul>
      {isNone && (
        <p id="no-runners" class="card empty">
          {text(
            found.search || found.filter.state || found.filter.group.distance
              ? 'noRunnerMatch'
              : 'noRunners',
          )}
        </p>
      )}
      <More
        onClick={
          found && found.pages.shown < found.pages.total
            ? () => list.load(found.pages.shown + 1)
            : undefined
        }
      />
    </>
  );
}

/** Runs some time after the reader has typed, or at once. */
function useSoon(work: () => unknown, typed: string) {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    timer.current = setTimeout(() => latest.current(), SEARCH_DELAY_MS);
    return () => clearTimeout(timer.current);
  }, [typed]);
  return () => {
    clearTimeout(timer.current);
    void latest.current();
  };
}

/** Searches a runner whose details were open when the last session ended, if the list lacks the runner. */
function useReopened(
  open: readonly Open[],
  runners: readonly ListedRunner[] | undefined,
  search: (bib: string) => void,
) {
  const wanted = useRef(open);
  useEffect(() => {
    if (!runners) return;
    const missing = wanted.current.find(
      ({ id }) => !runners.some(({ inscription_id }) => inscription_id === id),
    );
    wanted.current = [];
    if (missing) search(missing.bib);
  }, [runners]);
}

const STATES = ['', ...RUNNER_STATES] as const;

const Search = ({
  race,
  search,
  groups,
  setSearch,
  load,
}: {
  race: string;
  search: string;
  groups: RunnersOfRace['groups'];
  setSearch: (search: string) => void;
  load: () => void;
}) => (
  <search>
    <form
      id="runner-form"
      class="tools row"
      onSubmit={(event) => {
        event.preventDefault();
        load();
      }}
    >
      <input
        id="runner-search"
        class="input"
        type="search"
        aria-label={text('searchRunners')}
        placeholder={text('searchHint')}
        autocomplete="off"
        spellcheck={false}
        value={search}
        onInput={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <select
        id="runner-state"
        class="input"
        aria-label={text('filterRunners')}
        value={stateInAddress()}
        onChange={({ currentTarget }) =>
          navigate(addressOf(race, 'results', currentTarget.value, groupInAddress()), 'replace')
        }
      >
        {STATES.map((state) => (
          <option key={state} value={state}>
            {text(
              state === ''
                ? 'allStates'
                : state === 'NONE'
                  ? 'figure.missing'
                  : state === 'INCOMPLETE'
                    ? 'incomplete'
                    : `status.${state}`,
            )}
          </option>
        ))}
      </select>
      {groups.length > 0 && <GroupChoice race={race} groups={groups} />}
    </form>
  </search>
);

/** Chooses a distance, a gender of a distance or a category of a gender: one choice. */
function GroupChoice({ race, groups }: { race: string; groups: RunnersOfRace['groups'] }) {
  const distances = [...new Set(groups.map(({ distance }) => distance))];
  const choices: Group[] = [
    {},
    ...distances.flatMap((distance) => [
      { distance },
      ...groups
        .filter((group) => group.distance === distance)
        .map(({ category, ...group }) => (category === null ? group : { ...group, category })),
    ]),
  ];
  const chosen = wordsOf(groupInAddress());
  return (
    <select
      id="runner-group"
      class="input"
      aria-label={text('filterGroup')}
      value={choices.findIndex((choice) => wordsOf(choice) === chosen) || ''}
      onChange={({ currentTarget }) =>
        navigate(
          addressOf(race, 'results', stateInAddress(), choices[Number(currentTarget.value)]),
          'replace',
        )
      }
    >
      {choices.map((choice, index) => (
        <option key={wordsOf(choice)} value={index || ''}>
          {wordsOf(choice)}
        </option>
      ))}
    </select>
  );
}

const wordsOf = ({ distance, gender, category }: Group) =>
  distance
    ? [distance, [gender && genderName(gender), category].filter(Boolean).join(' ')]
        .filter(Boolean)
        .join(DOT)
    : text('everybody');

/** The place of a runner within a group. */
const placeWithin = ({ gender, category }: Group, runner: ListedRunner) =>
  runner[
    category
      ? 'position_distance_category'
      : gender
        ? 'position_distance_gender'
        : 'position_distance'
  ];

function Row({
  runner,
  points,
  isOpen,
  isBefore,
  lacks,
  place,
  toggle,
  children,
}: {
  runner: ListedRunner;
  points: readonly Point[];
  isOpen: boolean;
  /** The race has not started: nobody can have a result. */
  isBefore: boolean;
  /** The list is of runners who lack data. */
  lacks: boolean;
  place: number | null;
  /** Opens the details, or closes them. A runner without a bib has none. */
  toggle: (() => void) | undefined;
  children: ComponentChildren;
}) {
  const { bib_number, distance, category, result, name_is_hidden } = runner;
  const { inscription_status } = runner;
  const name = nameOf(runner);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <li ref={row} class={`runner ${isOpen ? 'open' : ''}`} data-status={result?.status ?? 'none'}>
      <div class="line">
        <span class="place">{place !== null && text('number', { value: place })}</span>
        <span class="bib">{bib_number ?? '–'}</span>
        <span class="who">
          <strong>{name}</strong>{' '}
          <small class="groups">
            {lacks ? lackingOf(runner) : [distance, category].filter(Boolean).join(DOT)}
          </small>
          <small class="points">
            {points.map(([point, time]) => (
              <span key={point} class={time === null ? 'not-seen' : ''}>
                {`${point} ${time === null ? text('notSeen') : briefTime(time)}`}
              </span>
            ))}
          </small>
        </span>
        {inscription_status !== 'PAID' && (
          <span class="pill">{text(`inscription.${inscription_status}`)}</span>
        )}
        {name_is_hidden && <span class="pill">{text('nameIsHidden')}</span>}
        <span class="outcome">{!isBefore && outcomeOf(result)}</span>
        {toggle && (
          <RowButton
            name={text('detailsOf', { name })}
            class="toggle"
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {text('details')}
          </RowButton>
        )}
      </div>
      {isOpen && children}
    </li>
  );
}

/** What a runner lacks, in words. */
const lackingOf = (runner: ListedRunner) =>
  (['bib_number', 'gender', 'category', 'distance'] as const)
    .flatMap((column) => (runner[column] === null ? text(`lacks.${column}`) : []))
    .join(DOT);

/** `38:23` of `00:38:23.000`. */
const briefTime = (time: string) => shortTime(time).replace(/^00:/, '');
