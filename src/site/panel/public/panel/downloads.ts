import { tableForPeople } from '../../../../timing-files/write/results-for-people.ts';
import { exportOrganizationEventResults } from '../client/operations/export-organization-event-results.ts';
import type { NamedResult } from '../client/types.ts';
import { byId } from '../shared/dom.ts';
import { raceInAddress } from './address.ts';
import { DOWNLOAD_TIMEOUT_MS, Failure, type OrganizationEvent } from './api.ts';
import { csvFile, saveFile } from './csv-file.ts';
import { isolated, textOfParts as text } from './formats.ts';
import { languageOf } from './languages.ts';
import { announce, attempt, type Page } from './page.ts';
import { speakerPages } from './speaker.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const place = byId('downloads', HTMLDetailsElement);
const speaker = byId('speaker', HTMLElement);

/** The results as a file for people, and as a sheet to print. */
export function createDownloads(page: Page) {
  let shown: OrganizationEvent | undefined;

  const files = {
    async xlsx(results: readonly NamedResult[], name: string) {
      const { workbookFile } = await import('../../../../timing-files/write/workbook.ts').catch(
        () => {
          throw new Failure('unreachable');
        },
      );
      const table = tableForPeople(results, languageOf(document.documentElement.lang));
      const bytes = workbookFile(table, text('partResults'));
      saveFile(new Blob([bytes], { type: XLSX }), name, 'xlsx');
      announce(text('downloaded', { name: isolated(name) }));
    },
    async csv(results: readonly NamedResult[], name: string) {
      const table = tableForPeople(results, languageOf(document.documentElement.lang));
      saveFile(csvFile(table.map((cells) => cells.map(textOf))), name);
      announce(text('downloaded', { name: isolated(name) }));
    },
    async print(results: readonly NamedResult[], name: string) {
      speaker.replaceChildren(...speakerPages(results, name));
      document.body.classList.add('speaks');
      print();
    },
  };

  addEventListener('afterprint', () => document.body.classList.remove('speaks'));
  for (const [name, save] of Object.entries(files)) {
    const button = byId(`download-${name}`, HTMLButtonElement);
    button.addEventListener('click', () => {
      const race = shown;
      if (race) void attempt(button, announce, async () => save(await load(race.id), race.name));
    });
  }

  /** All results, distance by distance in the order of the board, each in the order of its places. */
  async function load(race: string): Promise<readonly NamedResult[]> {
    const items: NamedResult[] = [];
    await page.run(async ({ client, organization }) => {
      const results = exportOrganizationEventResults(client, organization, race, {
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
      });
      for await (const result of results) items.push(result);
    });
    return items;
  }

  return {
    render(race: OrganizationEvent) {
      shown = race;
      place.hidden = race.total_results === 0 || race.id !== raceInAddress();
    },
    clear() {
      shown = undefined;
      speaker.replaceChildren();
    },
  };
}

/** A time without a fraction that says nothing. */
const textOf = (cell: ReturnType<typeof tableForPeople>[number][number]): string =>
  typeof cell === 'object' ? cell.time.replace(/\.000$/, '') : String(cell);
