import type { RaceProgress } from '../../client/types.ts';
import type { OrganizationEvent } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { useEvery, useLoaded, useSession } from '../kit.tsx';
import { type StateFacts, stateOf } from '../race/phase.ts';
import { asking } from './reading.ts';

const EVERY_MS = 30_000;

/** How far the race is, with the names of the numbers: who started, passed each point, finished, and is still out. */
export const stagesOf = (
  { started, points, finished, on_course }: RaceProgress,
  race: StateFacts,
) =>
  [
    [text('course.started'), started],
    ...points.map(({ point, passed }) => [point, passed] as const),
    [text('course.arrived'), finished],
    [text(stateOf(race) === 'over' ? 'course.unseen' : 'course.out'), on_course],
  ] as const;

/** How far the race is, in a line of the head. A phone has no room for the points. */
export function Progress({ race }: { race: OrganizationEvent }) {
  const session = useSession();
  const { value, reload } = useLoaded(
    () => asking(session, race.id)({ page_size: 1 }),
    [race.latest_batch?.received_at],
  );
  useEvery(EVERY_MS, reload);
  if (!value) return null;
  const stages = stagesOf(value.progress, race);
  return (
    <>
      {stages.map(([name, count], at) => (
        <span key={name} class={at > 0 && at < stages.length - 2 ? 'of-point' : ''}>
          {name} <strong>{text('number', { value: count })}</strong>
        </span>
      ))}
    </>
  );
}
