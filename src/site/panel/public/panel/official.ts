import { getOrganizationOfficialResults } from '../client/operations/get-organization-official-results.ts';
import { listOrganizationOfficialResults } from '../client/operations/list-organization-official-results.ts';
import { makeResultsOfficial } from '../client/operations/make-results-official.ts';
import { byId, DOT, element, hide, setText } from '../shared/dom.ts';
import { raceInAddress } from './address.ts';
import { all, DOWNLOAD_TIMEOUT_MS, type OfficialResults, type OrganizationEvent } from './api.ts';
import { saveFile } from './csv-file.ts';
import { askToConfirm, closeConfirmation } from './dialogs.ts';
import { isolated, raceTime, text } from './formats.ts';
import { announce, attempt, type Page } from './page.ts';

/** Whether the results of a race are official, their versions, and the button that makes one. */
export function createOfficial(page: Page) {
  /** The race whose versions are loaded. */
  let loadedId = '';
  /** The last version first. */
  let versions: readonly OfficialResults[] = [];
  let shown: OrganizationEvent | undefined;
  const make = byId('make-official', HTMLButtonElement);

  make.addEventListener('click', () => {
    if (!shown) return;
    const { id, name, total_results: count } = shown;
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
        await load(id);
      },
      unsure: text('officialUnsure'),
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
    const said = last ? text(`official.${last.state}`, { version, time: timeOf(last) }) : '';
    setText(byId('official-state', HTMLElement), said);
    byId('official-list', HTMLElement).replaceChildren(...known.map(itemOf));
    page.parts()?.showChangesSince(last);
  }

  function itemOf(version: OfficialResults) {
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
    download.addEventListener('click', () => void attempt(download, announce, () => save(number)));
    const line = text('officialVersion', { version: number, time: timeOf(version), count: rows });
    const now = text(state === 'official' ? 'officialSame' : 'officialChanged');
    return element(
      'li',
      { class: 'row spread' },
      element('span', {}, `${line}${DOT}${now}`),
      download,
    );
  }

  async function save(version: number) {
    if (!shown) return;
    const { id, name } = shown;
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

const timeOf = ({ made_at }: OfficialResults) => raceTime(made_at);
