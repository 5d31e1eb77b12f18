import { listOrganizationOfficialResults } from '../client/operations/list-organization-official-results.ts';
import { byId, hide, setText } from '../shared/dom.ts';
import { raceInAddress } from './address.ts';
import { all, type OfficialResults, type OrganizationEvent } from './api.ts';
import { text } from './formats.ts';
import { announce, attempt, type Page } from './page.ts';

/** Whether the results of a race are official, and the button that makes them so. */
export function createOfficial(page: Page) {
  /** The race whose versions are loaded. */
  let loadedId = '';
  /** The last version first. */
  let versions: readonly OfficialResults[] = [];
  let shown: OrganizationEvent | undefined;
  const make = byId('make-official', HTMLButtonElement);

  make.addEventListener('click', () => {
    const id = shown?.id ?? '';
    void attempt(make, announce, async () => {
      const { official } = await page.loadParts();
      // The reader may have opened another race meanwhile.
      if (shown?.id === id) official.askToMake(shown, () => load(id));
    });
  });

  async function load(id: string) {
    const loaded = await page.run(({ client, organization }) =>
      all(listOrganizationOfficialResults(client, organization, id)),
    );
    if (id !== raceInAddress()) return;
    versions = loaded;
    loadedId = id;
    render();
  }

  function render() {
    const isKnown = shown !== undefined && shown.id === loadedId;
    const known = isKnown ? versions : [];
    const [last] = known;
    const hasResults = (shown?.total_results ?? 0) > 0;
    hide({
      '#make-official': !hasResults,
      '#worth': !last && !hasResults,
      '#official-versions': !last,
    });
    const worth = byId('worth', HTMLElement);
    const { state = 'provisional', version = 0 } = last ?? {};
    setText(worth, text(`worth.${state}`, { version }));
    worth.dataset['state'] = state;
    worth.classList.toggle('unknown-yet', !isKnown);
    if (shown) page.parts()?.official.render(shown, known);
  }

  return {
    load,
    render(event: OrganizationEvent) {
      shown = event;
      render();
    },
    /** The last version; null without one, and undefined until it is known. */
    last: () => (shown !== undefined && shown.id === loadedId ? (versions[0] ?? null) : undefined),
    clear() {
      loadedId = '';
      versions = [];
      shown = undefined;
    },
  };
}
