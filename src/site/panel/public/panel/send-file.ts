import { rejectedTable } from '../../../../timing-files/write/own-files.ts';
import { previewOrganizationEventPassingsFile } from '../client/operations/preview-organization-event-passings-file.ts';
import { previewOrganizationEventResultsFile } from '../client/operations/preview-organization-event-results-file.ts';
import { uploadOrganizationEventPassingsFile } from '../client/operations/upload-organization-event-passings-file.ts';
import { uploadOrganizationEventResultsFile } from '../client/operations/upload-organization-event-results-file.ts';
import type * as client from '../client/types.ts';
import { byId, element, part, setText } from '../shared/dom.ts';
import type * as api from './api.ts';
import { FILE_TIMEOUT_MS } from './api.ts';
import { csvFile, saveFile } from './csv-file.ts';
import { fillFigures } from './figures.ts';
import { differencesOf, readingOf, reasonOf, warningItem } from './file-words.ts';
import { shortTime, textOfParts as text } from './formats.ts';
import { announce, attempt, failureIn, type Page, say } from './page.ts';
import type { Points } from './points.ts';
import { nameOfBatch } from './race-state.ts';
import { upload } from './upload-request.ts';
import { changeItem } from './uploads/changes.tsx';
import { takeBack } from './uploads/take-back.ts';

type Preview = api.Preview | api.PassingsPreview;
type Upload = api.Upload | api.PassingsUpload;
type Choice = { query: string; why: string };
type Step = 'idle' | 'looking' | 'ready' | 'sending' | 'done';

/** Each example costs a preview. */
const EXAMPLES_MAX = 6;
const FAILED_SHOWN = 10;

const place = byId('send-file', HTMLElement);
const input = byId('file', HTMLInputElement);
const message = byId('send-message', HTMLElement);
const form = byId('send-form', HTMLFormElement);
const choices = byId('choices', HTMLFieldSetElement);
const progress = byId('send-progress', HTMLProgressElement);
const reason = byId('send-reason', HTMLInputElement);
const timesOf = byId('times-of', HTMLFieldSetElement);
const pointField = byId('point', HTMLInputElement);
const chooseFile = byId('choose-file', HTMLButtonElement);

const tell = (words: string) => say(message, words);

/**
 * Sends a results file: looks at it, shows what would be stored, asks what only a person knows, stores it and
 * says what happened to each row.
 */
export function createSendFile(page: Page, points: Points) {
  let eventId = '';
  /** The point at which the times were taken; blank for the finish. */
  let point = '';
  let step: Step = 'idle';
  let file: File | undefined;
  let preview: Preview | undefined;
  /** How the file is read; undefined while a person has to decide. */
  let query: string | undefined;
  /** Names the sending, so that sending it again stores nothing twice. */
  let key = '';
  /** Whether an answer is missing, so that nobody knows whether the file is stored. */
  let isUnsure = false;
  let stored: Upload | undefined;
  /** The sheets of a workbook with results, and those that are stored. */
  let sheets: readonly string[] = [];
  const storedSheets = new Set<string>();

  byId('preview-rows', HTMLElement).tabIndex = 0;
  timesOf.addEventListener('change', () => {
    byId('point-field', HTMLElement).hidden = !isOfPoint();
  });
  input.addEventListener('change', () => {
    const [chosen] = input.files ?? [];
    input.value = '';
    if (chosen) void look(chosen);
  });
  for (const kind of ['dragenter', 'dragover']) {
    place.addEventListener(kind, (event) => {
      event.preventDefault();
      place.classList.toggle('over', step === 'idle' || step === 'done');
    });
  }
  place.addEventListener('dragleave', () => place.classList.remove('over'));
  place.addEventListener('drop', (event) => {
    event.preventDefault();
    place.classList.remove('over');
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped && (step === 'idle' || step === 'done')) void look(dropped);
  });
  choices.addEventListener('change', () => {
    // The earlier choice cannot be sent while the new one is read.
    query = undefined;
    renderSend();
    void attempt(choices, tell, readChosen, undefined, text('fileRefused'));
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(form, tell, send, text('sendUnsure'));
  });
  byId('send-cancel', HTMLButtonElement).addEventListener('click', () => startAgain());
  byId('send-another', HTMLButtonElement).addEventListener('click', () => startAgain());
  byId('next-sheet', HTMLButtonElement).addEventListener('click', () => void lookAgain());
  chooseFile.addEventListener('click', () => input.click());
  byId('save-failed', HTMLButtonElement).addEventListener('click', saveFailed);
  byId('undo-sent', HTMLButtonElement).addEventListener('click', ({ currentTarget }) => {
    if (currentTarget instanceof Element) void attempt(currentTarget, tell, undo);
  });
  window.addEventListener('beforeunload', (event) => {
    if (step === 'sending') event.preventDefault();
  });
  // A cut that ends lets the reader know at once whether the file was stored.
  window.addEventListener('online', () => {
    if (isUnsure && step === 'ready') void attempt(form, tell, send, text('sendUnsure'));
  });

  /** Looks at a file that was chosen. */
  async function look(chosen: File) {
    reset();
    point = isOfPoint() ? pointField.value.trim() : '';
    if (isOfPoint() && point === '') {
      tell(text('pointMissing'));
      pointField.focus();
      return;
    }
    file = chosen;
    step = 'looking';
    render();
    // Another program may write the file again: what is sent is what was shown.
    const bytes = await chosen.arrayBuffer().catch(() => undefined);
    if (file !== chosen) return;
    if (!bytes) {
      startAgain(text('fileUnopened'));
      return;
    }
    await readFirst(new File([bytes], chosen.name));
  }

  /** Asks for another sheet of the workbook. */
  async function lookAgain() {
    const workbook = file;
    if (!workbook) return;
    leave();
    step = 'looking';
    render();
    await readFirst(workbook);
  }

  async function readFirst(copy: File) {
    file = copy;
    const asked = point && `point=${encodeURIComponent(point)}`;
    await attempt(place, tell, () => read(() => asked), undefined, text('fileRefused'));
    if (file !== copy) return;
    if (step === 'looking') startAgain(message.textContent);
    else byId('file-name', HTMLElement).focus();
  }

  /** Reads the file as the reader answers. An answer without success can be given again. */
  async function readChosen() {
    try {
      await read(() => new FormData(form).get('choice')?.toString() ?? '');
    } catch (error) {
      for (const radio of choices.querySelectorAll('input')) radio.checked = false;
      throw error;
    }
  }

  /**
   * Reads the file as asked, or as the API suggests then. What only a person knows is asked.
   * @param wanted how to read it. If that changes meanwhile, the file is read again.
   */
  async function read(wanted: () => string): Promise<void> {
    const asked = wanted();
    const plain = await ask(asked);
    const suggested = plain?.suggestion?.query;
    const isBetter = suggested !== undefined && suggested !== asked;
    const seen = isBetter ? await ask(suggested) : plain;
    if (!seen) return;
    if (wanted() !== asked) return read(wanted);
    preview = seen;
    query = suggested;
    key = crypto.randomUUID();
    isUnsure = false;
    step = 'ready';
    if (suggested === undefined) showChoices(seen);
    render();
  }

  /** @returns nothing if another file was chosen meanwhile */
  async function ask(asked: string): Promise<Preview | undefined> {
    const [of, sent] = [eventId, file];
    if (!sent) return undefined;
    const isShown = () => of === eventId && sent === file;
    const seen = await page
      .run(
        ({
          client: api,
          organization,
        }): Promise<client.ResultsFilePreview | client.PassingsFilePreview> => {
          const options = { read: asked, timeoutMs: FILE_TIMEOUT_MS };
          return point
            ? previewOrganizationEventPassingsFile(api, organization, of, point, sent, options)
            : previewOrganizationEventResultsFile(api, organization, of, sent, options);
        },
      )
      .catch((error) => {
        if (isShown()) throw error;
      });
    return seen && isShown() ? seen : undefined;
  }

  /** Asks what only a person knows. Each answer has a row as it would be stored. */
  function showChoices({ warnings }: Preview) {
    const all: Choice[] = warnings.flatMap((warning) => warning.choices ?? []);
    const options = [...new Map(all.map((one) => [one.query, one])).values()];
    const named = new Set(options.map(({ query }) => sheetOf(query)));
    if (named.size > 1) sheets = [...named];
    choices.hidden = options.length === 0;
    const differences = differencesOf(options.map((option) => option.query));
    const labels = options.map((option, at) =>
      element(
        'label',
        {},
        element('input', { type: 'radio', name: 'choice', value: option.query }),
        element(
          'span',
          { title: option.why },
          [differences[at], ...(isStored(option) ? [text('sheetStored')] : [])].join(' · '),
          element('small', {}),
        ),
      ),
    );
    for (const [at, option] of options.entries()) {
      labels[at]?.querySelector('input')?.toggleAttribute('disabled', isStored(option));
    }
    part(choices, 'div').replaceChildren(...labels);
    void showExamples(options.slice(0, EXAMPLES_MAX), labels);
  }

  const isStored = ({ query }: Choice) => storedSheets.has(sheetOf(query));

  /** Shows for each choice how it would store one row: the first one that the choices store differently. */
  async function showExamples(options: readonly Choice[], labels: readonly HTMLElement[]) {
    const examples: (readonly string[])[] = [];
    for (const option of options) {
      const seen = await ask(option.query).catch(() => undefined);
      if (!labels[0]?.isConnected) return;
      examples.push(seen?.rows.map(exampleOf) ?? []);
    }
    const differs = (row: number) => new Set(examples.map((one) => one[row])).size > 1;
    const rows = examples[0]?.map((_, row) => row) ?? [];
    // A row that all of them store alike explains none.
    const shown = rows.find(differs);
    if (shown === undefined) return;
    for (const [at, example] of examples.entries()) {
      const label = labels[at];
      if (label) setText(part(label, 'small'), example[shown] ?? '');
    }
  }

  async function send() {
    const [of, sent, read] = [eventId, file, query];
    if (!sent || read === undefined || step === 'sending') return;
    if (!navigator.onLine) {
      tell(text('sendOffline'));
      return;
    }
    step = 'sending';
    progress.value = 0;
    render();
    try {
      const why = reason.value.trim();
      const show = (share: number) => {
        if (file !== sent) return;
        progress.value = share;
        setText(byId('send-state', HTMLElement), text(share < 1 ? 'sending' : 'storing'));
      };
      const options = { read, idempotencyKey: key, timeoutMs: FILE_TIMEOUT_MS };
      const answer = await page.run(
        ({
          organization,
          through,
        }): Promise<client.ResultsUploadOut | client.PassingsUploadOut> => {
          const sending = through((address, init) => upload(address, init, show));
          return point
            ? uploadOrganizationEventPassingsFile(sending, organization, of, point, sent, options)
            : uploadOrganizationEventResultsFile(sending, organization, of, sent, {
                ...options,
                reason: why || undefined,
              });
        },
      );
      if (file !== sent) return;
      stored = answer;
      storedSheets.add(sheetOf(read));
      isUnsure = false;
      step = 'done';
    } catch (error) {
      if (file !== sent) {
        if (eventId) announce(text('sendUnsure'));
        return;
      }
      isUnsure = true;
      step = 'ready';
      render();
      throw error;
    }
    render();
    byId('sent-title', HTMLElement).focus();
    await page.refresh();
    if (point) await points.show(of).catch(failureIn);
  }

  async function undo() {
    if (!stored) return;
    if (!('batch_id' in stored)) {
      await points.takeBack(point, async () => startAgain());
      return;
    }
    const batch = {
      source: 'csv' as const,
      file_name: file?.name ?? null,
      total_processed: stored.total_processed,
    };
    const shown = { id: stored.batch_id, name: nameOfBatch(batch), facts: '' };
    const nothing = await takeBack(page, eventId, shown, async () => {
      startAgain();
      await page.refresh();
    });
    tell(nothing);
  }

  function saveFailed() {
    if (!stored) return;
    const table = rejectedTable(
      stored.failed,
      (failure) => `${reasonOf(failure)} (${failure.reason})`,
    );
    saveFile(csvFile(table), text('failedFile.name', { name: file?.name ?? '' }));
  }

  function render() {
    place.dataset['step'] = step;
    for (const one of ['idle', 'looking', 'ready', 'sending', 'done'] as const) {
      for (const shown of place.querySelectorAll(`[data-in~=${one}]`)) {
        shown.toggleAttribute(
          'hidden',
          !(shown.getAttribute('data-in') ?? '').split(' ').includes(step),
        );
      }
    }
    setText(byId('send-state', HTMLElement), text(step === 'looking' ? 'looking' : 'sending'));
    progress.hidden = step === 'looking';
    setText(byId('file-name', HTMLElement), [file?.name ?? '', point].filter(Boolean).join(' · '));
    byId('sent-point', HTMLElement).hidden = point === '';
    setText(byId('undo-sent', HTMLElement), text(point ? 'undoPoint' : 'undo'));
    if (step === 'ready' && preview) renderPreview(preview, query);
    renderSend();
    if (step === 'done' && stored) renderOutcome(stored);
    const hasNext = sheets.some((sheet) => !storedSheets.has(sheet));
    byId('next-sheet', HTMLElement).hidden = !hasNext;
    byId('send-another', HTMLElement).classList.toggle('primary', !hasNext);
  }

  function renderSend() {
    const { uploaded = 0, updated = 0 } = preview?.counts ?? {};
    const count = uploaded + updated;
    const button = byId('send', HTMLButtonElement);
    button.disabled = query === undefined || count === 0;
    // A file that nobody can store leaves nothing to send and nothing to say about it.
    const isUnreadable = step === 'ready' && query === undefined && choices.hidden;
    button.hidden = isUnreadable;
    byId('reason-field', HTMLElement).hidden = isUnreadable || point !== '';
    setText(
      button,
      isUnsure ? text('sendAgain') : text(point ? 'sendPassings' : 'send', { count }),
    );
  }

  /** @param said why nothing can be sent */
  function reset(said?: string | null) {
    leave();
    sheets = [];
    storedSheets.clear();
    step = 'idle';
    tell(said ?? '');
    render();
  }

  /** Leaves the file that is shown. */
  function leave() {
    file = undefined;
    preview = undefined;
    query = undefined;
    stored = undefined;
    isUnsure = false;
    reason.value = '';
    choices.hidden = true;
    part(choices, 'div').replaceChildren();
    // A file that was left does not keep the next one waiting.
    for (const busy of [place, choices, form]) busy.removeAttribute('aria-busy');
    tell('');
  }

  /** The control that the reader used is gone. @param said why nothing can be sent */
  function startAgain(said?: string | null) {
    reset(said);
    chooseFile.focus();
  }

  function startOver() {
    point = '';
    pointField.value = '';
    part(timesOf, '[value=results]').click();
    reset();
  }

  return {
    render,
    show(race: string) {
      if (race === eventId) return;
      startOver();
      eventId = race;
    },
    clear() {
      eventId = '';
      startOver();
    },
  };
}

/** The sheet of a workbook that a reading names; blank if it names none. */
const sheetOf = (query: string) => new URLSearchParams(query).get('sheet') ?? '';

/** Whether the reader says that the times are of a point before the finish. */
const isOfPoint = () => part(timesOf, ':checked').getAttribute('value') === 'passings';

function renderPreview(preview: Preview, query: string | undefined) {
  const { counts, rows, columns, failed, warnings } = preview;
  const isUndecided = query === undefined;
  const hasChoices = warnings.some((warning) => (warning.choices ?? []).length > 0);
  say(
    byId('read-as', HTMLElement),
    isUndecided
      ? text(hasChoices ? 'undecided' : 'unreadable')
      : text('readAs', { how: readingOf(preview, query) }),
  );
  fillFigures(byId('preview-figures', HTMLElement), figuresOf(counts));
  byId('preview-figures', HTMLElement).hidden = isUndecided && counts.total_processed === 0;
  const list = byId('warnings', HTMLUListElement);
  list.replaceChildren(...warnings.map(warningItem));
  list.hidden = warnings.length === 0;
  renderRows(rows);
  const changes = 'changes' in preview ? preview.changes : [];
  byId('preview-changes', HTMLElement).hidden = changes.length === 0;
  byId('preview-change-list', HTMLUListElement).replaceChildren(...changes.map(changeItem));
  const unread = columns.filter(({ meaning, name }) => meaning === null && name !== '');
  say(
    byId('unread', HTMLElement),
    unread.length === 0
      ? ''
      : text('unreadColumns', { names: unread.map(({ name }) => name).join(', ') }),
  );
  fillFailed(byId('preview-failed', HTMLElement), failed);
}

/** Shows the first rows as they would be stored. */
function renderRows(rows: Preview['rows']) {
  byId('preview-rows', HTMLElement).hidden = rows.length === 0;
  const splits = [
    ...new Set(rows.flatMap((row) => ('splits' in row ? Object.keys(row.splits) : []))),
  ];
  const isOfPoint = rows.some((row) => 'point' in row);
  const heads = isOfPoint
    ? [text('figure.point'), text('figure.time')]
    : [text('figure.status'), text('figure.chip_time'), text('figure.gun_time'), ...splits];
  const cellsOf = (row: Preview['rows'][number]) =>
    'point' in row
      ? [row.point, row.time]
      : [
          text(`status.${row.status}`),
          row.chip_time,
          row.gun_time,
          ...splits.map((name) => row.splits[name]),
        ];
  byId('preview-table', HTMLTableElement).replaceChildren(
    element('caption', { class: 'unseen' }, text('previewTable')),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ...[text('failedFile.bib'), ...heads].map((head) => element('th', { scope: 'col' }, head)),
      ),
    ),
    element(
      'tbody',
      {},
      ...rows.map((row) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, row.bib_number),
          ...cellsOf(row).map((cell) => element('td', {}, cell ? shortTime(cell) : '–')),
        ),
      ),
    ),
  );
}

function renderOutcome(stored: Upload) {
  fillFigures(byId('sent-figures', HTMLElement), figuresOf(stored));
  fillFailed(byId('sent-failed', HTMLElement), stored.failed);
  byId('save-failed', HTMLElement).hidden = stored.failed.length === 0;
  byId('undo-sent', HTMLElement).hidden = stored.uploaded + stored.updated - stored.unchanged === 0;
}

/** What happened to the rows, or would. */
const figuresOf = ({
  uploaded,
  updated,
  unchanged,
  not_found,
  errors,
  duplicates,
}: Pick<Upload, 'uploaded' | 'updated' | 'unchanged' | 'not_found' | 'errors' | 'duplicates'>): [
  string,
  number,
][] => [
  [text('figure.new'), uploaded],
  [text('figure.changed'), updated - unchanged],
  [text('figure.unchanged'), unchanged],
  [text('figure.notFound'), not_found],
  [text('figure.failed'), errors],
  ...(duplicates > 0 ? [[text('figure.duplicates'), duplicates] as [string, number]] : []),
];

/** Shows the first rows that fail, with their reasons. */
function fillFailed(place: HTMLElement, failed: Upload['failed']) {
  place.hidden = failed.length === 0;
  const shown = failed.slice(0, FAILED_SHOWN);
  const rest = failed.length - shown.length;
  place.replaceChildren(
    ...shown.map((one) =>
      element(
        'li',
        { title: one.reason },
        element('strong', {}, text('line', { row: one.row })),
        ` ${reasonOf(one)}`,
      ),
    ),
    ...(rest > 0 ? [element('li', { class: 'soft' }, text('moreFailed', { count: rest }))] : []),
  );
}

const exampleOf = (row: Preview['rows'][number]) =>
  text('example', {
    bib: row.bib_number,
    outcome: shortTime(
      'point' in row
        ? (row.time ?? '–')
        : (row.chip_time ?? row.gun_time ?? text(`status.${row.status}`)),
    ),
  });
