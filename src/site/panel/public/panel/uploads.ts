import { listOrganizationResultBatchChanges } from '../client/operations/list-organization-result-batch-changes.ts';
import { listOrganizationResultBatches } from '../client/operations/list-organization-result-batches.ts';
import { byId, copyOf, DOT, keyed, part, write } from '../shared/dom.ts';
import type { Batch } from './api.ts';
import { changeItem } from './changes.ts';
import { fillFigures } from './figures.ts';
import { isolated, raceTime, textOfParts as text } from './formats.ts';
import { nameActions, wireActions } from './lists.ts';
import { attempt, type Page, say } from './page.ts';
import { nameOfBatch } from './race-state.ts';
import { takeBack } from './take-back.ts';

const list = byId('upload-list', HTMLUListElement);
const message = byId('uploads-message', HTMLElement);
const more = byId('more-uploads', HTMLButtonElement);

const tell = (words: string) => say(message, words);

/** The uploads of a race, newest first. Each says what it changed, and can be taken back. */
export function createUploads(page: Page) {
  let eventId = '';
  /** Newest first. */
  let batches: Batch[] = [];
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
    const answer = await page.run(({ client, organization }) =>
      listOrganizationResultBatches(client, organization, of, { page: pagesShown + 1 }),
    );
    if (eventId !== of) return;
    pagesShown += 1;
    // An upload that came meanwhile moves the others to the next page.
    const known = new Set(batches.map(({ id }) => id));
    batches.push(...answer.data.filter(({ id }) => !known.has(id)));
    more.hidden = pagesShown >= answer.meta.total_pages;
    render();
  }

  function showChanges(batch: Batch, row: HTMLElement) {
    const place = part(row, '.changes');
    const isOpen = place.hidden;
    place.hidden = !isOpen;
    part(row, '.toggle').setAttribute('aria-expanded', String(isOpen));
    if (!isOpen || row.dataset['pages']) return;
    const said = (words: string) => say(part(row, '.status'), words);
    void attempt(place, said, () => loadChanges(batch, row));
  }

  async function loadChanges(batch: Batch, row: HTMLElement) {
    const shown = Number(row.dataset['pages'] ?? 0);
    const of = eventId;
    say(part(row, '.status'), text('loading'));
    const { data, meta } = await page.run(({ client, organization }) =>
      listOrganizationResultBatchChanges(client, organization, of, batch.id, { page: shown + 1 }),
    );
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
    /** Loads the newest uploads. */
    async show(race: string) {
      if (race !== eventId) clear();
      eventId = race;
      const { data, meta } = await page.run(({ client, organization }) =>
        listOrganizationResultBatches(client, organization, race, { page: 1 }),
      );
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

/** When a batch came, from whom, and why. @param userId the reader */
const factsOf = ({ received_at, key_name, user_id, reason }: Batch, userId?: string) =>
  [
    raceTime(received_at),
    user_id === null
      ? text('withKey', { name: isolated(key_name) })
      : text('by', { actor: user_id === userId ? text('you') : user_id }),
  ].join(' ') + (reason ? DOT + isolated(reason) : '');

function fillUpload(item: HTMLElement, batch: Batch, userId: string) {
  const what = nameOfBatch(batch);
  const revertedAt = batch.reverted_at && raceTime(batch.reverted_at);
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

/** The counts of an upload that a person wants to see. */
const figuresOf = (batch: Batch): [string, number][] => [
  ...(batch.removed > 0 ? ([[text('figure.removed'), batch.removed]] as [string, number][]) : []),
  [text('figure.new'), batch.uploaded],
  [text('figure.changed'), batch.updated - batch.unchanged],
  [text('figure.notFound'), batch.not_found],
];
