import { getEventRanking } from '../../client/operations/get-event-ranking.ts';
import { RANKS, type RankTime } from '../../read/ranking-rule.ts';
import type { EventRanking, OrganizationEvent } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { useLoaded, useSession } from '../kit.tsx';

/** How many finishers lack a time by which the race ranks. */
export function RankingMissing({ race }: { race: OrganizationEvent }) {
  const { run } = useSession();
  const { id, latest_batch, latest_change_at, ranking_rule } = race;
  const { value } = useLoaded<EventRanking>(
    () => run(({ client, organization }) => getEventRanking(client, organization, id)),
    [latest_batch?.received_at, latest_change_at, ranking_rule],
  );
  const missing = value ? missingIn(value) : '';
  return missing === '' ? null : <p class="hint">{missing}</p>;
}

/** The number of runners without a ranking time, in a sentence for each time. */
const missingIn = (found: EventRanking) => {
  const counts: Record<RankTime, number> = {
    chip: found.finishers_without_chip_time,
    gun: found.finishers_without_gun_time,
  };
  const { overall, category } = RANKS[found.rank_by];
  return [...new Set([overall, category])]
    .flatMap((time) => (counts[time] > 0 ? text(`missing.${time}`, { count: counts[time] }) : []))
    .join(' ');
};
