import { revertOrganizationResultBatch } from '../../client/operations/revert-organization-result-batch.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, textOfParts as text } from '../formats.ts';
import type { Session } from '../kit.tsx';
import { announce } from '../page.ts';

const EFFECTS = ['removed', 'restored', 'reinstated', 'kept'] as const;

/**
 * Asks the API for the effect of a revert, then the reader, and reverts.
 * @param done runs after the revert
 * @returns the reason why nothing can be reverted; blank if the reader is asked
 */
export async function takeBack(
  { run }: Pick<Session, 'run'>,
  eventId: string,
  { id, name, facts }: { id: string; name: string; facts: string },
  done: () => Promise<void>,
): Promise<string> {
  const effect = await run(({ client, organization }) =>
    revertOrganizationResultBatch(client, organization, eventId, id, { dryRun: true }),
  );
  const points = EFFECTS.flatMap((one) =>
    effect[one] > 0 ? text(`effect.${one}`, { count: effect[one] }) : [],
  );
  if (effect.removed + effect.restored + effect.reinstated === 0) {
    return [text('undoNothing'), ...points].join(' ');
  }
  askToConfirm({
    title: text('undoTitle'),
    name,
    facts,
    what: text('undoWhat'),
    intro: text('undoIntro'),
    points,
    after: text('undoAfter'),
    accept: text('undo'),
    isDanger: true,
    work: () =>
      run(({ client, organization }) =>
        revertOrganizationResultBatch(client, organization, eventId, id),
      ),
    done() {
      announce(text('undone', { what: isolated(name) }));
      void done();
    },
    unsure: text('undoUnsure'),
  });
  return '';
}
