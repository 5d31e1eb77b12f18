import { type ComponentChild, render } from 'preact';
import { byId } from '../shared/dom.ts';
import { partInAddress, raceInAddress } from './address.ts';
import type { OrganizationEvent } from './api.ts';
import { Board } from './board/board.tsx';
import { closeConfirmation } from './dialogs.tsx';
import { Downloads } from './downloads/downloads.tsx';
import type { createEventsView } from './events.ts';
import { RaceHistory } from './history/history.tsx';
import { createKeysView } from './keys.ts';
import { Kept, SessionContext } from './kit.tsx';
import { askToMakeOfficial, OfficialVersions } from './official/versions.tsx';
import type { Page, Parts } from './page.ts';
import { RankingMissing } from './ranking/missing.tsx';
import { Ranking } from './ranking/ranking.tsx';
import { createRunnerDetails } from './runner-details.ts';
import { UploadsPart } from './uploads/part.tsx';

/** Components in the head of a race, which open there. */
const FOLDS = ['downloads', 'ranking', 'race-history'] as const;

/** @param changeRace tells the page that a race has changed */
export function createParts(
  page: Page,
  events: ReturnType<typeof createEventsView>,
  changeRace: (changed: OrganizationEvent) => void,
): Parts {
  let shown: OrganizationEvent | undefined;
  for (const id of FOLDS) {
    byId(id, HTMLDetailsElement).addEventListener('toggle', () => shown && renderRace(shown));
  }

  function renderRace(race: OrganizationEvent) {
    shown = race;
    const show = (id: string, isShown: boolean, component: ComponentChild) =>
      island(
        page,
        id,
        <Kept key={race.id} isShown={isShown}>
          {component}
        </Kept>,
      );
    const isOpen = (id: (typeof FOLDS)[number]) => byId(id, HTMLDetailsElement).open;
    show('part-uploads', partInAddress() === 'uploads', <UploadsPart race={race} />);
    show('part-board', partInAddress() === 'board', <Board race={race} changed={changeRace} />);
    show('downloads', isOpen('downloads'), <Downloads race={race} />);
    show('ranking', isOpen('ranking'), <Ranking race={race} changed={changeRace} />);
    show('ranking-missing', true, <RankingMissing race={race} />);
    show('race-history', isOpen('race-history'), <RaceHistory race={race} />);
    byId('downloads', HTMLElement).hidden = race.total_results === 0 || race.id !== raceInAddress();
  }

  return {
    keys: createKeysView(page, events),
    official: {
      render: (race, versions) =>
        island(page, 'official-versions', <OfficialVersions race={race} versions={versions} />),
      askToMake: (race, reload) => askToMakeOfficial(page, race, reload),
    },
    createRunnerDetails,
    race: {
      render: renderRace,
      clear() {
        shown = undefined;
        closeConfirmation();
        const all = [
          ...FOLDS,
          'part-uploads',
          'part-board',
          'ranking-missing',
          'official-versions',
        ];
        for (const id of all) island(page, id, null);
      },
    },
  };
}

const places = new Map<string, HTMLElement>();

/** Shows a component in a page whose other parts are written by hand. */
function island(page: Page, id: string, shown: ComponentChild) {
  const session = { userId: page.userId(), run: page.run, refresh: page.refresh };
  let place = places.get(id);
  if (!place) {
    place = byId(id, HTMLElement).appendChild(document.createElement('div'));
    place.className = 'kept';
    places.set(id, place);
  }
  render(<SessionContext.Provider value={session}>{shown}</SessionContext.Provider>, place);
}
