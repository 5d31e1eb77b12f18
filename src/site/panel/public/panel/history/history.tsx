import { listEventChanges } from '../../client/operations/list-event-changes.ts';
import { DOT } from '../../shared/dom.ts';
import type { EventChange, OrganizationEvent } from '../api.ts';
import { isolated, raceTime, textOfParts as text } from '../formats.ts';
import { Message, More, usePages, useSession } from '../kit.tsx';

/** The changes of users to a race, latest first. */
export function RaceHistory({ race }: { race: OrganizationEvent }) {
  const { run, userId } = useSession();
  const { items, more, message } = usePages(
    (page) =>
      run(({ client, organization }) => listEventChanges(client, organization, race.id, { page })),
    (change) => JSON.stringify(change),
    [race],
  );
  return (
    <div class="stack">
      <Message>{message}</Message>
      {items?.length === 0 && <p class="soft">{text('noRaceHistory')}</p>}
      <ol class="versions" aria-label={text('raceHistory')}>
        {items?.map((change) => (
          <li key={JSON.stringify(change)}>
            <strong>{WORDS[change.kind](change)}</strong>
            {DOT}
            <span class="soft">
              {[
                raceTime(change.changed_at),
                text('by', {
                  actor:
                    change.user_id === userId
                      ? text('you')
                      : (change.user_id ?? change.key_prefix ?? ''),
                }),
                ...(change.reason ? [isolated(change.reason)] : []),
              ].join(DOT)}
            </span>
          </li>
        ))}
      </ol>
      <p class="row">
        <More onClick={more} />
      </p>
    </div>
  );
}

type Words = (change: EventChange) => string;

const turned = (value: string | null) => text(value === 'true' ? 'turned.true' : 'turned.false');

const namesShown = (value: string | null) =>
  text(value === 'initials' || value === 'full' ? `names.${value}` : 'names.none');

const ranked = (value: string | null) =>
  text(value === 'gun' || value === 'gun_overall' ? `ranked.${value}` : 'ranked.chip');

const prizesAre = (value: string | null) =>
  text(value === 'overall_leaves_category' ? `prizes.${value}` : 'prizes.all');

const nameIs = (bib: string | null) => text(bib === null ? 'nameIs.shown' : 'nameIs.hidden');

/** The names in a list of starts or of points. @param list as JSON */
function namesIn(list: string | null): string {
  const named: { name: string }[] = JSON.parse(list ?? '[]');
  return isolated(named.map(({ name }) => name).join(', ') || '–');
}

/** The text of each kind of change. */
const WORDS: Readonly<Record<EventChange['kind'], Words>> = {
  ranking_rule: ({ before, after }) =>
    text('changed.ranking_rule', { before: ranked(before), after: ranked(after) }),
  board_enabled: ({ before, after }) =>
    text('changed.board_enabled', { before: turned(before), after: turned(after) }),
  board_names: ({ before, after }) =>
    text('changed.board_names', { before: namesShown(before), after: namesShown(after) }),
  hidden_name: ({ before, after }) =>
    text('changed.hidden_name', {
      bib: isolated(after ?? before ?? ''),
      before: nameIs(before),
      after: nameIs(after),
    }),
  hidden_distance: ({ before, after }) =>
    text('changed.hidden_distance', {
      distance: isolated(after ?? before ?? ''),
      before: nameIs(before),
      after: nameIs(after),
    }),
  board_code: ({ after }) => text('changed.board_code', { after: after ?? '' }),
  prizes: ({ before, after }) =>
    text('changed.prizes', { before: prizesAre(before), after: prizesAre(after) }),
  official_version: ({ after }) => text('changed.official_version', { after: after ?? '' }),
  starts: ({ after }) => text('changed.starts', { list: namesIn(after) }),
  points: ({ after }) => text('changed.points', { list: namesIn(after) }),
};
