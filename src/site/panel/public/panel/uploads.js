import { byId, copyOf, keyed, part, write } from '../shared/dom.js';
import { askToConfirm, closeConfirmation } from './dialogs.js';
import { absoluteTime, isolated, text } from './formats.js';
import { nameActions, wireActions } from './lists.js';
import { announce, attempt, say } from './page.js';

/** @typedef {import('./api.js').Batch} Batch */
/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */

const EFFECTS = /** @type {const} */ (['removed', 'restored', 'reinstated', 'kept']);

const dialog = byId('uploads-dialog', HTMLDialogElement);
const list = byId('upload-list', HTMLUListElement);
const message = byId('uploads-message', HTMLElement);
const more = byId('more-uploads', HTMLButtonElement);

/** @param {string} words */
const tell = (words) => say(message, words);

/** Describes a batch by its file and its rows. @param {Pick<Batch, 'source' | 'file_name' | 'total_processed'>} batch */
export const nameOfBatch = ({ source, file_name, total_processed: count }) =>
  `${file_name ?? text(`batch.${source}`)} · ${text('rows', { count })}`;

/**
 * The dialog with the uploads of an event. Each can be taken back.
 * @param {import('./page.js').Page} page
 */
export function createUploads(page) {
  /** @type {OrganizationEvent | undefined} */
  let event;
  /** Newest first. @type {Batch[]} */
  let batches = [];
  let pagesShown = 0;

  more.addEventListener('click', () => void attempt(more, tell, load));
  wireActions(list, () => batches, {
    undo: (batch, _, button) => void attempt(button, tell, () => undo(batch)),
  });

  /** Loads the next page. */
  async function load() {
    const of = event;
    if (!of) return;
    const answer = await page.run((api) => api.batches(of.id, pagesShown + 1));
    if (event !== of) return;
    pagesShown += 1;
    // An upload that came meanwhile moves the others to the next page.
    const known = new Set(batches.map(({ id }) => id));
    batches.push(...answer.data.filter(({ id }) => !known.has(id)));
    more.hidden = pagesShown >= answer.meta.total_pages;
    render();
  }

  async function reload() {
    batches = [];
    pagesShown = 0;
    await load();
  }

  /** Asks the API what would be taken back, and then the reader. @param {Batch} batch */
  async function undo(batch) {
    const of = event;
    if (!of) return;
    const effect = await page.run((api) => api.revert(of.id, batch.id, true));
    const points = EFFECTS.flatMap((name) =>
      effect[name] > 0 ? text(`effect.${name}`, { count: effect[name] }) : [],
    );
    if (effect.removed + effect.restored + effect.reinstated === 0) {
      tell([text('undoNothing'), ...points].join(' '));
      return;
    }
    askToConfirm({
      title: text('undoTitle'),
      name: nameOfBatch(batch),
      code: '',
      facts: [of.name, factsOf(batch)].map(isolated).join(' · '),
      what: text('undoWhat'),
      intro: text('undoIntro'),
      points,
      after: text('undoAfter'),
      accept: text('undo'),
      isDanger: true,
      work: async () => {
        await page.run((api) => api.revert(of.id, batch.id, false));
        closeConfirmation();
        announce(text('undone', { what: isolated(nameOfBatch(batch)) }));
        await Promise.all([attempt(list, tell, reload), page.refresh()]);
      },
      unsure: text('undoUnsure'),
    });
  }

  function render() {
    byId('no-uploads', HTMLElement).hidden = batches.length > 0 || !message.hidden;
    keyed(
      list,
      batches,
      ({ id }) => id,
      () => copyOf('upload', text),
      fillUpload,
    );
  }

  return {
    /** @param {OrganizationEvent} shown */
    async show(shown) {
      event = shown;
      batches = [];
      more.hidden = true;
      write(document, { '#uploads-title': text('uploadsOf', { name: isolated(shown.name) }) });
      list.replaceChildren();
      byId('no-uploads', HTMLElement).hidden = true;
      dialog.showModal();
      await attempt(list, tell, reload);
    },
    close() {
      event = undefined;
      batches = [];
      render();
      dialog.close();
    },
  };
}

/** When a batch came, and from whom. @param {Batch} batch */
const factsOf = ({ received_at, key_name, user_id }) =>
  [
    absoluteTime(new Date(received_at)),
    user_id === null ? text('withKey', { name: key_name }) : text('by', { actor: user_id }),
  ].join(' ');

/** @param {HTMLElement} item @param {Batch} batch */
function fillUpload(item, batch) {
  const what = nameOfBatch(batch);
  const revertedAt = batch.reverted_at && absoluteTime(new Date(batch.reverted_at));
  write(item, {
    strong: what,
    '.facts': factsOf(batch),
    '.pill': revertedAt ? text('takenBackAt', { when: revertedAt }) : '',
  });
  part(item, '.pill').hidden = !revertedAt;
  nameActions(item, { undo: revertedAt ? '' : text('undoNamed', { what }) });
}
