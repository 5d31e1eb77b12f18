import type { OrganizationEvent } from './api.ts';
import { createBoardPart } from './board-part.ts';
import type { createEventsView } from './events.ts';
import { createKeysView } from './keys.ts';
import type { Page, Parts } from './page.ts';
import { createPoints } from './points.ts';
import { createRunnerDetails } from './runner-details.ts';
import { createSendFile } from './send-file.ts';
import { createUploads } from './uploads.ts';

/** @param changeRace tells the page that a race has changed */
export function createParts(
  page: Page,
  events: ReturnType<typeof createEventsView>,
  changeRace: (changed: OrganizationEvent) => void,
): Parts {
  const uploads = createUploads(page);
  const points = createPoints(page);
  const sendFile = createSendFile(page, points);
  const board = createBoardPart(page, changeRace);
  return {
    keys: createKeysView(page, events),
    createRunnerDetails,
    race: {
      render(race: OrganizationEvent) {
        sendFile.show(race.id);
        uploads.render();
        points.render();
        sendFile.render();
        board.render(race);
      },
      async uploads(race: string) {
        await Promise.all([uploads.show(race), points.show(race)]);
      },
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
