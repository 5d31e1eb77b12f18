import { byId, copyOf, element, keyed, part, write } from '../shared/dom.js';
import { fillFigures } from './figures.js';
import { absoluteTime, isolated, outcomeOf, textOfParts as text } from './formats.js';
import { nameActions, wireActions } from './lists.js';
import { attempt, say } from './page.js';
import { nameOfBatch } from './race-state.js';
import { takeBack } from './take-back.js';

/** @typedef {import('./api.js').Batch} Batch */
/** @typedef {import('./api.js').Change} Change */

const list = byId('upload-list', HTMLUListElement);
const message = byId('uploads-message', HTMLElement);
const more = byId('more-uploads', HTMLButtonElement);

/** @param {string} words */
const tell = (words) => say(message, words);

/**
 * The uploads of a race, newest first. Each says what it changed, and can be taken back.
 * @param {import('./page.js').Page} page
 */
export function createUploads(page) {
  let eventId = '';
  /** Newest first. @type {Batch[]} */
  let batches = [];
  let pagesShown = 0;

  more.addEventListener('click', () => void attempt(more, tell, load));
  wireActions(list, () => batches, {
    undo: (batch, _, button) =>
      void attempt(button, tell, async () => {
        const shown = { id: batch.id, name: nameOfBatch(batch), facts: factsOf(batch) };
        tell(await takeBack(page, eventId, shown, page.refresh));
      }),
    toggle: (batch, row) => showChanges(batch, row),
    moreChanges: (batch, row, button) =>
      void attempt(
        button,
        (words) => say(part(row, '.status'), words),
        () => loadChanges(batch, row),
      ),
  });

  /** Loads the next page. */
  async function load() {
    const of = eventId;
    const answer = await page.run((api) => api.batches(of, pagesShown + 1));
    if (eventId !== of) return;
    pagesShown += 1;
    // An upload that came meanwhile moves the others to the next page.
    const known = new Set(batches.map(({ id }) => id));
    batches.push(...answer.data.filter(({ id }) => !known.has(id)));
    more.hidden = pagesShown >= answer.meta.total_pages;
    render();
  }

  /** @param {Batch} batch @param {HTMLElement} row */
  function showChanges(batch, row) {
    const place = part(row, '.changes');
    const isOpen = place.hidden;
    place.hidden = !isOpen;
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || row.dataset['pages']) return;
    const said = (/** @type {string} */ words) => say(part(row, '.status'), words);
    void attempt(place, said, () => loadChanges(batch, row));
  }

  /** @param {Batch} batch @param {HTMLElement} row */
  async function loadChanges(batch, row) {
    const shown = Number(row.dataset['pages'] ?? 0);
    const of = eventId;
    say(part(row, '.status'), text('loading'));
    const { data, meta } = await page.run((api) => api.changes(of, batch.id, shown + 1));
    row.dataset['pages'] = String(shown + 1);
    part(row, 'ul').append(...data.map(changeItem));
    say(part(row, '.status'), meta.total === 0 ? text('noChanges') : '');
    part(row, '[data-action=moreChanges]').hidden = shown + 1 >= meta.total_pages;
  }

  function render() {
    byId('no-uploads', HTMLElement).hidden = batches.length > 0 || pagesShown === 0;
    keyed(
      list,
      batches,
      ({ id }) => id,
      () => copyOf('upload', text),
      (item, batch) => fillUpload(item, batch, page.userId()),
    );
  }

  return {
    render,
    /** Loads the newest uploads. @param {string} race */
    async show(race) {
      if (race !== eventId) clear();
      eventId = race;
      const { data, meta } = await page.run((api) => api.batches(race, 1));
      if (eventId !== race) return;
      const isNew = new Set(data.map(({ id }) => id));
      const older = batches.filter(({ id }) => !isNew.has(id));
      batches = [...data, ...older];
      pagesShown = Math.max(1, pagesShown);
      more.hidden = pagesShown >= meta.total_pages;
      render();
    },
    clear,
  };

  function clear() {
    eventId = '';
    batches = [];
    pagesShown = 0;
    more.hidden = true;
    tell('');
    render();
  }
}

/** When a batch came, from whom, and why. @param {Batch} batch @param {string} [userId] the reader */
const factsOf = ({ received_at, key_name, user_id, reason }, userId) =>
  [
    absoluteTime(new Date(received_at)),
    user_id === null
      ? text('withKey', { name: isolated(key_name) })
      : text('by', { actor: user_id === userId ? text('you') : user_id }),
    ...(reason ? [`· ${isolated(reason)}`] : []),
  ].join(' ');

/** @param {HTMLElement} item @param {Batch} batch @param {string} userId */
function fillUpload(item, batch, userId) {
  const what = nameOfBatch(batch);
  const revertedAt = batch.reverted_at && absoluteTime(new Date(batch.reverted_at));
  write(item, {
    strong: what,
    '.facts': factsOf(batch, userId),
    '.pill': revertedAt ? text('takenBackAt', { when: revertedAt }) : '',
  });
  part(item, '.pill').hidden = !revertedAt;
  item.classList.toggle('taken-back', revertedAt !== null);
  fillFigures(part(item, '.figures'), figuresOf(batch));
  const { not_found_bibs: bibs, not_found: count } = batch;
  const rest = count - bibs.length;
  say(
    part(item, '.unknown'),
    bibs.length === 0
      ? ''
      : text(rest > 0 ? 'unknownBibsAndMore' : 'unknownBibs', { bibs: bibs.join(', '), rest }),
  );
  nameActions(item, {
    toggle: text('changesOf', { what }),
    undo: revertedAt ? '' : text('undoNamed', { what }),
  });
}

/** The counts of an upload that a person wants to see. @param {Batch} batch @returns {[string, number][]} */
const figuresOf = (batch) => [
  ...(batch.removed > 0
    ? /** @type {[string, number][]} */ ([[text('figure.removed'), batch.removed]])
    : []),
  [text('figure.new'), batch.uploaded],
  [text('figure.changed'), batch.updated - batch.unchanged],
  [text('figure.notFound'), batch.not_found],
];

/** @param {Change} change */
const changeItem = ({ bib_number, before, after }) =>
  element(
    'li',
    { class: 'row' },
    element('strong', { class: 'bib' }, bib_number ?? '–'),
    element('span', {}, `${outcomeOf(before)} → ${outcomeOf(after)}`),
  );
