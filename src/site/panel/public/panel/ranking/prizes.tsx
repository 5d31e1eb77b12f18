import { updateEventRanking } from '../../client/operations/update-event-ranking.ts';
import { textOfParts as text } from '../formats.ts';
import { type RaceSetting, SettledChoice, useSession } from '../kit.tsx';
import { announce } from '../page.ts';

const PRIZES = ['all', 'overall_leaves_category'] as const;

/** Which places have a prize. */
export function Prizes({ race, changed }: RaceSetting) {
  const { run } = useSession();
  async function choose(prizes: (typeof PRIZES)[number]) {
    const now = await run(({ client, organization }) =>
      updateEventRanking(client, organization, race.id, { prizes }),
    );
    announce(text('prizesChanged', { prizes: text(`prizes.${prizes}`) }));
    changed(now);
  }
  return (
    <SettledChoice
      name="prizes"
      title={text('prizesLegend')}
      hint={text('prizesHint')}
      values={PRIZES}
      value={race.prizes}
      wordsOf={(one) => text(`prizesChoice.${one}`)}
      choose={choose}
    />
  );
}
