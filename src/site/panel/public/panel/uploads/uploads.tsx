import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { listOrganizationResultBatches } from '../../client/operations/list-organization-result-batches.ts';
import { DOT } from '../../shared/dom.ts';
import type { Batch, OrganizationEvent } from '../api.ts';
import { isolated, raceTime, textOfUploads as text } from '../formats.ts';
import {
  Figures,
  Message,
  More,
  RowButton,
  useAttempt,
  usePages,
  useSession,
  useShown,
} from '../kit.tsx';
import { later, loadNow } from '../later.tsx';
import { actorOf, nameOfBatch } from '../race-state.ts';
import type { Undoable } from './take-back.ts';

const opened = () => import('./opened.ts');

const Changes = later(async () => (await opened()).Changes, { texts: 'file' });

/** The uploads of a race, newest first. Each upload shows its changes, and can be reverted. */
export function Uploads({ race }: { race: OrganizationEvent }) {
  const { run } = useSession();
  const { items, more, message } = usePages(
    (page) =>
      run(({ client, organization }) =>
        listOrganizationResultBatches(client, organization, race.id, { page }),
      ),
    ({ id }) => id,
    [race.latest_batch?.received_at, race.latest_change_at],
  );
  useShown(items !== undefined || message !== '');
  return (
    <>
      <div>
        <h2 id="uploads-title">{text('uploads')}</h2>
        <p class="hint">{text('uploadsLead')}</p>
      </div>
      <Message>{message}</Message>
      {items?.length === 0 && <p class="card empty">{text('noUploads')}</p>}
      {items && items.length > 0 && (
        <ul class="card" aria-label={text('uploads')}>
          {items.map((batch) => (
            <Upload key={batch.id} race={race.id} batch={batch} />
          ))}
        </ul>
      )}
      <More onClick={more} />
    </>
  );
}

function Upload({ race, batch }: { race: string; batch: Batch }) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const what = nameOfBatch(batch);
  return (
    <UploadItem
      race={race}
      upload={batch}
      undoable={{
        kind: 'results',
        id: batch.id,
        name: what,
        facts: factsOf(batch, session.userId),
        isShift: batch.source === 'shift',
      }}
      done={session.refresh}
      details={isOpen && <Changes race={race} batch={batch} />}
    >
      <RowButton
        name={text('changesOf', { what })}
        class="toggle"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {text('changes')}
      </RowButton>
    </UploadItem>
  );
}

/** An upload that is not reverted yet can be reverted. @param done runs after the revert */
export function UploadItem({
  race,
  upload,
  undoable,
  isUndoable = true,
  done,
  details,
  children,
}: {
  race: string;
  upload: Counted;
  undoable: Undoable;
  isUndoable?: boolean;
  done: () => Promise<void>;
  details?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const session = useSession();
  const { attempt, message, tell } = useAttempt();
  const { name, facts } = undoable;
  const revertedAt = upload.reverted_at && raceTime(upload.reverted_at);
  const undo = () =>
    attempt(async () => {
      const { takeBack } = await loadNow(opened, 'file');
      tell(await takeBack(session, race, undoable, done));
    });
  return (
    <li class={`upload ${revertedAt ? 'taken-back' : ''}`}>
      <div class="line">
        <p class="who">
          <strong>{name}</strong> <small class="facts">{facts}</small>
        </p>
        {revertedAt && <span class="pill">{text('takenBackAt', { when: revertedAt })}</span>}
        <Figures of={figuresOf(upload)} />
        <div class="row">
          {isUndoable && !revertedAt && (
            <RowButton name={text('undoNamed', { what: name })} onClick={undo}>
              {text('undo')}
            </RowButton>
          )}
          {children}
        </div>
      </div>
      <Message>{message}</Message>
      {details}
    </li>
  );
}

/** The time, the sender and the reason of a batch. @param userId the reader */
const factsOf = ({ received_at, reason, ...batch }: Batch, userId: string) =>
  [raceTime(received_at), actorOf(batch, userId)].join(' ') +
  (reason ? DOT + isolated(reason) : '');

type Counted = Pick<
  Batch,
  'reverted_at' | 'removed' | 'uploaded' | 'updated' | 'unchanged' | 'not_found' | 'left'
>;

/** The counts of an upload for a person. */
const figuresOf = (batch: Counted): (readonly [string, number])[] => [
  ...(batch.removed > 0 ? [[text('figure.removed'), batch.removed] as const] : []),
  [text('figure.new'), batch.uploaded],
  [text('figure.changed'), batch.updated - batch.unchanged],
  [text('figure.notFound'), batch.not_found],
  ...(batch.left > 0 ? [[text('figure.left'), batch.left] as const] : []),
];
