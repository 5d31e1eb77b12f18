import { revertOrganizationPassingUpload } from '../../client/operations/revert-organization-passing-upload.ts';
import { revertOrganizationResultBatch } from '../../client/operations/revert-organization-result-batch.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, textOfUploads as text } from '../formats.ts';
import type { Session } from '../kit.tsx';
import { announce } from '../page.ts';

const EFFECTS = ['removed', 'restored', 'reinstated', 'kept'] as const;

type Effect = (typeof EFFECTS)[number];
type Effects = Record<Effect, number>;

/** The reverts of each kind of upload, and the texts about their effects. */
const KINDS = {
  results: {
    revert: revertOrganizationResultBatch,
    effectOf: (one: Effect) => `effect.${one}` as const,
  },
  passings: {
    revert: revertOrganizationPassingUpload,
    effectOf: (one: Effect) => `passingEffect.${one}` as const,
  },
} as const;

type Kind = keyof typeof KINDS;

/** An upload to take back. The revert of a shift moves the start back, even if no result changes. */
export type Undoable = {
  kind: Kind;
  id: string;
  name: string;
  facts: string;
  isShift?: boolean;
};

/**
 * Asks the API for the effect of a revert, then the reader, and reverts.
 * @param done runs after the revert
 * @returns the reason why nothing can be reverted; blank if the reader is asked
 */
export async function takeBack(
  { run }: Pick<Session, 'run'>,
  eventId: string,
  { kind, id, name, facts, isShift = false }: Undoable,
  done: () => Promise<void>,
): Promise<string> {
  const { revert, effectOf } = KINDS[kind];
  const effect = await run<Effects>(({ client, organization }) =>
    revert(client, organization, eventId, id, { dryRun: true }),
  );
  const points = EFFECTS.flatMap((one) =>
    effect[one] > 0 ? text(effectOf(one), { count: effect[one] }) : [],
  );
  if (!isShift && effect.removed + effect.restored + effect.reinstated === 0) {
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
      run<Effects>(({ client, organization }) => revert(client, organization, eventId, id)),
    done() {
      announce(text('undone', { what: isolated(name) }));
      void done();
    },
    unsure: text('undoUnsure'),
  });
  return '';
}
