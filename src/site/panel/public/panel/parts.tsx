import { type ComponentChild, render } from 'preact';
import { byId } from '../shared/dom.ts';
import { partInAddress } from './address.ts';
import type { OrganizationEvent } from './api.ts';
import { createBoardPart } from './board-part.ts';
import { closeConfirmation } from './dialogs.tsx';
import { createDownloads } from './downloads.ts';
import type { createEventsView } from './events.ts';
import { createKeysView } from './keys.ts';
import { Kept, SessionContext } from './kit.tsx';
import { createOfficialVersions } from './official-versions.ts';
import type { Page, Parts } from './page.ts';
import { createRaceHistory } from './race-history.ts';
import { createRanking } from './ranking.ts';
import { createRunnerDetails } from './runner-details.ts';
import { UploadsPart } from './uploads/part.tsx';

/** @param changeRace tells the page that a race has changed */
export function createParts(
  page: Page,
  events: ReturnType<typeof createEventsView>,
  changeRace: (changed: OrganizationEvent) => void,
): Parts {
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
        island(
          page,
          'part-uploads',
          <Kept key={race.id} isShown={partInAddress() === 'uploads'}>
            <UploadsPart race={race} />
          </Kept>,
        );
        board.render(race);
        downloads.render(race);
        ranking.render(race);
        history.render(race);
      },
      async head(race: string) {
        await Promise.all([ranking.load(race), history.load(race)]);
      },
      async uploads() {},
      board: board.show,
      clear() {
        closeConfirmation();
        island(page, 'part-uploads', null);
        board.clear();
        downloads.clear();
        ranking.clear();
        history.clear();
      },
    },
  };
}

/** Shows a component in a page whose other parts are written by hand. */
function island(page: Page, place: string, shown: ComponentChild) {
  const session = { userId: page.userId(), run: page.run, refresh: page.refresh };
  render(
    <SessionContext.Provider value={session}>{shown}</SessionContext.Provider>,
    byId(place, HTMLElement),
  );
}
