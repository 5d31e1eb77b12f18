import { renderSVG } from 'uqr';
import { hideName } from '../client/operations/hide-name.ts';
import { listHiddenNames } from '../client/operations/list-hidden-names.ts';
import { showName } from '../client/operations/show-name.ts';
import { updateEventBoard } from '../client/operations/update-event-board.ts';
import { byId, copyOf, element, keyed, part, setText } from '../shared/dom.ts';
import { raceInAddress } from './address.ts';
import { all, type HiddenName, type OrganizationEvent } from './api.ts';
import { isolated, textOfParts as text } from './formats.ts';
import { wireActions } from './lists.ts';
import { announce, attempt, failureIn, type Page, say } from './page.ts';
import { copied } from './secret-dialog.ts';

const SWITCHES = ['board_enabled', 'board_shows_names'] as const;

/** White modules around a QR code. Readers need four. */
const QUIET_MODULES = 4;

const view = byId('part-board', HTMLElement);
const list = byId('hidden-list', HTMLUListElement);
const form = byId('hide-form', HTMLFormElement);
const bib = byId('hide-bib', HTMLInputElement);
const message = byId('hidden-message', HTMLElement);
const image = byId('code', HTMLImageElement);

const tell = (words: string) => say(message, words);

/**
 * The board of a race: its switches, its addresses and the runners whose names it never shows.
 * @param replace tells the page that a switch has moved
 */
export function createBoardPart(page: Page, replace: (changed: OrganizationEvent) => void) {
  let event: OrganizationEvent | undefined;
  /** The address that the QR code stands for. */
  let drawn = '';
  let hidden: HiddenName[] = [];

  for (const one of SWITCHES) part(view, `[name=${one}]`).setAttribute('role', 'switch');
  view.addEventListener('change', ({ target }) => {
    const name = SWITCHES.find((one) => target instanceof HTMLInputElement && one === target.name);
    if (!(name && target instanceof HTMLInputElement)) return;
    const isOn = target.checked;
    // It stays where it was until the API has answered.
    target.checked = !isOn;
    const problem = part(view, `div:has(> label [name=${name}]) > .problem`);
    const said = (words: string) => setText(problem, words);
    void attempt(target, said, () => move(name, isOn));
  });
  for (const kind of ['address', 'frame'] as const) {
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

  async function move(name: (typeof SWITCHES)[number], isOn: boolean) {
    const id = event?.id ?? '';
    const changed = await page.run(({ client, organization }) =>
      updateEventBoard(client, organization, id, { [name]: isOn }),
    );
    const values = { name: isolated(changed.name) };
    announce(changed[name] ? text(`toastOn.${name}`, values) : text(`toastOff.${name}`, values));
    replace(changed);
  }

  async function copy(kind: 'address' | 'frame') {
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
      await page.run(({ client, organization }) => hideName(client, organization, id, wanted));
    } catch (error) {
      if (failureIn(error).kind !== 'notFound') throw error;
      tell(text('unknownBib', { bib: isolated(wanted) }));
      return;
    }
    bib.value = '';
    await load(id);
    announce(text('bibHidden', { bib: wanted }));
  }

  /** @param id of the registration @param shown its bib */
  async function showAgain(id: string, shown: string | null) {
    if (shown === null) return;
    const race = event?.id ?? '';
    await page.run(({ client, organization }) => showName(client, organization, race, shown));
    hidden = hidden.filter((one) => one.inscription_id !== id);
    renderHidden();
    announce(text('bibShown', { bib: shown }));
  }

  async function load(race: string) {
    const loaded = await page.run(({ client, organization }) =>
      all(listHiddenNames(client, organization, race)),
    );
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

  function drawCode({ id, name }: OrganizationEvent) {
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
    render(shown: OrganizationEvent) {
      event = shown;
      const { id, name, board_enabled: isOpen } = shown;
      for (const one of SWITCHES) {
        const input = part(view, `[name=${one}]`) as HTMLInputElement;
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
      // A narrow card breaks the line before the path and the id. Who types the address needs all of it.
      byId('code-address', HTMLElement).replaceChildren(
        location.origin,
        element('wbr', {}),
        '/board/',
        element('wbr', {}),
        id,
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
    async show(race: string) {
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

const boardPath = (id: string) => `/board/${id}`;

const boardAddress = (id: string) => location.origin + boardPath(id);

/** A text within an attribute. */
const escaped = (name: string) =>
  name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
