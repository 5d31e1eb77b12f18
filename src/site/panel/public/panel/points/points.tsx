import { listOrganizationEventPassingPoints } from '../../client/operations/list-organization-event-passing-points.ts';
import { DOT } from '../../shared/dom.ts';
import { all, type OrganizationEvent, type PassingPoint } from '../api.ts';
import { shortTime, textOfUploads as text } from '../formats.ts';
import { Message, RowButton, useAttempt, useLoaded, useSession } from '../kit.tsx';
import { loadNow } from '../later.tsx';

/** Loads the points of the course. */
export function usePoints({ id, latest_batch, latest_change_at }: OrganizationEvent) {
  const { run } = useSession();
  return useLoaded<PassingPoint[]>(
    () =>
      run(({ client, organization }) =>
        all(listOrganizationEventPassingPoints(client, organization, id)),
      ),
    [latest_batch?.received_at, latest_change_at],
  );
}

export type Points = ReturnType<typeof usePoints>;

/** The points of the course: how many runners have passed each point, and the way to take the point back. */
export function CoursePoints({ race, points }: { race: OrganizationEvent; points: Points }) {
  const session = useSession();
  const { attempt, message } = useAttempt();
  const { value: known = [] } = points;
  if (known.length === 0) return <Message>{points.message}</Message>;
  return (
    <div class="stack">
      <h2>{text('coursePoints')}</h2>
      <Message>{message || points.message}</Message>
      <ul class="card" aria-label={text('coursePoints')}>
        {known.map(({ point, total, fastest_time }) => (
          <li key={point} class="point line">
            <p class="who">
              <strong>{point}</strong>{' '}
              <small class="facts">
                {[
                  text('passed', { count: total }),
                  text('fastest', { time: shortTime(fastest_time) }),
                ].join(DOT)}
              </small>
            </p>
            <RowButton
              name={text('undoNamed', { what: point })}
              onClick={() =>
                attempt(async () => {
                  const { takeBackPoint } = await loadNow(
                    () => import('../uploads/opened.ts'),
                    'file',
                  );
                  await takeBackPoint(session, race.id, point, points.reload);
                })
              }
            >
              {text('undo')}
            </RowButton>
          </li>
        ))}
      </ul>
      <datalist id="points">
        {known.map(({ point }) => (
          <option key={point} value={point} />
        ))}
      </datalist>
    </div>
  );
}
