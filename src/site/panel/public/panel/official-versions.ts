import { getOrganizationOfficialResults } from '../client/operations/get-organization-official-results.ts';
import { makeResultsOfficial } from '../client/operations/make-results-official.ts';
import { byId, DOT, element, setText } from '../shared/dom.ts';
import { DOWNLOAD_TIMEOUT_MS, type OfficialResults, type OrganizationEvent } from './api.ts';
import { showChangesSince } from './changes-since.ts';
import { saveFile } from './csv-file.ts';
import { askToConfirm, closeConfirmation } from './dialogs.tsx';
import { isolated, raceTime, textOfParts as text } from './formats.ts';
import { announce, attempt, type Page } from './page.ts';

/** The official versions of a race, and the question before one is made. */
export function createOfficialVersions(page: Page) {
  /** @param versions the last one first */
  function render(race: OrganizationEvent, versions: readonly OfficialResults[]) {
    const [last] = versions;
    const { version = 0 } = last ?? {};
    const said = last ? text(`official.${last.state}`, { version, time: timeOf(last) }) : '';
    setText(byId('official-state', HTMLElement), said);
    byId('official-list', HTMLElement).replaceChildren(...versions.map((one) => itemOf(race, one)));
    showChangesSince(last);
  }

  function itemOf(race: OrganizationEvent, version: OfficialResults) {
    const { version: number, rows, state } = version;
    const download = element(
      'button',
      {
        type: 'button',
        class: 'button',
        'aria-label': text('officialDownloadOf', { version: number }),
      },
      text('download'),
    );
    download.addEventListener(
      'click',
      () => void attempt(download, announce, () => save(race, number)),
    );
    const line = text('officialVersion', { version: number, time: timeOf(version), count: rows });
    const now = text(state === 'official' ? 'officialSame' : 'officialChanged');
    return element(
      'li',
      { class: 'row spread' },
      element('span', {}, `${line}${DOT}${now}`),
      download,
    );
  }

  async function save({ id, name }: OrganizationEvent, version: number) {
    const file = await page.run(({ client, organization }) =>
      getOrganizationOfficialResults(client, organization, id, version, {
        timeoutMs: DOWNLOAD_TIMEOUT_MS,
      }),
    );
    saveFile(
      new Blob([file], { type: 'application/x-ndjson' }),
      `${name} - official results ${version}`,
      'jsonl',
    );
    announce(text('downloaded', { name: isolated(name) }));
  }

  /** @param reload loads the versions after one was made */
  function askToMake(race: OrganizationEvent, reload: () => Promise<void>) {
    const { id, name, total_results: count } = race;
    askToConfirm({
      title: text('officialTitle'),
      name,
      code: '',
      facts: text('officialFacts', { count }),
      what: text('officialWhat'),
      intro: '',
      points: [],
      after: text('officialAfter'),
      accept: text('makeOfficial'),
      isDanger: false,
      work: async () => {
        const { version } = await page.run(({ client, organization }) =>
          makeResultsOfficial(client, organization, id, { timeoutMs: DOWNLOAD_TIMEOUT_MS }),
        );
        closeConfirmation();
        announce(text('madeOfficial', { version }));
        await reload();
      },
      unsure: text('officialUnsure'),
    });
  }

  return { render, askToMake };
}

const timeOf = ({ made_at }: OfficialResults) => raceTime(made_at);
