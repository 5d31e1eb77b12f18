import { getOrganizationOfficialResults } from '../../client/operations/get-organization-official-results.ts';
import { listOrganizationEventRunners } from '../../client/operations/list-organization-event-runners.ts';
import { makeResultsOfficial } from '../../client/operations/make-results-official.ts';
import { DOT } from '../../shared/dom.ts';
import { DOWNLOAD_TIMEOUT_MS, type OfficialResults, type OrganizationEvent } from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { saveFile } from '../downloads/csv-file.ts';
import { isolated, raceTime, textOfParts as text } from '../formats.ts';
import { type Session, useAttempt, useSession } from '../kit.tsx';
import { asking } from '../on-course/reading.ts';
import { announce } from '../page.ts';
import { mayRun, stateOf } from '../race/phase.ts';
import { ChangeItem } from '../uploads/changes.tsx';
import { linesOf, missingIn, PAGE_ROWS } from './missing.ts';

/** The official versions of a race, and the changes since. @param versions the last version first */
export function OfficialVersions({
  race,
  versions,
}: {
  race: OrganizationEvent;
  versions: readonly OfficialResults[];
}) {
  const [last] = versions;
  if (!last) return null;
  const { version, state } = last;
  return (
    <div class="stack">
      <p>{text(`official.${state}`, { version, time: timeOf(last) })}</p>
      {state === 'changed_since' && last.changes && <ChangesSince changes={last.changes} />}
      <ul class="stack">
        {versions.map((one) => (
          <Version key={one.version} race={race} version={one} />
        ))}
      </ul>
    </div>
  );
}

function ChangesSince({
  changes: { total, first },
}: {
  changes: NonNullable<OfficialResults['changes']>;
}) {
  const more = total - first.length;
  return (
    <div class="changes">
      <p class="strong">{text('changesSince')}</p>
      {total === 0 && <p class="hint">{text('changesOther')}</p>}
      <ul aria-label={text('changesSince')}>
        {first.map((change) => (
          <ChangeItem key={change.bib_number} {...change} />
        ))}
      </ul>
      {more > 0 && <p class="hint">{text('changesMore', { count: more })}</p>}
    </div>
  );
}

function Version({ race, version }: { race: OrganizationEvent; version: OfficialResults }) {
  const session = useSession();
  const { attempt, isBusy } = useAttempt(undefined, announce);
  const { version: number, rows, state } = version;
  const line = text('officialVersion', { version: number, time: timeOf(version), count: rows });
  const now = text(state === 'official' ? 'officialSame' : 'officialChanged');
  return (
    <li class="row spread">
      <span>{`${line}${DOT}${now}`}</span>
      <button
        type="button"
        class="button"
        aria-label={text('officialDownloadOf', { version: number })}
        aria-busy={isBusy || undefined}
        onClick={() => attempt(() => save(session, race, number))}
      >
        {text('download')}
      </button>
    </li>
  );
}

async function save({ run }: Session, { id, name }: OrganizationEvent, version: number) {
  const file = await run(({ client, organization }) =>
    getOrganizationOfficialResults(client, organization, id, version, {
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    }),
  );
  saveFile(
    new Blob([file], { type: 'application/x-ndjson' }),
    `${name} - official results ${version}`,
    'jsonl',
  );
  announce(text('downloaded', { name: isolated(name) }));
}

/**
 * Asks whether to make the results official, and makes them official. The question names the runners without a result.
 * @param reload then loads the versions
 */
export async function askToMakeOfficial(
  { run }: Pick<Session, 'run'>,
  race: OrganizationEvent,
  reload: () => Promise<void>,
) {
  const { id, name, total_results: count } = race;
  const mayBeOut = mayRun(race) && stateOf(race) !== 'over';
  const [missing, course] = await Promise.all([
    run(({ client, organization }) =>
      missingIn((page) =>
        listOrganizationEventRunners(client, organization, id, {
          page,
          page_size: PAGE_ROWS,
          status: 'NONE',
        }),
      ),
    ),
    mayBeOut ? asking({ run }, id)({ page_size: 1 }) : undefined,
  ]);
  const out = course?.progress.on_course ?? 0;
  askToConfirm({
    title: text('officialTitle'),
    name,
    facts: text('officialFacts', { count }),
    ...(out > 0 && { early: text('officialEarly', { count: out }) }),
    what: text('officialWhat'),
    intro: text('officialMissing', { count: missing.total }),
    points: linesOf(missing),
    after: text('officialAfter'),
    accept: text('makeOfficial'),
    async work() {
      const { version } = await run(({ client, organization }) =>
        makeResultsOfficial(client, organization, id, { timeoutMs: DOWNLOAD_TIMEOUT_MS }),
      );
      announce(text('madeOfficial', { version }));
    },
    done: reload,
    unsure: text('officialUnsure'),
  });
}

const timeOf = ({ made_at }: OfficialResults) => raceTime(made_at);
