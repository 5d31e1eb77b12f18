import { createBoardPart } from './board-part.js';
import { createKeysView } from './keys.js';
import { createPoints } from './points.js';
import { createRunnerDetails } from './runner-details.js';
import { createSendFile } from './send-file.js';
import { createUploads } from './uploads.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */

/**
 * The parts that few readers open first: they load when the page stands.
 * @param {import('./page.js').Page} page
 * @param {ReturnType<typeof import('./events.js').createEventsView>} events
 * @param {(changed: OrganizationEvent) => void} changeRace tells the page that a race has changed
 */
export function createParts(page, events, changeRace) {
  const uploads = createUploads(page);
  const points = createPoints(page);
  const sendFile = createSendFile(page, points);
  const board = createBoardPart(page, changeRace);
  return {
    keys: createKeysView(page, events),
    createRunnerDetails,
    race: {
      /** @param {OrganizationEvent} race */
      render(race) {
        sendFile.show(race.id);
        uploads.render();
        points.render();
        sendFile.render();
        board.render(race);
      },
      /** Loads the uploads. @param {string} race */
      async uploads(race) {
        await Promise.all([uploads.show(race), points.show(race)]);
      },
      /** Loads who is hidden on the board. @param {string} race */
      board: board.show,
      clear() {
        uploads.clear();
        points.clear();
        sendFile.clear();
        board.clear();
      },
    },
  };
}

/** @typedef {ReturnType<typeof createParts>} Parts */
