import { byId, copyOf, element, keyed, part, setText, write } from '../shared/dom.js';
import { askToConfirm, closeConfirmation } from './dialogs.js';
import { absoluteTime, isolated, outcomeOf, shortTime, text } from './formats.js';
import { wireActions } from './lists.js';
import { announce, attempt, say } from './page.js';
import { fillFigures } from './uploads.js';

/** @typedef {import('./api.js').Runner} Runner */
/** @typedef {import('./api.js').Version} Version */
/** @typedef {import('./api.js').Correction} Correction */

/** A time as the API reads it. */
const RACE_TIME = /^(\d{1,3}:[0-5]\d|\d{1,2}):[0-5]\d([.,]\d{1,3})?$/;
const SEARCH_DELAY_MS = 250;

const list = byId('runner-list', HTMLUListElement);
const search = byId('runner-search', HTMLInputElement);
const message = byId('runners-message', HTMLElement);
const more = byId('more-runners', HTMLButtonElement);

/** @param {string} words */
const tell = (words) => say(message, words);

/** The name of a runner, or the bib if there is none. @param {Runner} runner */
export const nameOf = ({ given_names, surnames, bib_number }) =>
  [given_names, surnames].filter(Boolean).join(' ') || text('bib', { bib: bib_number });

/**
 * The runners of a race: each has the stored result, its history, and the ways to correct it.
 * @param {import('./page.js').Page} page
 */
export function createRunners(page) {
  let eventId = '';
  /** @type {Runner[]} */
  let runners = [];
  let pagesShown = 0;
  let found = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  search.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => void attempt(list, tell, () => load(1)), SEARCH_DELAY_MS);
  });
  byId('runner-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    clearTimeout(typing);
    void attempt(list, tell, () => load(1));
  });
  more.addEventListener('click', () => void attempt(more, tell, () => load(pagesShown + 1)));
  wireActions(list, items, {
    toggle: (runner, row) => showDetails(runner, row, !row.classList.contains('open')),
    remove: (runner, row) => remove(runner, row),
    hide: (runner, row, button) => void setHidden(runner, row, button, true),
    show: (runner, row, button) => void setHidden(runner, row, button, false),
  });
  list.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest('form') : null;
    if (form) check(form);
  });
  list.addEventListener('submit', (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const row = /** @type {HTMLElement} */ (form.closest('li'));
    const runner = items().find(({ id }) => id === row.dataset['key']);
    const told = (/** @type {string} */ words) => say(part(row, '.form-message'), words);
    if (runner) {
      void attempt(form, told, () => correct(runner, row, form), text('correctUnsure'));
    }
  });

  /** The runners, as lists want them. */
  function items() {
    return runners.map((runner) => ({ ...runner, id: runner.inscription_id }));
  }

  /** Loads a page of what is searched. What is typed meanwhile is searched then. @param {number} number @returns {Promise<void>} */
  async function load(number) {
    const of = eventId;
    const wanted = search.value.trim();
    const answer = await page.run((api) => api.runners(of, wanted, number));
    if (eventId !== of) return;
    if (search.value.trim() !== wanted) return load(1);
    const known = new Set(number === 1 ? [] : runners.map((one) => one.inscription_id));
    const loaded = answer.data.filter((one) => !known.has(one.inscription_id));
    runners = number === 1 ? loaded : [...runners, ...loaded];
    pagesShown = number;
    found = answer.meta.total;
    more.hidden = number >= answer.meta.total_pages;
    render();
  }

  function render() {
    keyed(
      list,
      items(),
      ({ id }) => id,
      () => copyOf('runner', text),
      fillRunner,
    );
    list.hidden = runners.length === 0;
    const isNone = found === 0 && pagesShown > 0;
    say(
      byId('runner-count', HTMLElement),
      isNone || pagesShown === 0 ? '' : text('runnersFound', { count: found }),
    );
    say(
      byId('no-runners', HTMLElement),
      isNone ? text(search.value.trim() ? 'noRunnerMatch' : 'noRunners') : '',
    );
  }

  /** @param {Runner} runner @param {HTMLElement} row @param {boolean} isOpen */
  function showDetails(runner, row, isOpen) {
    part(row, '.runner-details').hidden = !isOpen;
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    row.classList.toggle('open', isOpen);
    if (!isOpen) return;
    fillForm(row, runner);
    void loadHistory(runner, row);
  }

  /** @param {Runner} runner @param {HTMLElement} row */
  async function loadHistory(runner, row) {
    const place = part(row, '.versions');
    place.replaceChildren();
    const told = (/** @type {string} */ words) => say(part(row, '.status'), words);
    await attempt(place, told, async () => {
      told(text('loading'));
      const of = eventId;
      const versions = await page.run((api) => api.versions(of, runner.bib_number));
      place.replaceChildren(...versions.toReversed().map((one) => versionItem(one, page.userId())));
      told(versions.length === 0 ? text('noResultYet') : '');
    });
  }

  /** Loads what one runner is now. @param {Runner} runner @param {HTMLElement} row */
  async function reload(runner, row) {
    const of = eventId;
    const answer = await page.run((api) => api.runners(of, runner.bib_number, 1));
    const now = answer.data.find((one) => one.inscription_id === runner.inscription_id);
    if (!now) return;
    runners = runners.map((one) => (one.inscription_id === now.inscription_id ? now : one));
    render();
    if (!part(row, '.runner-details').hidden) showDetails(now, row, true);
    await page.refresh();
  }

  /** @param {Runner} runner @param {HTMLElement} row @param {HTMLFormElement} form */
  async function correct(runner, row, form) {
    const change = changeIn(form, runner);
    if (change === undefined) {
      say(part(row, '.form-message'), text('correctNothing'));
      return;
    }
    const of = eventId;
    await page.run((api) => api.correct(of, runner.bib_number, change));
    announce(text(runner.result ? 'corrected' : 'entered', { name: isolated(nameOf(runner)) }));
    await reload(runner, row);
  }

  /** @param {Runner} runner @param {HTMLElement} row */
  function remove(runner, row) {
    const of = eventId;
    const reason = String(new FormData(formIn(row)).get('reason')).trim();
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
        await page.run((api) => api.remove(of, runner.bib_number, reason));
        closeConfirmation();
        announce(text('removed', { name: isolated(nameOf(runner)) }));
        await reload(runner, row);
      },
      unsure: text('correctUnsure'),
    });
  }

  /** @param {Runner} runner @param {HTMLElement} row @param {HTMLElement} button @param {boolean} isHidden */
  async function setHidden(runner, row, button, isHidden) {
    const told = (/** @type {string} */ words) => say(part(row, '.form-message'), words);
    await attempt(button, told, async () => {
      const of = eventId;
      await page.run((api) => api.setHidden(of, runner.bib_number, isHidden));
      const name = isolated(nameOf(runner));
      announce(isHidden ? text('nameHidden', { name }) : text('nameShown', { name }));
      await reload(runner, row);
      part(row, isHidden ? '[data-action=show]' : '[data-action=hide]').focus();
    });
  }

  return {
    render,
    /** Shows the runners of a race. @param {string} race */
    show(race) {
      if (race === eventId) return;
      clear();
      eventId = race;
    },
    /** Loads the runners, unless the reader works on one. */
    async refresh() {
      if (list.querySelector('.open') || pagesShown > 1) return;
      await load(1);
    },
    clear,
  };

  function clear() {
    eventId = '';
    search.value = '';
    runners = [];
    pagesShown = 0;
    found = 0;
    more.hidden = true;
    tell('');
    render();
  }
}

/** @param {HTMLElement} row */
const formIn = (row) => /** @type {HTMLFormElement} */ (part(row, 'form'));

/** @param {HTMLFormElement} form @param {string} name @returns {HTMLInputElement} */
const fieldIn = (form, name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @param {HTMLElement} row @param {Runner} runner */
function fillForm(row, { result }) {
  const form = formIn(row);
  fieldIn(form, 'status').value = result?.status ?? 'FINISHED';
  fieldIn(form, 'chip_time').value = shortTime(result?.chip_time ?? '');
  fieldIn(form, 'gun_time').value = shortTime(result?.gun_time ?? '');
  fieldIn(form, 'reason').value = '';
  check(form);
}

const TIMES = /** @type {const} */ (['chip_time', 'gun_time']);

/** Tells the browser which time is wrong. A finisher has one at least, and nobody else has any. @param {HTMLFormElement} form */
function check(form) {
  const isFinisher = fieldIn(form, 'status').value === 'FINISHED';
  const isMissing = TIMES.every((name) => fieldIn(form, name).value.trim() === '');
  for (const name of TIMES) {
    const field = fieldIn(form, name);
    field.disabled = !isFinisher;
    const value = field.value.trim();
    const isWrong = value === '' ? isMissing : !RACE_TIME.test(value);
    field.setCustomValidity(
      isFinisher && isWrong ? text(isMissing ? 'timeMissing' : 'timeWrong') : '',
    );
  }
}

/**
 * What the form changes; undefined if nothing.
 * @param {HTMLFormElement} form
 * @param {Runner} runner
 * @returns {Correction | undefined}
 */
function changeIn(form, { result }) {
  /** @type {Correction} */
  const change = {};
  const status = /** @type {NonNullable<Correction['status']>} */ (fieldIn(form, 'status').value);
  if (status !== result?.status) change.status = status;
  if (status === 'FINISHED') {
    for (const name of TIMES) {
      const value = fieldIn(form, name).value.trim();
      if (value !== shortTime(result?.[name] ?? '')) change[name] = value || null;
    }
  }
  if (Object.keys(change).length === 0) return undefined;
  const reason = fieldIn(form, 'reason').value.trim();
  return reason ? { ...change, reason } : change;
}

/** @param {HTMLElement} item @param {Runner} runner */
function fillRunner(item, runner) {
  const { bib_number, distance, category, result, name_is_hidden } = runner;
  const name = nameOf(runner);
  write(item, {
    '.bib': bib_number,
    strong: name,
    '.groups': [distance, category].filter(Boolean).join(' · '),
    '.outcome': outcomeOf(result),
    '.form-title': text(result ? 'correct' : 'enter'),
    '.form-hint': text(result ? 'correctHint' : 'enterHint'),
    '[type=submit]': text(result ? 'saveCorrection' : 'saveResult'),
  });
  item.dataset['status'] = result?.status ?? 'none';
  part(item, '.pill').hidden = !name_is_hidden;
  part(item, '.toggle').setAttribute('aria-label', text('detailsOf', { name }));
  part(item, '[data-action=remove]').hidden = result === null;
  part(item, '[data-action=hide]').hidden = name_is_hidden;
  part(item, '[data-action=show]').hidden = !name_is_hidden;
  const times = TIMES.flatMap((one) => {
    const time = result?.[one];
    return time ? [/** @type {[string, string]} */ ([text(`figure.${one}`), shortTime(time)])] : [];
  });
  const splits = Object.entries(result?.splits ?? {}).map(
    ([split, time]) => /** @type {[string, string]} */ ([split, shortTime(time)]),
  );
  fillFigures(part(item, '.stored'), [
    ...(result
      ? [/** @type {[string, string]} */ ([text('figure.status'), text(`status.${result.status}`)])]
      : []),
    ...times,
    ...splits,
  ]);
  setText(part(item, '.hidden-note'), text(name_is_hidden ? 'isHiddenNote' : 'hideNote'));
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
