import { deleteOrganizationEventPassings } from '../../client/operations/delete-organization-event-passings.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, textOfUploads as text } from '../formats.ts';
import type { Session } from '../kit.tsx';
import { announce } from '../page.ts';

/**
 * Asks the API how many times would go, then the reader, and takes the point back.
 * @param done runs after the point is taken back
 */
export async function takeBackPoint(
  { run }: Pick<Session, 'run'>,
  race: string,
  point: string,
  done: () => Promise<void>,
) {
  const { removed } = await run(({ client, organization }) =>
    deleteOrganizationEventPassings(client, organization, race, point, { dryRun: true }),
  );
  askToConfirm({
    title: text('undoPointTitle'),
    name: point,
    what: text('undoPointWhat', { count: removed }),
    after: text('undoAfter'),
    accept: text('undoPoint'),
    isDanger: true,
    work: () =>
      run(({ client, organization }) =>
        deleteOrganizationEventPassings(client, organization, race, point),
      ),
    done() {
      announce(text('undone', { what: isolated(point) }));
      void done();
    },
    unsure: text('undoUnsure'),
  });
}
