import type { OrganizationEvent } from './api.ts';
import { createBoardPart } from './board-part.ts';
import { createDownloads } from './downloads.ts';
import type { createEventsView } from './events.ts';
import { createKeysView } from './keys.ts';
import { createOfficialVersions } from './official-versions.ts';
import type { Page, Parts } from './page.ts';
import { createPoints } from './points.ts';
import { createRaceHistory } from './race-history.ts';
import { createRanking } from './ranking.ts';
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
  const downloads = createDownloads(page);
  const ranking = createRanking(page, changeRace);
  const history = createRaceHistory(page);
  return {
    keys: createKeysView(page, events),
    official: createOfficialVersions(page),
    createRunnerDetails,
    race: {
      render(race: OrganizationEvent) {
        sendFile.show(race.id);
        uploads.render();
        points.render();
        sendFile.render();
        board.render(race);
        downloads.render(race);
        ranking.render(race);
        history.render(race);
      },
      async head(race: string) {
        await Promise.all([ranking.load(race), history.load(race)]);
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
        downloads.clear();
        ranking.clear();
        history.clear();
      },
    },
  };
}
