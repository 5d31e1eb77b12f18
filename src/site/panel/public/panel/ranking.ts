import { getEventRanking } from '../client/operations/get-event-ranking.ts';
import { updateEventRanking } from '../client/operations/update-event-ranking.ts';
import { RANKING_RULES, RANKS, type RankTime } from '../read/ranking-rule.ts';
import { byId, DOT } from '../shared/dom.ts';
import { raceInAddress } from './address.ts';
import type { EventRanking, OrganizationEvent } from './api.ts';
import { askToConfirm, closeConfirmation } from './dialogs.tsx';
import { textOfParts as text } from './formats.ts';
import { announce, attempt, type Page, say } from './page.ts';

type Rule = OrganizationEvent['ranking_rule'];

/** A longer list of groups is cut. */
const PODIUMS_MAX = 6;

const form = byId('ranking-form', HTMLFormElement);
const reason = byId('ranking-reason', HTMLInputElement);
const message = byId('ranking-message', HTMLElement);
const missing = byId('ranking-missing', HTMLElement);

const tell = (words: string) => say(message, words);

/**
 * The rule by which a race ranks, the form that changes it, and how many finishers lack the time that it asks for.
 * @param replace tells the page that the rule has changed
 */
export function createRanking(page: Page, replace: (changed: OrganizationEvent) => void) {
  let event: OrganizationEvent | undefined;
  /** The rule that the form shows as that of the race. */
  let written = '';
  /** How the race ranked when it was asked for. */
  let ranking: { race: string; found: EventRanking } | undefined;

  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    void attempt(form, tell, ask);
  });

  /** Asks the API what the chosen rule would change, then the reader. */
  async function ask() {
    const rule = chosenRule();
    if (!(event && rule)) return;
    const { id, name, ranking_rule: before } = event;
    if (rule === before) {
      tell(text('rankSame'));
      return;
    }
    const { runners, podiums } = await page.run(({ client, organization }) =>
      getEventRanking(client, organization, id, { rule }),
    );
    if (id !== raceInAddress()) return;
    askToConfirm({
      title: text('rankTitle'),
      name,
      code: '',
      facts: `${text(`ranked.${before}`)} → ${text(`ranked.${rule}`)}`,
      what: runners === 0 ? text('placesStay') : text('placesChange', { count: runners }),
      intro: text('podiumsChange'),
      points: pointsOf(podiums),
      after: text('rankAfter'),
      accept: text('rankChange'),
      isDanger: false,
      work: () => change(id, rule),
      unsure: text('rankUnsure'),
    });
  }

  async function change(id: string, rule: Rule) {
    const because = reason.value.trim();
    const changed = await page.run(({ client, organization }) =>
      updateEventRanking(client, organization, id, { rule, ...(because && { reason: because }) }),
    );
    closeConfirmation();
    reason.value = '';
    announce(text('rankChanged', { rule: text(`ranked.${rule}`) }));
    replace(changed);
    await page.refresh();
  }

  function renderMissing() {
    const isKnown = ranking !== undefined && ranking.race === event?.id;
    say(missing, isKnown && ranking ? missingIn(ranking.found) : '');
  }

  return {
    render(shown: OrganizationEvent) {
      event = shown;
      const { id, ranking_rule: rule } = shown;
      if (written !== id + rule) {
        written = id + rule;
        choiceOf(rule).checked = true;
        tell('');
      }
      renderMissing();
    },
    /** Loads how many finishers lack a time. */
    async load(race: string) {
      const found = await page.run(({ client, organization }) =>
        getEventRanking(client, organization, race),
      );
      if (race !== raceInAddress()) return;
      ranking = { race, found };
      renderMissing();
    },
    clear() {
      event = undefined;
      written = '';
      ranking = undefined;
      reason.value = '';
      tell('');
      renderMissing();
    },
  };
}

const choiceOf = (rule: Rule) => {
  const found = form.querySelector(`[value=${rule}]`);
  if (!(found instanceof HTMLInputElement)) throw new Error(`no choice is ${rule}`);
  return found;
};

const chosenRule = () => RANKING_RULES.find((rule) => choiceOf(rule).checked);

/** Who lacks a time by which the rule ranks, in a sentence for each time. */
const missingIn = (found: EventRanking) => {
  const counts: Record<RankTime, number> = {
    chip: found.finishers_without_chip_time,
    gun: found.finishers_without_gun_time,
  };
  const { overall, category } = RANKS[found.rank_by];
  return [...new Set([overall, category])]
    .flatMap((time) => (counts[time] > 0 ? text(`missing.${time}`, { count: counts[time] }) : []))
    .join(' ');
};

/** The groups in which the first three change. */
function pointsOf(podiums: EventRanking['podiums']) {
  const shown = podiums.slice(0, PODIUMS_MAX).map(groupName);
  const rest = podiums.length - shown.length;
  return rest > 0 ? [...shown, text('podiumsMore', { count: rest })] : shown;
}

function groupName({ distance, gender, category }: EventRanking['podiums'][number]) {
  const known = (['F', 'M', 'X'] as const).find((one) => one === gender);
  const within = known ? text(`gender.${known}`) : (gender ?? category ?? text('podiumOverall'));
  return `${distance ?? text('noDistance')}${DOT}${within}`;
}
