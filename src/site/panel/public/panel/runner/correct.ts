import { correctOrganizationEventResult } from '../../client/operations/correct-organization-event-result.ts';
import { deleteOrganizationEventResult } from '../../client/operations/delete-organization-event-result.ts';
import type { ResultCorrectionIn } from '../../client/types.ts';
import { STATUS_RULES } from '../../read/result-status.ts';
import { DOT } from '../../shared/dom.ts';
import type { Failure, Runner } from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, outcomeOf, sentenceOfWarning, textOfParts as text } from '../formats.ts';
import { useAttempt, useSession } from '../kit.tsx';
import { announce, failureIn } from '../page.ts';
import { nameOf } from '../race-state.ts';
import { changeIn } from './correction.ts';
import type { Form } from './form.ts';

/** Runs a change of a result, then loads the result. */
export type Change = (work: () => Promise<unknown>) => Promise<void>;

/** Stores the reader's input, or removes the result. */
export function useCorrection({
  race,
  runner,
  form: { base, stored, entered, reason },
  change,
  reload,
}: {
  race: string;
  runner: Runner;
  form: Form;
  change: Change;
  reload: () => Promise<void>;
}) {
  const { run } = useSession();
  const { attempt, isBusy, message, tell } = useAttempt(text('correctUnsure'));
  const name = nameOf(runner);
  const because = reason.trim();

  async function correct() {
    const changed = changeIn(entered, stored, STATUS_RULES[entered.status]);
    if (changed === undefined) return tell(text('correctNothing'));
    const sent = { ...changed, version: base.version, ...(because && { reason: because }) };
    await store(sent).catch((error) => askOrShow(failureIn(error), sent));
  }

  const store = (sent: ResultCorrectionIn) =>
    change(async () => {
      await run(({ client, organization }) =>
        correctOrganizationEventResult(client, organization, race, runner.bib_number, sent),
      );
      announce(text(runner.result ? 'corrected' : 'entered', { name: isolated(name) }));
    });

  /** If another user was faster, the reader sees the stored result. */
  async function askOrShow(failure: Failure, sent: ResultCorrectionIn) {
    if (failure.kind === 'changed') return reload();
    if (failure.warnings.length === 0) throw failure;
    askToConfirm({
      title: text('unlikelyTitle'),
      name,
      code: runner.bib_number,
      facts: [sent.chip_time, sent.gun_time].filter(Boolean).join(DOT),
      what: text('unlikelyWhat'),
      intro: text('unlikelyIntro'),
      points: pointsOf(failure.warnings),
      after: text('undoAfter'),
      accept: text('unlikelyAccept'),
      isDanger: true,
      work: () =>
        store({ ...sent, confirmed: true }).catch((error) => {
          const failed = failureIn(error);
          if (failed.kind !== 'changed') throw failed;
          return reload();
        }),
      unsure: text('correctUnsure'),
    });
  }

  /** @param done runs after the result is removed */
  const remove = (done: () => void) =>
    askToConfirm({
      title: text('removeTitle'),
      name,
      code: runner.bib_number,
      facts: outcomeOf(runner.result),
      what: text('removeWhat'),
      after: text('undoAfter'),
      accept: text('removeResult'),
      isDanger: true,
      work: () =>
        change(() =>
          run(({ client, organization }) =>
            deleteOrganizationEventResult(client, organization, race, runner.bib_number, {
              reason: because,
            }),
          ),
        ),
      done() {
        announce(text('removed', { name: isolated(name) }));
        done();
      },
      unsure: text('correctUnsure'),
    });

  return { correct: () => attempt(correct), remove, isBusy, message };
}

export type Correction = ReturnType<typeof useCorrection>;

/** The arguments against a result, with its times. */
const pointsOf = (warnings: Failure['warnings']): string[] => [
  ...new Set(warnings.map((warning) => sentenceOfWarning(warning) ?? warning.detail)),
];
