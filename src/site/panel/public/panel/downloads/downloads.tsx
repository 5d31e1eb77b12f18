import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { tableForPeople } from '../../../../../timing-files/write/results-for-people.ts';
import { exportOrganizationEventResults } from '../../client/operations/export-organization-event-results.ts';
import type { NamedResult } from '../../client/types.ts';
import { DOWNLOAD_TIMEOUT_MS, Failure, type OrganizationEvent } from '../api.ts';
import { isolated, textOfParts as text } from '../formats.ts';
import { type Session, useAttempt, useSession } from '../kit.tsx';
import { languageOf } from '../languages.ts';
import { announce } from '../page.ts';
import { csvFile, saveFile } from './csv-file.ts';
import { SpeakerSheets } from './speaker.tsx';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Save = (results: readonly NamedResult[], name: string) => unknown;

/** The results as files for people, and as sheets to print. */
export function Downloads({ race }: { race: OrganizationEvent }) {
  useEffect(() => clearSheets, []);
  return (
    <div class="stack">
      <p class="row">
        <Download race={race} name={text('downloadXlsx')} save={saveWorkbook} />
        <Download race={race} name={text('downloadCsv')} save={saveCsv} />
        <Download race={race} name={text('downloadPrint')} save={printSheets} />
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
      onClick={() => attempt(async () => save(await resultsOf(session, race.id), race.name))}
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

async function saveWorkbook(results: readonly NamedResult[], name: string) {
  const { workbookFile } = await import('../../../../../timing-files/write/workbook.ts').catch(
    () => {
      throw new Failure('unreachable');
    },
  );
  const table = tableForPeople(results, languageOf(document.documentElement.lang));
  const bytes = workbookFile(table, text('partResults'));
  saveFile(new Blob([bytes], { type: XLSX }), name, 'xlsx');
  announce(text('downloaded', { name: isolated(name) }));
}

function saveCsv(results: readonly NamedResult[], name: string) {
  const table = tableForPeople(results, languageOf(document.documentElement.lang));
  saveFile(csvFile(table.map((cells) => cells.map(textOf))), name);
  announce(text('downloaded', { name: isolated(name) }));
}

const textOf = (cell: ReturnType<typeof tableForPeople>[number][number]): string =>
  typeof cell === 'object' ? cell.time : String(cell);

/** The sheets of the speaker stand beside the page, so that each prints alone. */
const sheets = document.createElement('div');
sheets.id = 'speaker';
document.body.append(sheets);
addEventListener('afterprint', () => document.body.classList.remove('speaks'));

function printSheets(results: readonly NamedResult[], name: string) {
  render(<SpeakerSheets results={results} race={name} />, sheets);
  document.body.classList.add('speaks');
  print();
}

const clearSheets = () => render(null, sheets);
