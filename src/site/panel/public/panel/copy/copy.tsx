import { useState } from 'preact/hooks';
import { getOrganizationEventPoints } from '../../client/operations/get-organization-event-points.ts';
import { getOrganizationEventStarts } from '../../client/operations/get-organization-event-starts.ts';
import { hideDistance } from '../../client/operations/hide-distance.ts';
import { listHiddenDistances } from '../../client/operations/list-hidden-distances.ts';
import { listOrganizationEvents } from '../../client/operations/list-organization-events.ts';
import { putOrganizationEventPoints } from '../../client/operations/put-organization-event-points.ts';
import { putOrganizationEventStarts } from '../../client/operations/put-organization-event-starts.ts';
import { updateEventBoard } from '../../client/operations/update-event-board.ts';
import { updateEventRanking } from '../../client/operations/update-event-ranking.ts';
import { zoneOf } from '../../shared/place-time.ts';
import {
  all,
  type BoardDistance,
  type EventPoints,
  type EventStarts,
  type OrganizationEvent,
} from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, raceTime, textOfParts as text, timeInZone } from '../formats.ts';
import {
  Message,
  type RaceSetting,
  type Session,
  useAttempt,
  useLoaded,
  useSession,
  WorkForm,
} from '../kit.tsx';
import { announce } from '../page.ts';
import { shiftedStarts } from './plan.ts';

/** The points, starts and distances of a race. Points that nobody told come from passings, and are no settings. */
type Course = { points: EventPoints; starts: EventStarts; distances: BoardDistance[] };

const courseOf = ({ run }: Session, race: string): Promise<Course> =>
  run(async ({ client, organization }) => {
    const [points, starts, distances] = await Promise.all([
      getOrganizationEventPoints(client, organization, race),
      getOrganizationEventStarts(client, organization, race),
      all(listHiddenDistances(client, organization, race)),
    ]);
    return { points, starts, distances };
  });

/**
 * Copies the settings of another race of the organization. The reader sees the settings first.
 * @param changed takes the race after the change
 */
export function CopySettings({ race, changed }: RaceSetting) {
  const session = useSession();
  const [from, choose] = useState('');
  const { attempt, isBusy, message, tell } = useAttempt(text('startsUnsure'));
  const events = useLoaded<OrganizationEvent[]>(
    () =>
      session.run(({ client, organization }) => all(listOrganizationEvents(client, organization))),
    [],
  );
  const others = (events.value ?? []).filter(({ id }) => id !== race.id);

  async function ask() {
    const source = others.find(({ id }) => id === from);
    if (!source) return tell(text('copyWrong'));
    const [own, theirs] = await Promise.all([
      courseOf(session, race.id),
      courseOf(session, source.id),
    ]);
    const copied = copyOf({ source, theirs }, { race, own });
    askToConfirm({
      title: text('copyTitle'),
      name: source.name,
      what: text('copyWhat', { name: isolated(race.name) }),
      points: linesOf(source, copied),
      after: text('copyAfter'),
      accept: text('copyDo'),
      work: async () => changed(await copy(session, race.id, { source, own, copied })),
      done() {
        announce(text('copyDone', { name: isolated(source.name) }));
        void session.refresh();
      },
      unsure: text('startsUnsure'),
    });
  }

  return (
    <WorkForm id="copy-form" class="stack" isBusy={isBusy} work={() => attempt(ask)}>
      <p class="hint">{text('copyHint')}</p>
      <label>
        <span>{text('copyFrom')}</span>
        <select
          class="input"
          value={from}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          <option value="">{text('copyChoose')}</option>
          {others.map(({ id, name, event_date, time_zone }) => (
            <option key={id} value={id}>
              {`${name}, ${timeInZone(event_date, time_zone)}`}
            </option>
          ))}
        </select>
      </label>
      <Message>{message || events.message}</Message>
      <p class="row">
        <button type="submit" class="button">
          {text('copyLook')}
        </button>
      </p>
    </WorkForm>
  );
}

/** The points and starts to store. An empty list keeps the list of the race. */
type Copied = {
  points: EventPoints['points'];
  starts: EventStarts['starts'];
  /** The distances with hidden names: of the race, and further distances that no runner of the race has. */
  hidden: string[];
  notHidden: string[];
};

const dayOf = ({ event_date, time_zone }: OrganizationEvent) => ({
  event_date,
  zone: zoneOf(time_zone) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
});

function copyOf(
  { source, theirs: { points, starts, distances } }: { source: OrganizationEvent; theirs: Course },
  { race, own }: { race: OrganizationEvent; own: Course },
): Copied {
  const has = (name: string) => own.distances.some(({ distance }) => distance === name);
  const hidden = distances.flatMap(({ distance, is_hidden }) => (is_hidden ? distance : []));
  return {
    points: points.version > 0 ? points.points : [],
    starts: shiftedStarts(starts.starts, dayOf(source), dayOf(race)),
    hidden: hidden.filter(has),
    notHidden: hidden.filter((name) => !has(name)),
  };
}

/** The settings in words. */
const linesOf = (
  source: OrganizationEvent,
  { points, starts, hidden, notHidden }: Copied,
): string[] => [
  `${text('liveBoard')}: ${text(source.board_enabled ? 'turned.true' : 'turned.false')}`,
  `${text('copyNames')}: ${text(`names.${source.board_names}`)}`,
  ...hidden.map((distance) => text('copyHidden', { distance: isolated(distance) })),
  ...notHidden.map((distance) => text('copyNotHidden', { distance: isolated(distance) })),
  text(`ranked.${source.ranking_rule}`),
  `${text('prizesLegend')}: ${text(`prizes.${source.prizes}`)}`,
  ...starts.map(({ name, starts_at }) => `${isolated(name)}: ${raceTime(starts_at)}`),
  ...points.map(({ name, distance, km }) =>
    [isolated(name), distance && isolated(distance), km && text('copyKm', { km })]
      .filter(Boolean)
      .join(', '),
  ),
];

/**
 * Stores the settings. The lists come first, because somebody may have changed a list since. Names are hidden before
 * the board may show names.
 */
const copy = (
  { run }: Session,
  race: string,
  { source, own, copied }: { source: OrganizationEvent; own: Course; copied: Copied },
) =>
  run(async ({ client, organization }) => {
    const { points, starts, hidden } = copied;
    if (starts.length > 0) {
      const { version } = own.starts;
      await putOrganizationEventStarts(client, organization, race, { version, starts });
    }
    if (points.length > 0) {
      const { version } = own.points;
      await putOrganizationEventPoints(client, organization, race, { version, points });
    }
    for (const name of hidden) await hideDistance(client, organization, race, name);
    const { ranking_rule: rule, prizes, board_enabled, board_names } = source;
    await updateEventRanking(client, organization, race, { rule, prizes });
    return updateEventBoard(client, organization, race, { board_enabled, board_names });
  });
