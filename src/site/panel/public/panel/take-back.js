import { askToConfirm, closeConfirmation } from './dialogs.js';
import { isolated, textOfParts as text } from './formats.js';
import { announce } from './page.js';

const EFFECTS = /** @type {const} */ (['removed', 'restored', 'reinstated', 'kept']);

/**
 * Asks the API what would be taken back, then the reader, and takes it back.
 * @param {import('./page.js').Page} page
 * @param {string} eventId
 * @param {{ id: string, name: string, facts: string }} batch
 * @param {() => Promise<void>} done after it is taken back
 * @returns {Promise<string>} why there is nothing to take back; blank if the reader is asked
 */
export async function takeBack(page, eventId, { id, name, facts }, done) {
  const effect = await page.run((api) => api.revert(eventId, id, true));
  const points = EFFECTS.flatMap((one) =>
    effect[one] > 0 ? text(`effect.${one}`, { count: effect[one] }) : [],
  );
  if (effect.removed + effect.restored + effect.reinstated === 0) {
    return [text('undoNothing'), ...points].join(' ');
  }
  askToConfirm({
    title: text('undoTitle'),
    name,
    code: '',
    facts,
    what: text('undoWhat'),
    intro: text('undoIntro'),
    points,
    after: text('undoAfter'),
    accept: text('undo'),
    isDanger: true,
    work: async () => {
      await page.run((api) => api.revert(eventId, id, false));
      closeConfirmation();
      announce(text('undone', { what: isolated(name) }));
      await done();
    },
    unsure: text('undoUnsure'),
  });
  return '';
}
