import { type Dispatch, useEffect, useLayoutEffect, useReducer } from 'preact/hooks';
import { mustAsk } from '../../../../../timing-files/read/must-ask.ts';
import { previewOrganizationEventPassingsFile } from '../../client/operations/preview-organization-event-passings-file.ts';
import { previewOrganizationEventResultsFile } from '../../client/operations/preview-organization-event-results-file.ts';
import { uploadOrganizationEventPassingsFile } from '../../client/operations/upload-organization-event-passings-file.ts';
import { uploadOrganizationEventResultsFile } from '../../client/operations/upload-organization-event-results-file.ts';
import type * as client from '../../client/types.ts';
import { FILE_TIMEOUT_MS, LateFailure, SessionEnded } from '../api.ts';
import { textOfFile as text } from '../formats.ts';
import { type Session, useSession } from '../kit.tsx';
import { loadNow } from '../later.tsx';
import { announce, failureIn, wordsOf } from '../page.ts';
import { keepsColumns } from './by-hand.ts';
import {
  type AnyPreview,
  type AnyUpload,
  chosenRows,
  type Event,
  IDLE,
  type LeftReason,
  next,
  plainReading,
  type Ready,
  type State,
  type Work,
} from './state.ts';
import { upload } from './upload-request.ts';

/** The reader's actions with a file. */
export interface Actions {
  look(work: Work): void;
  /** @param query of the chosen reading */
  answer(work: Work, query: string): void;
  /** Reads the columns as named by hand. The reading stands, whatever speaks against the reading. */
  readByHand(work: Work, query: string): void;
  /** Stores the rows that are left for a reason anyway, or leaves them again. */
  choose(reason: LeftReason): void;
  send(ready: Ready, reason: string): Promise<void>;
  nextSheet(work: Work): void;
  /** Leaves the file. */
  cancel(): void;
  tell(message: string): void;
  /** The rows that a reading of a file would store. */
  preview(work: Work, query: string): Promise<AnyPreview>;
}

/**
 * A file on the way to the API: its state, and the reader's actions.
 * @param stored runs after the file is stored
 */
export function useSending(
  race: string,
  work: Work,
  stored: (work: Work) => void,
): [State, Actions] {
  const session = useSession();
  const [state, dispatch] = useReducer<State, Event>(next, next(IDLE, { type: 'chosen', work }));
  const actions = actionsOf(session, race, dispatch, stored);
  useLayoutEffect(() => actions.look(work), []);
  useEffect(() => {
    if (state.step !== 'sending') return;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', hold);
    return () => window.removeEventListener('beforeunload', hold);
  }, [state.step]);
  return [state, actions];
}

function actionsOf(
  session: Session,
  race: string,
  dispatch: Dispatch<Event>,
  stored: (work: Work) => void,
): Actions {
  const preview = (work: Work, query: string) => previewOf(session, race, work, query);
  const read = (work: Work, asked: string, by: By = 'api') =>
    readingOf(preview, work, asked, by).then(dispatch, (error) => {
      if (!(error instanceof SessionEnded)) throw error;
    });
  return {
    preview,
    look: (work) => void read(work, plainReading(work)),
    answer(work, query) {
      dispatch({ type: 'answered', query });
      void read(work, query, 'choice');
    },
    readByHand(work, query) {
      dispatch({ type: 'answered', query });
      void read(work, query, 'hand');
    },
    choose: (reason) => dispatch({ type: 'grouped', reason }),
    send: (ready, reason) => send(session, race, ready, reason, dispatch, stored),
    nextSheet(work) {
      dispatch({ type: 'nextSheet' });
      void read(work, plainReading(work));
    },
    cancel: () => dispatch({ type: 'cancelled' }),
    tell: (message) => dispatch({ type: 'told', message }),
  };
}

/** Who says how a file is read: the API, the reader by a choice of the API, or the reader for each column. */
type By = 'api' | 'choice' | 'hand';

/**
 * Reads a file as asked, or as the API suggests then. A suggestion that may be wrong is one of two choices. A suggestion
 * never replaces columns that the reader named by hand.
 */
async function readingOf(
  preview: Actions['preview'],
  work: Work,
  asked: string,
  by: By,
): Promise<Event> {
  const isOpened = await work.file.then(
    () => true,
    () => false,
  );
  if (!isOpened) return { type: 'unread', work, asked, message: text('fileUnopened') };
  try {
    const plain = await preview(work, asked);
    const query = plain.suggestion?.query;
    const isByHand = by === 'hand';
    const isBetter =
      query !== undefined && query !== asked && !(isByHand && !keepsColumns(asked, query));
    const seen = isBetter ? await preview(work, query) : plain;
    const read = { type: 'read', work, asked, isByHand, key: crypto.randomUUID() } as const;
    const isRefused = plain.warnings.some(({ code }) => code === 'file_refused');
    if (isByHand && !isBetter) {
      return { ...read, preview: plain, query: isRefused ? undefined : asked, choices: [] };
    }
    if (isByHand || !isBetter || !mustAsk(seen, plain))
      return { ...read, preview: seen, query, choices: [] };
    if (by === 'choice') return { ...read, preview: plain, query: asked, choices: [] };
    const choices = [
      { query, why: plain.suggestion?.why ?? '' },
      ...(isRefused ? [] : [{ query: asked, why: '' }]),
    ];
    return { ...read, preview: plain, query: undefined, choices };
  } catch (error) {
    if (error instanceof SessionEnded) throw error;
    const message = wordsOf(failureIn(error), undefined, text('fileRefused'));
    return { type: 'unread', work, asked, message };
  }
}

async function previewOf({ run }: Session, race: string, work: Work, query: string) {
  const file = await work.file;
  return run(
    ({
      client: api,
      organization,
    }): Promise<client.OrganizationResultsFilePreview | client.OrganizationPassingsFilePreview> => {
      const options = { read: query, leave: LEAVE, timeoutMs: FILE_TIMEOUT_MS };
      return work.point
        ? previewOrganizationEventPassingsFile(api, organization, race, work.point, file, options)
        : previewOrganizationEventResultsFile(api, organization, race, file, options);
    },
  );
}

/** A file overwrites nothing that a person decided, and is no wrong file, unless the reader says so. */
const LEAVE = ['decided', 'many'] as const;

/**
 * Sends a file, and then the left rows that are stored anyway. Both uploads are repeatable: each upload has a key, and
 * the API repeats its first answer.
 */
async function send(
  session: Session,
  race: string,
  ready: Ready,
  reason: string,
  dispatch: Dispatch<Event>,
  stored: (work: Work) => void,
) {
  const { work, query, key, chosen } = ready;
  if (query === undefined) return;
  if (!navigator.onLine) return dispatch({ type: 'told', message: text('sendOffline') });
  dispatch({ type: 'sent' });
  const file = await work.file;
  const show = (share: number) => dispatch({ type: 'left', work, share });
  const uploading = (sent: File, options: SentAs) =>
    uploadOf(session, race, work, sent, { ...options, reason: reason || undefined }, show);
  try {
    // A deployment may replace the script meanwhile.
    const script = chosen.length > 0 ? await loadNow(loadRowsOfFile, 'file') : undefined;
    const answer = await uploading(file, { read: query, leave: LEAVE, idempotencyKey: key });
    const rows = chosenRows(ready, answer);
    let ofChosen: AnyUpload | undefined;
    if (script && rows.size > 0) {
      const part = await script.rowsOfFile(file, query, rows);
      const idempotencyKey = [key, ...chosen.toSorted()].join('.');
      ofChosen = await uploading(part.file, { read: part.query, idempotencyKey });
    }
    dispatch({ type: 'stored', work, stored: answer, chosen: ofChosen });
  } catch (error) {
    if (error instanceof LateFailure) announce(text('sendUnsure'));
    if (error instanceof SessionEnded) return;
    dispatch({ type: 'lost', work, message: wordsOf(failureIn(error), text('sendUnsure')) });
    return;
  }
  void session.refresh();
  stored(work);
}

/** The script is no part of the panel's scripts: the page names it. */
function loadRowsOfFile(): Promise<typeof import('./rows-of-file.ts')> {
  const link = document.querySelector<HTMLLinkElement>('[data-part=rows]');
  return import(link?.href ?? '');
}

/** How a file is sent. */
type SentAs = { read: string; leave?: typeof LEAVE; idempotencyKey: string };

/** @param show receives the sent part of the file */
const uploadOf = (
  { run }: Session,
  race: string,
  { point }: Work,
  file: File,
  { reason, ...named }: SentAs & { reason: string | undefined },
  show: (share: number) => void,
): Promise<AnyUpload> =>
  run(({ organization, through }): Promise<client.ResultsUploadOut | client.PassingsUploadOut> => {
    const sending = through((address, init) => upload(address, init, show));
    const options = { ...named, timeoutMs: FILE_TIMEOUT_MS };
    return point
      ? uploadOrganizationEventPassingsFile(sending, organization, race, point, file, options)
      : uploadOrganizationEventResultsFile(sending, organization, race, file, {
          ...options,
          reason,
        });
  });
