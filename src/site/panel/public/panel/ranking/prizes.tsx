import { updateEventRanking } from '../../client/operations/update-event-ranking.ts';
import type { OrganizationEvent } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { Message, useAttempt, useSession } from '../kit.tsx';
import { announce } from '../page.ts';

const PRIZES = ['all', 'overall_leaves_category'] as const;

/** Which places have a prize. The choice keeps its value until the API has answered. */
export function Prizes({
  race,
  changed,
}: {
  race: OrganizationEvent;
  changed: (race: OrganizationEvent) => void;
}) {
  const { run } = useSession();
  const { attempt, isBusy, message } = useAttempt();
  async function choose(prizes: (typeof PRIZES)[number]) {
    const now = await run(({ client, organization }) =>
      updateEventRanking(client, organization, race.id, { prizes }),
    );
    announce(text('prizesChanged', { prizes: text(`prizes.${prizes}`) }));
    changed(now);
  }
  return (
    <fieldset class="choices" aria-busy={isBusy || undefined}>
      <legend class="strong">{text('prizesLegend')}</legend>
      {PRIZES.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="prizes"
            checked={one === race.prizes}
            onChange={({ currentTarget }) => {
              currentTarget.checked = one === race.prizes;
              void attempt(() => choose(one));
            }}
          />
          <span>{text(`prizesChoice.${one}`)}</span>
        </label>
      ))}
      <p class="hint">{text('prizesHint')}</p>
      <Message>{message}</Message>
    </fieldset>
  );
}
