import { renderSVG } from 'uqr';
import { byId, copyOf, element, keyed, part, setText } from '../shared/dom.js';
import { raceInAddress } from './address.js';
import { isolated, textOfParts as text } from './formats.js';
import { wireActions } from './lists.js';
import { announce, attempt, failureIn, say } from './page.js';
import { copied } from './secret-dialog.js';

/** @typedef {import('./api.js').OrganizationEvent} OrganizationEvent */
/** @typedef {import('./api.js').HiddenName} HiddenName */

const SWITCHES = /** @type {const} */ (['board_enabled', 'board_shows_names']);

/** White modules around a QR code. Readers need four. */
const QUIET_MODULES = 4;

const view = byId('part-board', HTMLElement);
const list = byId('hidden-list', HTMLUListElement);
const form = byId('hide-form', HTMLFormElement);
const bib = byId('hide-bib', HTMLInputElement);
const message = byId('hidden-message', HTMLElement);
const image = byId('code', HTMLImageElement);

/** @param {string} words */
const tell = (words) => say(message, words);

/**
 * The board of a race: its switches, its addresses and the runners whose names it never shows.
 * @param {import('./page.js').Page} page
 * @param {(changed: OrganizationEvent) => void} replace tells the page that a switch has moved
 */
export function createBoardPart(page, replace) {
  /** @type {OrganizationEvent | undefined} */
  let event;
  /** The address that the QR code stands for. */
  let drawn = '';
  /** @type {HiddenName[]} */
  let hidden = [];

  for (const one of SWITCHES) part(view, `[name=${one}]`).setAttribute('role', 'switch');
  view.addEventListener('change', ({ target }) => {
    const name = SWITCHES.find((one) => target instanceof HTMLInputElement && one === target.name);
    if (!(name && target instanceof HTMLInputElement)) return;
    const isOn = target.checked;
    // It stays where it was until the API has answered.
    target.checked = !isOn;
    const problem = part(view, `div:has(> label [name=${name}]) > .problem`);
    const said = (/** @type {string} */ words) => setText(problem, words);
    void attempt(target, said, () => move(name, isOn));
  });
  for (const kind of /** @type {const} */ (['address', 'frame'])) {
    byId(`copy-${kind}`, HTMLButtonElement).addEventListener('click', () => void copy(kind));
  }
  byId('code-print', HTMLButtonElement).addEventListener('click', () => window.print());
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault();
    void attempt(form, tell, hide);
  });
  wireActions(list, items, {
    show: ({ id, bib_number }, _, button) =>
      void attempt(button, tell, () => showAgain(id, bib_number)),
  });

  /** @param {typeof SWITCHES[number]} name @param {boolean} isOn */
  async function move(name, isOn) {
    const id = event?.id ?? '';
    const changed = await page.run((api) => api.switchBoard(id, { [name]: isOn }));
    const values = { name: isolated(changed.name) };
    announce(changed[name] ? text(`toastOn.${name}`, values) : text(`toastOff.${name}`, values));
    replace(changed);
  }

  /** @param {'address' | 'frame'} kind */
  async function copy(kind) {
    const field = byId(`board-${kind}`, HTMLInputElement);
    const isCopied = await copied(field.value);
    if (!isCopied) field.select();
    announce(text(isCopied ? `copied.${kind}` : 'copyFieldByHand'));
  }

  /** The hidden runners, as lists want them. */
  function items() {
    return hidden.map((runner) => ({ ...runner, id: runner.inscription_id }));
  }

  async function hide() {
    const wanted = bib.value.trim().replace(/^#\s*/, '');
    const id = event?.id ?? '';
    try {
      await page.run((api) => api.setHidden(id, wanted, true));
    } catch (error) {
      if (failureIn(error).kind !== 'notFound') throw error;
      tell(text('unknownBib', { bib: isolated(wanted) }));
      return;
    }
    bib.value = '';
    await load(id);
    announce(text('bibHidden', { bib: wanted }));
  }

  /** @param {string} id of the registration @param {string | null} shown its bib */
  async function showAgain(id, shown) {
    if (shown === null) return;
    const race = event?.id ?? '';
    await page.run((api) => api.setHidden(race, shown, false));
    hidden = hidden.filter((one) => one.inscription_id !== id);
    renderHidden();
    announce(text('bibShown', { bib: shown }));
  }

  /** @param {string} race */
  async function load(race) {
    const loaded = await page.run((api) => api.hiddenNames(race));
    if (race !== raceInAddress()) return;
    hidden = loaded;
    renderHidden();
  }

  function renderHidden() {
    byId('no-hidden', HTMLElement).hidden = hidden.length > 0;
    keyed(
      list,
      items(),
      ({ id }) => id,
      () => copyOf('hidden-name', text),
      (item, { bib_number, given_names, surnames }) => {
        const name = [given_names, surnames].filter(Boolean).join(' ');
        setText(part(item, '.bib'), bib_number ?? '–');
        setText(part(item, 'strong'), name);
        const button = part(item, '[data-action=show]');
        button.hidden = bib_number === null;
        button.setAttribute('aria-label', text('showNamed', { name: name || (bib_number ?? '') }));
      },
    );
  }

  /** @param {OrganizationEvent} shown */
  function drawCode({ id, name }) {
    const address = boardAddress(id);
    image.alt = text('codeOf', { name });
    if (drawn === address) return;
    drawn = address;
    const svg = renderSVG(address, { ecc: 'M', border: QUIET_MODULES });
    URL.revokeObjectURL(image.src);
    image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    const file = byId('code-file', HTMLAnchorElement);
    file.href = image.src;
    file.download = `board-${id}.svg`;
  }

  return {
    /** @param {OrganizationEvent} shown */
    render(shown) {
      event = shown;
      const { id, name, board_enabled: isOpen } = shown;
      for (const one of SWITCHES) {
        const input = /** @type {HTMLInputElement} */ (part(view, `[name=${one}]`));
        input.checked = shown[one];
        setText(
          byId(`hint-${one}`, HTMLElement),
          shown[one] ? text(`on.${one}`) : text(`off.${one}`),
        );
      }
      const address = boardAddress(id);
      byId('board-address', HTMLInputElement).value = address;
      byId('board-frame', HTMLInputElement).value =
        `<iframe src="${address}" title="${escaped(name)}" width="100%" height="800" allow="clipboard-write; web-share"></iframe>`;
      setText(byId('code-name', HTMLElement), name);
      // A narrow card breaks the line only before the path.
      byId('code-address', HTMLElement).replaceChildren(
        location.origin,
        element('wbr', {}),
        boardPath(id).slice(0, -28),
      );
      byId('board-off', HTMLElement).hidden = isOpen;
      for (const [link, href] of [
        ['board-open', address],
        ['board-wall', `${address}?screen`],
      ]) {
        const anchor = byId(link ?? '', HTMLAnchorElement);
        anchor.href = href ?? '';
        anchor.hidden = !isOpen;
      }
      renderHidden();
      drawCode(shown);
    },
    /** @param {string} race */
    async show(race) {
      if (event?.id !== race) hidden = [];
      await load(race);
    },
    clear() {
      event = undefined;
      hidden = [];
      bib.value = '';
      tell('');
      renderHidden();
    },
  };
}

/** @param {string} id */
const boardPath = (id) => `/board/${id}`;

/** @param {string} id */
const boardAddress = (id) => location.origin + boardPath(id);

/** A text within an attribute. @param {string} name */
const escaped = (name) =>
  name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
