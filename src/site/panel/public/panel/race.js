import { byId, hide, part, setText, write } from '../shared/dom.js';
import { addressOf, partInAddress, RACE_PARTS, raceInAddress } from './address.js';
import { createBoardPart } from './board-part.js';
import { saveFile } from './csv-file.js';
import { absoluteTime, isolated, relativeTime, spreadsheetDelimiter, text } from './formats.js';
import { createOfficial } from './official.js';
import { announce, attempt, failureIn } from './page.js';
import { createPoints } from './points.js';
import { createRunners } from './runners.js';
import { createSendFile } from './send-file.js';
import { createUploads, fillFigures, nameOfBatch } from './uploads.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {'before' | 'waiting' | 'live' | 'quiet'} RaceState */

/** Results arrive every few seconds in a race. It is live while the latest upload is this recent. */
const LIVE_MS = 5 * 60_000;

const view = byId('race', HTMLElement);

/**
 * The page of a race: its state and counts, its results, its uploads and its board.
 * @param {import('./page.js').Page} page
 * @param {() => readonly OrganizationEvent[]} eventsOf the events that are loaded
 * @param {(changed: OrganizationEvent) => void} replace tells the list that an event has changed
 */
export function createRaceView(page, eventsOf, replace) {
  /** The race that is gone, or was never the organization's. */
  let goneId = '';
  /** The latest upload when the part was loaded. */
  let loaded = '';
  const runners = createRunners(page);
  const uploads = createUploads(page);
  const points = createPoints(page);
  const sendFile = createSendFile(page, points);
  const official = createOfficial(page);
  /** How many switches were moved. What was asked for before is out of date. */
  let changes = 0;
  const board = createBoardPart(page, (changed) => {
    changes += 1;
    replace(changed);
    render();
  });

  const race = () => eventsOf().find(({ id }) => id === raceInAddress());

  byId('race-download', HTMLButtonElement).addEventListener('click', ({ currentTarget }) => {
    if (currentTarget instanceof Element) void attempt(currentTarget, announce, download);
  });

  /** Saves the results as a file. */
  async function download() {
    const shown = race();
    if (!shown) return;
    const { id, name } = shown;
    saveFile(await page.run((api) => api.results(id, spreadsheetDelimiter())), name);
    announce(text('downloaded', { name: isolated(name) }));
  }

  function render() {
    const shown = race();
    const id = raceInAddress();
    const shownPart = partInAddress();
    hide({
      '#race-gone': goneId !== id,
      '#race-page': goneId === id || shown === undefined,
    });
    for (const one of RACE_PARTS) {
      const link = /** @type {HTMLAnchorElement} */ (part(view, `[data-part=${one}]`));
      link.href = addressOf(id, one);
      if (one === shownPart) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
      byId(`part-${one}`, HTMLElement).hidden = one !== shownPart;
    }
    if (!shown) return;
    runners.show(id);
    sendFile.show(id);
    fillHead(shown);
    official.render(shown);
    runners.render();
    uploads.render();
    points.render();
    sendFile.render();
    board.render(shown);
  }

  /** Loads the head and what the part shows. */
  async function refresh() {
    const id = raceInAddress();
    const shownPart = partInAddress();
    const asked = changes;
    try {
      const found = await page.run((api) => api.event(id));
      goneId = '';
      if (asked === changes) replace(found);
      runners.show(id);
      const state = [id, shownPart, found.latest_batch?.received_at].join();
      // A page that waits for results asks for one row, again and again.
      if (state === loaded && shownPart !== 'board') return;
      if (shownPart === 'results') await runners.refresh();
      if (shownPart === 'uploads') {
        await uploads.show(id);
        await points.show(id);
      }
      if (shownPart === 'board') await board.show(id);
      await official.load(id);
      loaded = state;
    } catch (error) {
      if (failureIn(error).kind !== 'notFound') throw error;
      goneId = id;
    }
  }

  return {
    render,
    refresh,
    title: () => race()?.name ?? text('race'),
    clear() {
      loaded = '';
      goneId = '';
      runners.clear();
      uploads.clear();
      points.clear();
      sendFile.clear();
      official.clear();
      board.clear();
    },
  };
}

/** @param {OrganizationEvent} event @returns {RaceState} */
export function stateOf({ event_date, total_results, latest_batch }) {
  if (latest_batch && Date.now() - Date.parse(latest_batch.received_at) < LIVE_MS) return 'live';
  if (total_results > 0) return 'quiet';
  return Date.parse(event_date) > Date.now() ? 'before' : 'waiting';
}

/** The latest upload of an event in a line. @param {OrganizationEvent} event */
export const latestOf = ({ latest_batch: latest }) =>
  latest === null
    ? text('noUpload')
    : text('latest', {
        what: isolated(nameOfBatch(latest)),
        ago: relativeTime(new Date(latest.received_at)),
      });

/** @param {OrganizationEvent} event */
function fillHead(event) {
  const { name, city, event_date, total_results: results, paid_inscriptions: registered } = event;
  const head = part(view, '.race-head');
  const state = stateOf(event);
  write(head, {
    h1: name,
    time: absoluteTime(new Date(event_date)),
    '.city': city,
    '.pill': text(`race.${state}`),
    '.latest': latestOf(event),
  });
  part(head, 'time').setAttribute('datetime', event_date);
  part(head, '.pill').dataset['state'] = state;
  fillFigures(part(head, '.figures'), [
    [text('figure.registered'), registered],
    [text('figure.results'), results],
    [text('figure.missing'), Math.max(0, registered - results)],
  ]);
  const button = byId('race-download', HTMLButtonElement);
  button.hidden = results === 0;
  byId('download-hint', HTMLElement).hidden = results === 0;
  button.setAttribute('aria-label', text('downloadOf', { name }));
  setText(button, text('download'));
}
