import { hideName } from '../../client/operations/hide-name.ts';
import { listOrganizationResultVersions } from '../../client/operations/list-organization-result-versions.ts';
import { showName } from '../../client/operations/show-name.ts';
import { DOT } from '../../shared/dom.ts';
import { all, noneIfNotFound, type OfficialResults, type Runner, type Version } from '../api.ts';
import { isolated, outcomeOf, raceTime, textOfParts as text } from '../formats.ts';
import { Figures, Message, useAttempt, useLoaded, useSession } from '../kit.tsx';
import { worthOf } from '../official/worth.ts';
import { announce } from '../page.ts';
import { actorOf, nameOf } from '../race-state.ts';
import type { Point } from '../runners/course.ts';
import { type Change, useCorrection } from './correct.ts';
import { CorrectionForm } from './correction-form.tsx';
import { useForm } from './form.ts';
import { Swap } from './swap.tsx';

/**
 * The stored result of a runner, the history, and the ways to correct the result.
 * @param points the points of the course, with the runner's times
 * @param reload loads the runner anew
 */
export function RunnerDetails({
  race,
  runner,
  points,
  official,
  reload,
}: {
  race: string;
  runner: Runner;
  points: readonly Point[];
  official: OfficialResults | null | undefined;
  reload: () => Promise<void>;
}) {
  const { run, refresh, userId } = useSession();
  const form = useForm(race, runner);
  const history = useLoaded(async () => {
    const versions = await run(({ client, organization }) =>
      all(listOrganizationResultVersions(client, organization, race, runner.bib_number)).catch(
        noneIfNotFound,
      ),
    );
    return { of: runner.version, versions };
  }, [runner.version]);
  /** Runs a change of the result. Then the form shows the stored result. */
  const change: Change = (work) =>
    form.changing(async () => {
      await work();
      await reload();
      form.type({});
      void refresh();
    });
  const correction = useCorrection({ race, runner, form, change, reload });
  const worth = worthOf(runner, official);
  const { of, versions = [] } = history.value ?? {};
  const last = of === runner.version ? versions.at(-1) : undefined;
  // The reader learns of the change at once. The author is known later, or never.
  const overtaken = form.isOvertaken
    ? text(last ? 'changedMeanwhile' : 'changedBySomebody', {
        who: last ? actorOf(last, userId) : '',
        what: outcomeOf(runner.result),
      })
    : '';
  const places = placesOf(runner);
  return (
    <div class="runner-details stack">
      {places.length > 0 && <Figures of={places} />}
      {cardMayDiffer(runner, points) && <p class="hint">{text('pointsNote')}</p>}
      {worth !== '' && <p class="worth hint">{worth}</p>}
      <CorrectionForm runner={runner} form={form} correction={correction} />
      <Message>{correction.message || overtaken}</Message>
      <Swap race={race} runner={runner} change={change} />
      <HideName race={race} runner={runner} reload={reload} />
      <div>
        <h3>{text('history')}</h3>
        <p class="hint" role="status">
          {history.message ||
            (history.value ? versions.length === 0 && text('noResultYet') : text('loading'))}
        </p>
        <ol class="versions" aria-label={text('history')}>
          {versions.toReversed().map((version) => (
            <VersionItem key={version.version} version={version} />
          ))}
        </ol>
      </div>
    </div>
  );
}

/** Hides the name of a runner on the board, or shows the name again. */
function HideName({
  race,
  runner,
  reload,
}: {
  race: string;
  runner: Runner;
  reload: () => Promise<void>;
}) {
  const { run, refresh } = useSession();
  const { attempt, isBusy, message } = useAttempt();
  const { bib_number, name_is_hidden: isHidden } = runner;
  async function toggle() {
    await run(({ client, organization }) =>
      (isHidden ? showName : hideName)(client, organization, race, bib_number),
    );
    const name = isolated(nameOf(runner));
    announce(isHidden ? text('nameShown', { name }) : text('nameHidden', { name }));
    await reload();
    void refresh();
  }
  return (
    <>
      <Message>{message}</Message>
      <div class="row">
        <button
          type="button"
          class="button"
          aria-busy={isBusy || undefined}
          onClick={() => attempt(toggle)}
        >
          {text(isHidden ? 'showName' : 'hideName')}
        </button>
        <span class="hint">{text(isHidden ? 'isHiddenNote' : 'hideNote')}</span>
      </div>
    </>
  );
}

/** Whether the card may count times at points from the runner's own start. The panel shows times as sent. */
const cardMayDiffer = ({ result }: Runner, points: readonly Point[]): boolean =>
  Boolean(result?.chip_time && result.gun_time && result.chip_time !== result.gun_time) &&
  points.some(([, time]) => time !== null);

/** The places of a runner. The row and the form have the status and the times. */
const placesOf = (runner: Runner) =>
  PLACES.flatMap((name) => {
    const place = runner[name];
    return place === null ? [] : [[text(`figure.${name}`), place] as const];
  });

const PLACES = [
  'position_distance',
  'position_distance_gender',
  'position_distance_category',
] as const;

function VersionItem({ version }: { version: Version }) {
  const { userId } = useSession();
  const { result, made_at, source, reverts, user_id, file_name, reason } = version;
  const kind = source === 'json' && user_id ? 'correction' : source;
  const from = kind === null ? '' : (file_name ?? text(`batch.${kind}`));
  return (
    <li>
      <strong>{result ? outcomeOf(result) : text('takenAway')}</strong>
      {DOT}
      <span class="soft">
        {[
          made_at ? raceTime(made_at) : '',
          reverts ? text('batch.revert') : from,
          actorOf(version, userId),
          reason ? isolated(reason) : '',
        ]
          .filter(Boolean)
          .join(DOT)}
      </span>
    </li>
  );
}
