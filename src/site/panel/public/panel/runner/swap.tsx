import { useState } from 'preact/hooks';
import { listOrganizationEventRunners } from '../../client/operations/list-organization-event-runners.ts';
import { swapOrganizationEventResults } from '../../client/operations/swap-organization-event-results.ts';
import type { Runner } from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, outcomeOf, textOfParts as text } from '../formats.ts';
import { Message, useAttempt, useSession, WorkForm } from '../kit.tsx';
import { announce } from '../page.ts';
import { bibAndName } from '../race-state.ts';
import { changeText } from '../uploads/changes.tsx';
import type { Change } from './correct.ts';

/** Swaps the result of a runner with the result of another bib. */
export function Swap({ race, runner, change }: { race: string; runner: Runner; change: Change }) {
  const [bib, setBib] = useState('');
  const [reason, setReason] = useState('');
  const ask = useAsk(race, runner, change, () => {
    setBib('');
    setReason('');
  });
  const { attempt, isBusy, message } = useAttempt();
  return (
    <details>
      <summary>{text('swapWith')}</summary>
      <WorkForm
        class="swap correct stack"
        isBusy={isBusy}
        work={() => attempt(() => ask(bib.trim().replace(/^#\s*/, ''), reason.trim()))}
      >
        <div class="fields">
          <label class="field">
            <span class="strong">{text('otherBib')}</span>
            <input
              class="input"
              required
              maxLength={100}
              autocomplete="off"
              value={bib}
              onInput={({ currentTarget }) => setBib(currentTarget.value)}
            />
          </label>
          <label class="field wide">
            <span class="strong">{text('swapReason')}</span>
            <input
              class="input"
              maxLength={REASON_MAX}
              autocomplete="off"
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </label>
        </div>
        <p class="hint">{text('swapHint')}</p>
        <Message>{message}</Message>
        <div class="row">
          <button type="submit" class="button">
            {text('swap')}
          </button>
        </div>
      </WorkForm>
    </details>
  );
}

/** Asks the API for the effect of the swap, then the reader. @param done runs after the results are swapped */
function useAsk(race: string, runner: Runner, change: Change, done: () => void) {
  const { run } = useSession();
  return async (otherBib: string, because: string) => {
    const bibs = [runner.bib_number, otherBib];
    const send = (isDry: boolean) =>
      run(({ client, organization }) =>
        swapOrganizationEventResults(client, organization, race, {
          bib_numbers: bibs,
          ...(because && { reason: because }),
          dry_run: isDry,
        }),
      );
    const [{ results, passings }, { data: found }] = await Promise.all([
      send(true),
      run(({ client, organization }) =>
        listOrganizationEventRunners(client, organization, race, { page: 1, search: otherBib }),
      ),
    ]);
    const [one = '', other = ''] = bibs.map((bib) => {
      const named = [runner, ...found].find(({ bib_number }) => bib_number === bib);
      return isolated(named ? bibAndName(named) : bib);
    });
    askToConfirm({
      title: text('swapTitle'),
      name: `${one} ↔ ${other}`,
      facts: because,
      what: text('swapWhat'),
      intro: text('undoIntro'),
      points: [
        ...results.map((result) => {
          const name = result.bib_number === runner.bib_number ? one : other;
          return `${name}: ${changeText(result) || outcomeOf(result.after)}`;
        }),
        ...(passings > 0 ? [text('swapPassings', { count: passings })] : []),
      ],
      after: text('undoAfter'),
      accept: text('swap'),
      isDanger: true,
      work: () => change(() => send(false)),
      done() {
        done();
        announce(text('swapped', { one, other }));
      },
      unsure: text('swapUnsure'),
    });
  };
}
