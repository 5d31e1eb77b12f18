import { listOrganizationPassingUploads } from '../../client/operations/list-organization-passing-uploads.ts';
import { DOT } from '../../shared/dom.ts';
import type { OrganizationEvent, PassingUpload } from '../api.ts';
import { isolated, raceTime, textOfUploads as text } from '../formats.ts';
import { Message, More, usePages, useSession } from '../kit.tsx';
import type { Points } from '../points/points.tsx';
import { actorOf, nameOfBatch } from '../race-state.ts';
import { UploadItem } from './uploads.tsx';

/** The uploads of passings, newest first. Each upload can be reverted. Nothing is shown before the first upload. */
export function PassingUploads({ race, points }: { race: OrganizationEvent; points: Points }) {
  const { run, userId } = useSession();
  const { items, more, message } = usePages(
    (page) =>
      run(({ client, organization }) =>
        listOrganizationPassingUploads(client, organization, race.id, { page }),
      ),
    ({ id }) => id,
    [points.value],
  );
  if (!items?.length) return <Message>{message}</Message>;
  const ofShifts = idsOfShifts(items);
  return (
    <div class="stack">
      <div>
        <h2>{text('passingUploads')}</h2>
        <p class="hint">{text('passingUploadsLead')}</p>
      </div>
      <Message>{message}</Message>
      <ul class="card" aria-label={text('passingUploads')}>
        {items.map((upload) => (
          <UploadItem
            key={upload.id}
            race={race.id}
            upload={upload}
            undoable={{
              ...{ kind: 'passings', id: upload.id, name: nameOf(upload) },
              facts: [raceTime(upload.received_at), actorOf(upload, userId)].join(' '),
            }}
            isUndoable={!ofShifts.has(upload.id)}
            done={points.reload}
          />
        ))}
      </ul>
      <More onClick={more} />
    </div>
  );
}

const nameOf = (upload: PassingUpload) =>
  upload.deleted_point === null
    ? nameOfBatch({ ...upload, user_id: null })
    : text('pointTakenBack') + DOT + isolated(upload.deleted_point);

/** Shifts of a start and their reverts. The list of result uploads takes these back, together with the start. */
function idsOfShifts(uploads: readonly PassingUpload[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { id, source, reverts } of uploads.toReversed()) {
    if (source === 'shift' || (reverts !== null && ids.has(reverts))) ids.add(id);
  }
  return ids;
}
