import { hideDistance } from '../../client/operations/hide-distance.ts';
import { listHiddenDistances } from '../../client/operations/list-hidden-distances.ts';
import { showDistance } from '../../client/operations/show-distance.ts';
import { all, type BoardDistance } from '../api.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import { Message, useAttempt, useLoaded, useSession } from '../kit.tsx';
import { announce } from '../page.ts';

/** The distances of a race: a mark hides the names of all runners of a distance. */
export function HiddenDistances({ race }: { race: string }) {
  const { run, refresh } = useSession();
  const { attempt, isBusy, message } = useAttempt();
  const found = useLoaded<BoardDistance[]>(
    () => run(({ client, organization }) => all(listHiddenDistances(client, organization, race))),
    [race],
  );

  async function turn({ distance, is_hidden }: BoardDistance) {
    const set = is_hidden ? showDistance : hideDistance;
    const now = await run(({ client, organization }) => set(client, organization, race, distance));
    found.setValue((known) => known?.map((one) => (one.distance === distance ? now : one)));
    const told = { distance: isolated(distance), count: now.runners };
    announce(text(now.is_hidden ? 'distanceHidden' : 'distanceShown', told));
    void refresh();
  }

  return (
    <fieldset id="hidden-distances" class="choices" aria-busy={isBusy || undefined}>
      <legend class="strong">{text('hideDistance')}</legend>
      {found.value?.map((one) => (
        <label key={one.distance}>
          <input
            type="checkbox"
            checked={one.is_hidden}
            onChange={({ currentTarget }) => {
              currentTarget.checked = one.is_hidden;
              void attempt(() => turn(one));
            }}
          />
          <bdi>{one.distance}</bdi>
          <span class="soft">{text('distanceNames', { count: one.runners })}</span>
        </label>
      ))}
      <p class="hint">{text('hideDistanceHint')}</p>
      <Message>{message || found.message}</Message>
    </fieldset>
  );
}
