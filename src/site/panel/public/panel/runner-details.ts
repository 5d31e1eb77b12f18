import { correctOrganizationEventResult } from '../client/operations/correct-organization-event-result.ts';
import { deleteOrganizationEventResult } from '../client/operations/delete-organization-event-result.ts';
import { hideName } from '../client/operations/hide-name.ts';
import { listOrganizationResultVersions } from '../client/operations/list-organization-result-versions.ts';
import { showName } from '../client/operations/show-name.ts';
import type { ResultCorrectionIn } from '../client/types.ts';
import { LISTED_STATUSES, RESULT_STATUSES, STATUS_RULES } from '../read/result-status.ts';
import { copyOf, DOT, element, part, setText, write } from '../shared/dom.ts';
import { all, type Failure, noneIfNotFound, type Runner, type Version } from './api.ts';
import { changeIn, type Entered, problemOf, TIMES } from './correction.ts';
import { askToConfirm, closeConfirmation } from './dialogs.tsx';
import { fillFigures } from './figures.ts';
import { isolated, outcomeOf, raceTime, shortTime, textOfParts as text } from './formats.ts';
import { worthOf } from './official/worth.ts';
import {
  type AfterChange,
  announce,
  attempt,
  failureIn,
  type Page,
  type RunnerDetails,
  say,
} from './page.ts';
import { nameOf } from './runners.ts';
import { wireSwap } from './swap.ts';

/**
 * The stored result of a runner, its history, and the ways to correct it.
 * @param after what the list does when the result or its name has changed
 */
export function createRunnerDetails(
  page: Page,
  race: string,
  opened: Runner,
  after: AfterChange,
): RunnerDetails {
  let runner = opened;
  /** What the form was loaded with. */
  let base = opened;
  /** Whether the reader is changing this result. The list may show the change before the API answers. */
  let isChanging = false;
  const place = copyOf('runner-details', text);
  const form = part(place, 'form') as HTMLFormElement;
  part(form, 'select').append(
    ...LISTED_STATUSES.map((status) =>
      element('option', { value: status }, text(`status.${status}`)),
    ),
  );
  const told = (words: string) => say(part(place, '.form-message'), words);

  form.addEventListener('input', () => check(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, told, correct, text('correctUnsure'));
  });
  part(place, '[data-action=remove]').addEventListener('click', remove);
  wireSwap(page, race, place, () => runner, changing, after.own);
  for (const isHidden of [true, false]) {
    const button = part(place, isHidden ? '[data-action=hide]' : '[data-action=show]');
    button.addEventListener('click', () => void attempt(button, told, () => setHidden(isHidden)));
  }

  /** Shows what is stored now, and writes it into the form. */
  function show() {
    base = runner;
    fillForm(form, runner);
    void loadHistory();
  }

  /** Keeps what was typed, takes what is new in the other fields, and says who was faster. */
  async function tellChange() {
    const typed = enteredIn(form);
    const before = storedOf(base) ?? EMPTY;
    const now = storedOf(runner) ?? EMPTY;
    base = runner;
    for (const name of ['status', ...TIMES] as const) {
      if (typed[name] === before[name]) fieldIn(form, name).value = now[name];
    }
    check(form);
    const last = (await loadHistory())?.at(-1);
    told(
      text('changedMeanwhile', {
        who: last ? actorOf(last, page.userId()) : '',
        what: outcomeOf(runner.result),
      }),
    );
  }

  /** @returns the versions, the first one first */
  async function loadHistory(): Promise<readonly Version[] | undefined> {
    let loaded: readonly Version[] | undefined;
    const list = part(place, '.versions');
    list.replaceChildren();
    const said = (words: string) => say(part(place, '.status'), words);
    await attempt(list, said, async () => {
      said(text('loading'));
      const versions = await page.run(({ client, organization }) =>
        all(listOrganizationResultVersions(client, organization, race, runner.bib_number)).catch(
          noneIfNotFound,
        ),
      );
      loaded = versions;
      list.replaceChildren(...versions.toReversed().map((one) => versionItem(one, page.userId())));
      said(versions.length === 0 ? text('noResultYet') : '');
    });
    return loaded;
  }

  async function correct() {
    const entered = enteredIn(form);
    const change = changeIn(entered, storedOf(base), STATUS_RULES[entered.status]);
    if (change === undefined) {
      told(text('correctNothing'));
      return;
    }
    const reason = fieldIn(form, 'reason').value.trim();
    const sent = { ...change, version: base.version, ...(reason && { reason }) };
    await store(sent).catch((error) => askOrTell(failureIn(error), sent));
  }

  async function changing(work: () => Promise<void>) {
    isChanging = true;
    try {
      await work();
    } finally {
      isChanging = false;
    }
  }

  const store = (sent: ResultCorrectionIn) =>
    changing(async () => {
      await page.run(({ client, organization }) =>
        correctOrganizationEventResult(client, organization, race, runner.bib_number, sent),
      );
      closeConfirmation();
      announce(text(runner.result ? 'corrected' : 'entered', { name: isolated(nameOf(runner)) }));
      await after.own();
    });

  /** Somebody was faster: then the reader sees what is stored now. */
  async function askOrTell(failure: Failure, sent: ResultCorrectionIn) {
    if (failure.kind !== 'changed') return askWhetherRight(failure, sent);
    await after.others();
    if (base.version !== runner.version) await tellChange();
  }

  /** Shows what speaks against a result, and stores it if the reader says that it is right. */
  function askWhetherRight(failure: Failure, sent: ResultCorrectionIn) {
    if (failure.warnings.length === 0) throw failure;
    askToConfirm({
      title: text('unlikelyTitle'),
      name: nameOf(runner),
      code: runner.bib_number,
      facts: [sent.chip_time, sent.gun_time].filter(Boolean).join(DOT),
      what: text('unlikelyWhat'),
      intro: text('unlikelyIntro'),
      points: pointsOf(failure.warnings),
      after: text('undoAfter'),
      accept: text('unlikelyAccept'),
      isDanger: true,
      work: async () => {
        const confirmed = { ...sent, confirmed: true };
        await store(confirmed).catch((error) => {
          const failed = failureIn(error);
          if (failed.kind !== 'changed') throw failed;
          return askOrTell(failed, confirmed);
        });
        closeConfirmation();
      },
      unsure: text('correctUnsure'),
    });
  }

  function remove() {
    const reason = fieldIn(form, 'reason').value.trim();
    askToConfirm({
      title: text('removeTitle'),
      name: nameOf(runner),
      code: runner.bib_number,
      facts: outcomeOf(runner.result),
      what: text('removeWhat'),
      intro: '',
      points: [],
      after: text('undoAfter'),
      accept: text('removeResult'),
      isDanger: true,
      work: () =>
        changing(async () => {
          await page.run(({ client, organization }) =>
            deleteOrganizationEventResult(client, organization, race, runner.bib_number, {
              reason,
            }),
          );
          closeConfirmation();
          announce(text('removed', { name: isolated(nameOf(runner)) }));
          await after.own();
          // The button is gone.
          fieldIn(form, 'status').focus();
        }),
      unsure: text('correctUnsure'),
    });
  }

  async function setHidden(isHidden: boolean) {
    await page.run(({ client, organization }) =>
      (isHidden ? hideName : showName)(client, organization, race, runner.bib_number),
    );
    const name = isolated(nameOf(runner));
    announce(isHidden ? text('nameHidden', { name }) : text('nameShown', { name }));
    await after.own();
    part(place, isHidden ? '[data-action=show]' : '[data-action=hide]').focus();
  }

  function fill(now: Runner) {
    runner = now;
    const { result, name_is_hidden } = now;
    write(place, {
      '.form-title': text(result ? 'correct' : 'enter'),
      '.form-hint': text(result ? 'correctHint' : 'enterHint'),
      '[type=submit]': text(result ? 'saveCorrection' : 'saveResult'),
    });
    part(place, '[data-action=remove]').hidden = result === null;
    part(place, '[data-action=hide]').hidden = name_is_hidden;
    part(place, '[data-action=show]').hidden = !name_is_hidden;
    setText(part(place, '.hidden-note'), text(name_is_hidden ? 'isHiddenNote' : 'hideNote'));
    fillFigures(part(place, '.stored'), figuresOf(now));
    say(part(place, '.worth'), worthOf(now, page.lastOfficial()));
    const isBusy = isChanging || form.getAttribute('aria-busy') === 'true';
    if (now.version === base.version || isBusy) return;
    const isTyped = changeIn(enteredIn(form), storedOf(base), STATUS_RULES.FINISHED) !== undefined;
    if (isTyped || fieldIn(form, 'reason').value !== '') void tellChange();
    else show();
  }

  function typed() {
    const before = { ...(storedOf(base) ?? EMPTY), reason: '' };
    const names = ['status', ...TIMES, 'reason'] as const;
    const values = names.map((name) => [name, fieldIn(form, name).value] as const);
    return Object.fromEntries(values.filter(([name, value]) => value !== before[name]));
  }

  function type(values: Readonly<Record<string, string>>) {
    for (const [name, value] of Object.entries(values)) fieldIn(form, name).value = value;
    check(form);
  }

  fill(opened);
  return { place, fill, show, typed, type };
}

const ABOUT_ONE = [
  'over_24_hours',
  'gun_below_chip',
  'split_after_finish',
  'implausible_for_distance',
] as const;

/** What speaks against a result. Who reads English reads the sentences of the API, which say the times. */
const pointsOf = (warnings: Failure['warnings']): string[] => [
  ...new Set(
    warnings.map(({ code, detail }) => {
      const known = ABOUT_ONE.find((one) => one === code);
      return known && document.documentElement.lang !== 'en' ? text(`unlikely.${known}`) : detail;
    }),
  ),
];

function figuresOf({ result, ...runner }: Runner): [string, string][] {
  const splits = splitsOf(runner);
  if (!result) return splits;
  const times = TIMES.flatMap((one) => {
    const time = result[one];
    return time ? [[text(`figure.${one}`), shortTime(time)] as [string, string]] : [];
  });
  const places = PLACES.flatMap((name) => {
    const place = runner[name];
    return place === null
      ? []
      : [[text(`figure.${name}`), text('number', { value: place })] as [string, string]];
  });
  return [[text('figure.status'), text(`status.${result.status}`)], ...times, ...places, ...splits];
}

const PLACES = [
  'position_distance',
  'position_distance_gender',
  'position_distance_category',
] as const;

/** The splits of a runner, completed by the passings, in the order of their times. */
const splitsOf = ({ splits }: Pick<Runner, 'splits'>): [string, string][] =>
  Object.entries(splits)
    .sort(([, one], [, other]) => (one < other ? -1 : 1))
    .map(([split, time]) => [split, shortTime(time)]);

const fieldIn = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement;

/** A form without a result. */
const EMPTY: Entered = { status: 'FINISHED', chip_time: '', gun_time: '' };

/** The stored result, as the form would have it. */
const storedOf = ({ result }: Runner): Entered | undefined =>
  result
    ? {
        status: result.status,
        chip_time: shortTime(result.chip_time ?? ''),
        gun_time: shortTime(result.gun_time ?? ''),
      }
    : undefined;

function fillForm(form: HTMLFormElement, runner: Runner) {
  const stored = storedOf(runner);
  fieldIn(form, 'status').value = stored?.status ?? 'FINISHED';
  for (const name of TIMES) fieldIn(form, name).value = stored?.[name] ?? '';
  fieldIn(form, 'reason').value = '';
  check(form);
}

/** The values of the form. */
function enteredIn(form: HTMLFormElement): Entered {
  const { value } = fieldIn(form, 'status');
  const status = RESULT_STATUSES.find((known) => known === value) ?? 'FINISHED';
  const [chip_time, gun_time] = TIMES.map((name) => fieldIn(form, name).value.trim()) as [
    string,
    string,
  ];
  return { status, chip_time, gun_time };
}

/** Tells the browser which time is wrong. */
function check(form: HTMLFormElement) {
  const entered = enteredIn(form);
  const rules = STATUS_RULES[entered.status];
  for (const name of TIMES) {
    const field = fieldIn(form, name);
    const problem = problemOf(entered, rules, name);
    field.disabled = !rules.keepsTimes;
    field.setCustomValidity(problem ? text(problem) : '');
  }
}

/** Who made a version. @param userId the reader */
const actorOf = ({ user_id, key_name }: Pick<Version, 'user_id' | 'key_name'>, userId: string) =>
  user_id
    ? text('by', { actor: user_id === userId ? text('you') : user_id })
    : key_name
      ? text('withKey', { name: isolated(key_name) })
      : '';

/** @param userId the reader */
const versionItem = (
  { result, made_at, source, reverts, key_name, user_id, file_name, reason }: Version,
  userId: string,
) =>
  element(
    'li',
    {},
    element('strong', {}, result ? outcomeOf(result) : text('takenAway')),
    DOT,
    element(
      'span',
      { class: 'soft' },
      [
        made_at ? raceTime(made_at) : '',
        reverts
          ? text('batch.revert')
          : source === null
            ? ''
            : (file_name ?? text(`batch.${source === 'json' && user_id ? 'correction' : source}`)),
        actorOf({ key_name, user_id }, userId),
        reason ? isolated(reason) : '',
      ]
        .filter(Boolean)
        .join(DOT),
    ),
  );
