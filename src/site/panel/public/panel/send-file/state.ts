import type {
  OrganizationPassingsFilePreview,
  PassingsUploadOut,
} from '../../../../../worker/passings/answer-schemas.ts';
import type { ResultsUploadOut } from '../../../../../worker/results/upload/answer-schemas.ts';
import type { OrganizationResultsFilePreview } from '../../../../../worker/results/upload/preview-answer-schemas.ts';

/** The bytes to send, read at the reader's choice of the file. A program may write the file again. */
export interface Work {
  readonly name: string;
  /** The point at which the times were taken; blank for the finish. */
  readonly point: string;
  readonly file: Promise<File>;
}

export type AnyPreview = OrganizationResultsFilePreview | OrganizationPassingsFilePreview;
export type AnyUpload = ResultsUploadOut | PassingsUploadOut;

/** A row that an upload leaves to the reader. */
export type LeftRow = AnyPreview['left'][number];
export type LeftReason = LeftRow['reason_code'];

/** A way to read a file, as a query. */
export interface Choice {
  readonly query: string;
  readonly why: string;
}

/** The sheets of a workbook with results, and the stored sheets. */
interface Sheets {
  readonly named: readonly string[];
  readonly stored: readonly string[];
}

/** No file. `message` is the reason why the last file could not be sent. */
interface Idle {
  readonly step: 'idle';
  readonly message: string;
}

/** The API reads the file. */
interface Looking {
  readonly step: 'looking';
  readonly work: Work;
  readonly sheets: Sheets;
  /** The query of the reading. */
  readonly asked: string;
}

/** The reader sees the rows to store, and decides. */
export interface Ready {
  readonly step: 'ready';
  readonly work: Work;
  readonly sheets: Sheets;
  /** The last requested query; undefined if the reader has to choose again. */
  readonly asked: string | undefined;
  readonly preview: AnyPreview;
  /** How the file is read; undefined while a person has to decide. */
  readonly query: string | undefined;
  readonly choices: readonly Choice[];
  /** The reasons whose rows the reader stores anyway. */
  readonly chosen: readonly LeftReason[];
  /** A key of the sending, so that a repeated sending stores nothing twice. */
  readonly key: string;
  /** Whether an answer is missing, so that the outcome is unknown. */
  readonly isUnsure: boolean;
  readonly message: string;
}

/** The file is on its way. */
interface Sending {
  readonly step: 'sending';
  readonly work: Work;
  readonly sheets: Sheets;
  /** The decision: without an answer, the reader decides again. */
  readonly ready: Ready & { query: string };
  /** The sent part of the file. */
  readonly share: number;
}

/**
 * The rows are stored. `chosen` is the outcome of the left rows that the reader stored anyway. `message` is the reason
 * why the rows cannot be reverted.
 */
interface Done {
  readonly step: 'done';
  readonly work: Work;
  readonly sheets: Sheets;
  readonly stored: AnyUpload;
  readonly chosen: AnyUpload | undefined;
  readonly message: string;
}

export type State = Idle | Looking | Ready | Sending | Done;

export type Event =
  /** The reader has chosen a file. */
  | { type: 'chosen'; work: Work }
  /** The reader answers how the file is read. */
  | { type: 'answered'; query: string }
  /** The API has read the file as `asked`, or as the API suggests then: `query`. */
  | {
      type: 'read';
      work: Work;
      asked: string;
      preview: AnyPreview;
      query: string | undefined;
      /** The readings between which the reader chooses, beside those of the warnings. */
      choices: readonly Choice[];
      /** Whether the reader named the columns. The choices about the earlier columns then go. */
      isByHand: boolean;
      key: string;
    }
  /** The file cannot be read. */
  | { type: 'unread'; work: Work; asked: string; message: string }
  /** The reader stores the rows of a reason anyway, or leaves them again. */
  | { type: 'grouped'; reason: LeftReason }
  | { type: 'sent' }
  | { type: 'left'; work: Work; share: number }
  | { type: 'stored'; work: Work; stored: AnyUpload; chosen: AnyUpload | undefined }
  /** No answer came. */
  | { type: 'lost'; work: Work; message: string }
  /** Shows a message about the shown file. */
  | { type: 'told'; message: string }
  | { type: 'nextSheet' }
  /** The reader leaves the file. */
  | { type: 'cancelled'; message?: string };

export const IDLE: Idle = { step: 'idle', message: '' };

/** The state after an event. An answer about an abandoned file or reading changes nothing. */
export function next(state: State, event: Event): State {
  if ('work' in event && event.type !== 'chosen') {
    if (state.step === 'idle' || state.work !== event.work) return state;
  }
  switch (event.type) {
    case 'chosen':
      return look(event.work, { named: [], stored: [] });
    case 'read':
      return afterReading(state, event);
    case 'unread':
      if (state.step === 'looking') return { step: 'idle', message: event.message };
      if (state.step !== 'ready' || state.asked !== event.asked) return state;
      return { ...state, asked: undefined, message: event.message };
    case 'cancelled':
      return { step: 'idle', message: event.message ?? '' };
    case 'nextSheet':
      return state.step === 'done' ? look(state.work, state.sheets) : state;
    case 'told':
      return state.step === 'ready' || state.step === 'done'
        ? { ...state, message: event.message }
        : state;
    case 'grouped':
      return afterChoice(state, event);
    case 'answered':
      if (state.step !== 'ready') return state;
      // The earlier choice cannot be sent during the reading of the new choice.
      return { ...state, asked: event.query, query: undefined, message: '' };
    default:
      return whileSending(state, event);
  }
}

const look = (work: Work, sheets: Sheets): Looking => ({
  step: 'looking',
  work,
  sheets,
  asked: plainReading(work),
});

function afterChoice(state: State, { reason }: Of<'grouped'>): State {
  // Rows that may be stored already are sent again without a change.
  if (state.step !== 'ready' || state.isUnsure) return state;
  const others = state.chosen.filter((one) => one !== reason);
  const isNew = others.length === state.chosen.length;
  return { ...state, chosen: isNew ? [...others, reason] : others };
}

/** The query of a reading without a choice. */
export const plainReading = ({ point }: Work) => point && `point=${encodeURIComponent(point)}`;

type Of<Type extends Event['type']> = Extract<Event, { type: Type }>;

function afterReading(state: State, event: Of<'read'>): State {
  if (!(state.step === 'looking' || state.step === 'ready') || state.asked !== event.asked) {
    return state;
  }
  const { work, asked, preview, query, key } = event;
  const before = state.step === 'ready' ? state.choices : [];
  const isAsking = query === undefined || event.isByHand;
  const choices = isAsking ? choicesIn(preview, event.choices) : before;
  const named = [...new Set(choices.map((choice) => sheetOf(choice.query)))];
  const sheets = named.length > 1 ? { ...state.sheets, named } : state.sheets;
  return {
    ...{ step: 'ready', work, sheets, asked, preview, query, choices, key },
    ...{ chosen: [], isUnsure: false, message: '' },
  };
}

function whileSending(state: State, event: Of<'sent' | 'left' | 'stored' | 'lost'>): State {
  if (event.type === 'sent') {
    if (state.step !== 'ready' || state.query === undefined) return state;
    const { work, sheets, query } = state;
    return { step: 'sending', work, sheets, ready: { ...state, query, message: '' }, share: 0 };
  }
  if (state.step !== 'sending') return state;
  const { work, ready, sheets } = state;
  switch (event.type) {
    case 'left':
      return { ...state, share: event.share };
    case 'lost':
      return { ...ready, isUnsure: true, message: event.message };
    case 'stored': {
      const stored = [...sheets.stored, sheetOf(ready.query)];
      return {
        ...{ step: 'done', work, stored: event.stored, chosen: event.chosen, message: '' },
        sheets: { ...sheets, stored },
      };
    }
  }
}

/** The first rows of the file. */
export const rowsOf = ({ rows }: AnyPreview): AnyPreview['rows'][number][] => rows;

/** The rows that are left, by reason. */
export function groupsOf(rows: readonly LeftRow[]) {
  const groups = new Map<LeftReason, LeftRow[]>();
  for (const row of rows) {
    const group = groups.get(row.reason_code);
    if (group) group.push(row);
    else groups.set(row.reason_code, [row]);
  }
  return [...groups];
}

/** How many of the rows that the preview names are stored anyway. */
export const countOfChosen = ({ preview, chosen }: Ready) =>
  preview.left.filter(({ reason_code }) => chosen.includes(reason_code)).length;

/**
 * The rows of an upload that were left and are stored anyway. A row decided by a person since the preview stays. Of a
 * long list, the preview names the first rows alone.
 */
export function chosenRows({ preview, chosen }: Ready, { left }: AnyUpload): Set<number> {
  const known = new Map(preview.left.map((row) => [row.row, row]));
  const isWhole = known.size === preview.counts.left;
  const wanted = left.filter(({ row, reason_code, at }) => {
    const seen = known.get(row);
    const isSeen = seen ? seen.at === at && seen.reason_code === reason_code : !isWhole;
    return isSeen && chosen.includes(reason_code);
  });
  return new Set(wanted.map(({ row }) => row));
}

/** The ways to read a file between which only a person can decide. */
function choicesIn({ warnings }: AnyPreview, more: readonly Choice[]): Choice[] {
  const all = [...more, ...warnings.flatMap((warning) => warning.choices ?? [])];
  return [...new Map(all.map((one) => [one.query, one])).values()];
}

/** The sheet in the query of a reading; blank without a sheet. */
const sheetOf = (query: string) => new URLSearchParams(query).get('sheet') ?? '';

export const isStored = ({ query }: Choice, { sheets }: Ready) =>
  sheets.stored.includes(sheetOf(query));

export const hasNextSheet = ({ sheets }: Done) =>
  sheets.named.some((sheet) => !sheets.stored.includes(sheet));
