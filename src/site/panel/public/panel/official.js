import { byId, element, hide, setText } from '../shared/dom.js';
import { raceInAddress } from './address.js';
import { saveFile } from './csv-file.js';
import { askToConfirm, closeConfirmation } from './dialogs.js';
import { absoluteTime, isolated, text } from './formats.js';
import { announce, attempt } from './page.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {import('./api.js').OfficialResults} OfficialResults */

/**
 * Whether the results of a race are official, their versions, and the button that makes one.
 * @param {import('./page.js').Page} page
 */
export function createOfficial(page) {
  /** The race whose versions are loaded. */
  let loadedId = '';
  /** The last version first. @type {readonly OfficialResults[]} */
  let versions = [];
  /** @type {OrganizationEvent | undefined} */
  let shown;
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
      work: async () => {
        const { version } = await page.run((api) => api.makeOfficial(id));
        closeConfirmation();
        announce(text('madeOfficial', { version }));
        await load(id);
      },
      unsure: text('officialUnsure'),
    });
  });

  /** @param {string} id */
  async function load(id) {
    const loaded = await page.run((api) => api.official(id));
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
      '#official-state': !last && !hasResults,
      '#official-versions': !last,
    });
    const said = last
      ? text(`official.${last.state}`, { version: last.version, time: timeOf(last) })
      : text('official.provisional');
    setText(byId('official-state', HTMLElement), said);
    byId('official-state', HTMLElement).classList.toggle('unknown-yet', !isKnown);
    byId('official-list', HTMLElement).replaceChildren(...known.map(itemOf));
  }

  /** @param {OfficialResults} version */
  function itemOf(version) {
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
      element('span', {}, `${line} · ${now}`),
      download,
    );
  }

  /** @param {number} version */
  async function save(version) {
    if (!shown) return;
    const { id, name } = shown;
    const file = await page.run((api) => api.officialFile(id, version));
    saveFile(file, `${name} - official results ${version}`, 'jsonl');
    announce(text('downloaded', { name: isolated(name) }));
  }

  return {
    load,
    /** @param {OrganizationEvent} event */
    render(event) {
      shown = event;
      render();
    },
    clear() {
      loadedId = '';
      versions = [];
      shown = undefined;
    },
  };
}

/** @param {OfficialResults} version */
const timeOf = ({ made_at }) => absoluteTime(new Date(made_at));
