import { languageOf } from '../../../../../timing-files/write/languages.ts';
import { tableForPeople } from '../../../../../timing-files/write/results-for-people.ts';
import { exportOrganizationEventResults } from '../../client/operations/export-organization-event-results.ts';
import { getOrganizationEventStarts } from '../../client/operations/get-organization-event-starts.ts';
import type { NamedResult } from '../../client/types.ts';
import { DOWNLOAD_TIMEOUT_MS, Failure, type OrganizationEvent } from '../api.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import { type Session, useAttempt, useSession } from '../kit.tsx';
import { announce } from '../page.ts';
import { printSheets, useSheets } from '../print.tsx';
import { csvFile, saveFile } from './csv-file.ts';
import { SpeakerSheets } from './speaker.tsx';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Save = (results: readonly NamedResult[], race: OrganizationEvent, session: Session) => unknown;

/** The results as files for people, and as sheets to print. */
export function Downloads({ race }: { race: OrganizationEvent }) {
  useSheets();
  return (
    <div class="stack">
      <p class="row">
        <Download race={race} name={text('downloadXlsx')} save={saveWorkbook} />
        <Download race={race} name={text('downloadCsv')} save={saveCsv} />
        <Download race={race} name={text('downloadPrint')} save={printSpeakerSheets} />
      </p>
      <p class="hint">{text('downloadHint')}</p>
      <p class="hint">{text('downloadPrintHint')}</p>
    </div>
  );
}

function Download({ race, name, save }: { race: OrganizationEvent; name: string; save: Save }) {
  const session = useSession();
  const { attempt, isBusy } = useAttempt(undefined, announce);
  return (
    <button
      type="button"
      class="button"
      aria-busy={isBusy || undefined}
      onClick={() => attempt(async () => save(await resultsOf(session, race.id), race, session))}
    >
      {name}
    </button>
  );
}

/** All results, distance by distance in the order of the board, each in the order of its places. */
async function resultsOf({ run }: Session, race: string): Promise<readonly NamedResult[]> {
  const items: NamedResult[] = [];
  await run(async ({ client, organization }) => {
    const results = exportOrganizationEventResults(client, organization, race, {
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
    });
    for await (const result of results) items.push(result);
  });
  return items;
}

async function saveWorkbook(results: readonly NamedResult[], { name }: OrganizationEvent) {
  const { workbookFile } = await import('../../../../../timing-files/write/workbook.ts').catch(
    () => {
      throw new Failure('unreachable');
    },
  );
  const table = tableForPeople(results, languageOf(document.documentElement.lang) ?? 'en');
  const bytes = workbookFile(table, text('partResults'));
  saveFile(new Blob([bytes], { type: XLSX }), name, 'xlsx');
  announce(text('downloaded', { name: isolated(name) }));
}

function saveCsv(results: readonly NamedResult[], { name }: OrganizationEvent) {
  const table = tableForPeople(results, languageOf(document.documentElement.lang) ?? 'en');
  saveFile(csvFile(table.map((cells) => cells.map(textOf))), name);
  announce(text('downloaded', { name: isolated(name) }));
}

const textOf = (cell: ReturnType<typeof tableForPeople>[number][number]): string =>
  typeof cell === 'object' ? cell.time : String(cell);

const printSpeakerSheets: Save = async (results, race, { run }) => {
  const { starts } = await run(({ client, organization }) =>
    getOrganizationEventStarts(client, organization, race.id),
  );
  printSheets(<SpeakerSheets results={results} race={race} starts={starts} />);
};
