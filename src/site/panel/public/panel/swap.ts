import { swapOrganizationEventResults } from '../client/operations/swap-organization-event-results.ts';
import { part } from '../shared/dom.ts';
import type { Runner } from './api.ts';
import { askToConfirm, closeConfirmation } from './dialogs.tsx';
import { isolated, outcomeOf, textOfParts as text } from './formats.ts';
import { announce, attempt, type Page, say } from './page.ts';

/**
 * The form in the details of a runner that swaps the result with that of another bib.
 * @param place the details
 * @param runner the runner as it is now
 * @param changing runs what changes the results
 * @param changed after the results are swapped
 */
export function wireSwap(
  page: Page,
  race: string,
  place: HTMLElement,
  runner: () => Runner,
  changing: (work: () => Promise<void>) => Promise<void>,
  changed: () => Promise<void>,
) {
  const form = part(place, '.swap') as HTMLFormElement;
  const field = part(form, '[name=other_bib]') as HTMLInputElement;
  const reason = part(form, '[name=swap_reason]') as HTMLInputElement;
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    void attempt(form, (words) => say(part(form, '.swap-message'), words), ask);
  });

  /** Asks the API what would be swapped, then the reader. */
  async function ask() {
    const bibs = [runner().bib_number, field.value.trim().replace(/^#\s*/, '')];
    const because = reason.value.trim();
    const send = (isDry: boolean) =>
      page.run(({ client, organization }) =>
        swapOrganizationEventResults(client, organization, race, {
          bib_numbers: bibs,
          ...(because && { reason: because }),
          dry_run: isDry,
        }),
      );
    const { results, passings } = await send(true);
    const [one, other] = bibs.map(isolated);
    askToConfirm({
      title: text('swapTitle'),
      name: `${one} ↔ ${other}`,
      code: '',
      facts: because,
      what: text('swapWhat'),
      intro: text('undoIntro'),
      points: [
        ...results.map(
          ({ bib_number, before, after }) =>
            `${isolated(bib_number)}: ${outcomeOf(before)} → ${outcomeOf(after)}`,
        ),
        ...(passings > 0 ? [text('swapPassings', { count: passings })] : []),
      ],
      after: text('undoAfter'),
      accept: text('swap'),
      isDanger: true,
      work: () =>
        changing(async () => {
          await send(false);
          closeConfirmation();
          form.reset();
          announce(text('swapped', { one: one ?? '', other: other ?? '' }));
          await changed();
        }),
      unsure: text('swapUnsure'),
    });
  }
}
