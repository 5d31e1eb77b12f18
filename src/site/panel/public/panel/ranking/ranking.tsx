import { useEffect, useState } from 'preact/hooks';
import { getEventRanking } from '../../client/operations/get-event-ranking.ts';
import { updateEventRanking } from '../../client/operations/update-event-ranking.ts';
import { RANKING_RULES } from '../../read/ranking-rule.ts';
import { DOT } from '../../shared/dom.ts';
import type { EventRanking, OrganizationEvent } from '../api.ts';
import { askToConfirm } from '../dialogs.tsx';
import { isolated, textOfParts as text } from '../formats.ts';
import { Message, type RaceSetting, useAttempt, useSession, WorkForm } from '../kit.tsx';
import { announce } from '../page.ts';
import { nameOf } from '../race-state.ts';

type Rule = OrganizationEvent['ranking_rule'];

/** A longer list of groups is cut. */
const PODIUMS_MAX = 6;

/**
 * The ranking rule of a race, and the form for the rule.
 * @param changed takes the race after the change
 */
export function Ranking({ race, changed }: RaceSetting) {
  const { run, refresh } = useSession();
  const { id, name, ranking_rule: before } = race;
  const [rule, choose] = useState<Rule>(before);
  const [reason, setReason] = useState('');
  const { attempt, isBusy, message, tell } = useAttempt();
  useEffect(() => choose(before), [before]);

  /** Asks the API for the effect of the chosen rule, then the reader. */
  async function ask() {
    if (rule === before) return tell(text('rankSame'));
    const { runners, podiums } = await run(({ client, organization }) =>
      getEventRanking(client, organization, id, { rule }),
    );
    const because = reason.trim();
    const change = { rule, ...(because && { reason: because }) };
    askToConfirm({
      title: text('rankTitle'),
      name,
      facts: `${text(`ranked.${before}`)} → ${text(`ranked.${rule}`)}`,
      what: runners === 0 ? text('placesStay') : text('placesChange', { count: runners }),
      intro: text('podiumsChange'),
      points: pointsOf(podiums),
      after: text('rankAfter'),
      accept: text('rankChange'),
      async work() {
        changed(
          await run(({ client, organization }) =>
            updateEventRanking(client, organization, id, change),
          ),
        );
      },
      done() {
        setReason('');
        announce(text('rankChanged', { rule: text(`ranked.${rule}`) }));
        void refresh();
      },
      unsure: text('rankUnsure'),
    });
  }

  return (
    <WorkForm class="stack" isBusy={isBusy} work={() => attempt(ask)}>
      <fieldset class="choices row">
        <legend class="strong">{text('rankLegend')}</legend>
        {RANKING_RULES.map((one) => (
          <label key={one}>
            <input type="radio" name="rule" checked={one === rule} onChange={() => choose(one)} />
            <span>{text(`rule.${one}`)}</span>
          </label>
        ))}
      </fieldset>
      <Why reason={reason} setReason={setReason} />
      <Message>{message}</Message>
      <p class="row">
        <button type="submit" class="button primary">
          {text('rankChange')}
        </button>
      </p>
    </WorkForm>
  );
}

const Why = ({ reason, setReason }: { reason: string; setReason: (reason: string) => void }) => (
  <div class="field">
    <label for="ranking-reason" class="strong">
      {text('rankReason')}
    </label>
    <input
      id="ranking-reason"
      class="input"
      maxLength={REASON_MAX}
      autocomplete="off"
      aria-describedby="ranking-reason-hint"
      value={reason}
      onInput={({ currentTarget }) => setReason(currentTarget.value)}
    />
    <p id="ranking-reason-hint" class="hint">
      {text('rankReasonHint')}
    </p>
  </div>
);

/** The groups in which the first three change, with the names and the places of these runners. */
function pointsOf(podiums: EventRanking['podiums']) {
  const shown = podiums.slice(0, PODIUMS_MAX).map((podium) => {
    const places = podium.runners.map(
      (runner) => `${isolated(nameOf(runner))} ${runner.before} → ${runner.after}`,
    );
    return `${groupName(podium)}: ${places.join(', ')}`;
  });
  const rest = podiums.length - shown.length;
  return rest > 0 ? [...shown, text('podiumsMore', { count: rest })] : shown;
}

function groupName({ distance, gender, category }: EventRanking['podiums'][number]) {
  const known = (['F', 'M', 'X'] as const).find((one) => one === gender);
  const within = [known ? text(`gender.${known}`) : gender, category].filter(Boolean).join(DOT);
  return `${distance ?? text('noDistance')}${DOT}${within || text('podiumOverall')}`;
}
