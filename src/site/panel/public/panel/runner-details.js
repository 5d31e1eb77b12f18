import { LISTED_STATUSES, RESULT_STATUSES, STATUS_RULES } from '../read/result-status.ts';
import { copyOf, element, part, setText, write } from '../shared/dom.js';
import { changeIn, problemOf, TIMES } from './correction.js';
import { askToConfirm, closeConfirmation } from './dialogs.js';
import { fillFigures } from './figures.js';
import { absoluteTime, isolated, outcomeOf, shortTime, textOfParts as text } from './formats.js';
import { announce, attempt, say } from './page.js';
import { nameOf } from './runners.js';

/** @typedef {import('./api.js').Runner} Runner */
/** @typedef {import('./api.js').Version} Version */
/** @typedef {import('./correction.js').Entered} Entered */

/**
 * The stored result of a runner, its history, and the ways to correct it.
 * @param {import('./page.js').Page} page
 * @param {string} race
 * @param {Runner} opened
 * @param {() => Promise<void>} changed after the result or its name has changed
 */
export function createRunnerDetails(page, race, opened, changed) {
  let runner = opened;
  const place = copyOf('runner-details', text);
  const form = /** @type {HTMLFormElement} */ (part(place, 'form'));
  part(form, 'select').append(
    ...LISTED_STATUSES.map((status) =>
      element('option', { value: status }, text(`status.${status}`)),
    ),
  );
  const told = (/** @type {string} */ words) => say(part(place, '.form-message'), words);

  form.addEventListener('input', () => check(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, told, correct, text('correctUnsure'));
  });
  part(place, '[data-action=remove]').addEventListener('click', remove);
  for (const isHidden of [true, false]) {
    const button = part(place, isHidden ? '[data-action=hide]' : '[data-action=show]');
    button.addEventListener('click', () => void attempt(button, told, () => setHidden(isHidden)));
  }

  /** Shows what is stored now, and writes it into the form. */
  function show() {
    fillForm(form, runner);
    void loadHistory();
  }

  async function loadHistory() {
    const list = part(place, '.versions');
    list.replaceChildren();
    const said = (/** @type {string} */ words) => say(part(place, '.status'), words);
    await attempt(list, said, async () => {
      said(text('loading'));
      const versions = await page.run((api) => api.versions(race, runner.bib_number));
      list.replaceChildren(...versions.toReversed().map((one) => versionItem(one, page.userId())));
      said(versions.length === 0 ? text('noResultYet') : '');
    });
  }

  async function correct() {
    const entered = enteredIn(form);
    const change = changeIn(entered, storedOf(runner), STATUS_RULES[entered.status]);
    if (change === undefined) {
      told(text('correctNothing'));
      return;
    }
    const reason = fieldIn(form, 'reason').value.trim();
    const sent = reason ? { ...change, reason } : change;
    await page.run((api) => api.correct(race, runner.bib_number, sent));
    announce(text(runner.result ? 'corrected' : 'entered', { name: isolated(nameOf(runner)) }));
    await changed();
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
      work: async () => {
        await page.run((api) => api.remove(race, runner.bib_number, reason));
        closeConfirmation();
        announce(text('removed', { name: isolated(nameOf(runner)) }));
        await changed();
        // The button is gone.
        fieldIn(form, 'status').focus();
      },
      unsure: text('correctUnsure'),
    });
  }

  /** @param {boolean} isHidden */
  async function setHidden(isHidden) {
    await page.run((api) => api.setHidden(race, runner.bib_number, isHidden));
    const name = isolated(nameOf(runner));
    announce(isHidden ? text('nameHidden', { name }) : text('nameShown', { name }));
    await changed();
    part(place, isHidden ? '[data-action=show]' : '[data-action=hide]').focus();
  }

  /** @param {Runner} now */
  function fill(now) {
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
    fillFigures(part(place, '.stored'), figuresOf(result));
  }

  fill(opened);
  return { place, fill, show };
}

/** @typedef {ReturnType<typeof createRunnerDetails>} RunnerDetails */

/** @param {Runner['result']} result @returns {[string, string][]} */
function figuresOf(result) {
  if (!result) return [];
  const times = TIMES.flatMap((one) => {
    const time = result[one];
    return time ? [/** @type {[string, string]} */ ([text(`figure.${one}`), shortTime(time)])] : [];
  });
  const splits = Object.entries(result.splits).map(
    ([split, time]) => /** @type {[string, string]} */ ([split, shortTime(time)]),
  );
  return [[text('figure.status'), text(`status.${result.status}`)], ...times, ...splits];
}

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLInputElement} */
const fieldIn = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** The stored result, as the form would have it. @param {Runner} runner @returns {Entered | undefined} */
const storedOf = ({ result }) =>
  result
    ? {
        status: result.status,
        chip_time: shortTime(result.chip_time ?? ''),
        gun_time: shortTime(result.gun_time ?? ''),
      }
    : undefined;

/** @param {HTMLFormElement} form @param {Runner} runner */
function fillForm(form, runner) {
  const stored = storedOf(runner);
  fieldIn(form, 'status').value = stored?.status ?? 'FINISHED';
  for (const name of TIMES) fieldIn(form, name).value = stored?.[name] ?? '';
  fieldIn(form, 'reason').value = '';
  check(form);
}

/**
 * The values of the form.
 * @param {HTMLFormElement} form
 * @returns {Entered}
 */
function enteredIn(form) {
  const { value } = fieldIn(form, 'status');
  const status = RESULT_STATUSES.find((known) => known === value) ?? 'FINISHED';
  const [chip_time, gun_time] = /** @type {[string, string]} */ (
    TIMES.map((name) => fieldIn(form, name).value.trim())
  );
  return { status, chip_time, gun_time };
}

/** Tells the browser which time is wrong. @param {HTMLFormElement} form */
function check(form) {
  const entered = enteredIn(form);
  const rules = STATUS_RULES[entered.status];
  for (const name of TIMES) {
    const field = fieldIn(form, name);
    const problem = problemOf(entered, rules, name);
    field.disabled = !rules.keepsTimes;
    field.setCustomValidity(problem ? text(problem) : '');
  }
}

/** @param {Version} version @param {string} userId the reader */
const versionItem = (
  { result, made_at, source, reverts, key_name, user_id, file_name, reason },
  userId,
) =>
  element(
    'li',
    {},
    element('strong', {}, result ? outcomeOf(result) : text('takenAway')),
    ' · ',
    element(
      'span',
      { class: 'soft' },
      [
        made_at ? absoluteTime(new Date(made_at)) : '',
        reverts
          ? text('batch.revert')
          : source === null
            ? ''
            : (file_name ?? text(`batch.${source === 'json' && user_id ? 'correction' : source}`)),
        user_id
          ? text('by', { actor: user_id === userId ? text('you') : user_id })
          : key_name
            ? text('withKey', { name: isolated(key_name) })
            : '',
        reason ? isolated(reason) : '',
      ]
        .filter(Boolean)
        .join(' · '),
    ),
  );
