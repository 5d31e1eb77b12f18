import { type Dispatch, useEffect, useReducer } from 'preact/hooks';
import { previewOrganizationEventPassingsFile } from '../../client/operations/preview-organization-event-passings-file.ts';
import { previewOrganizationEventResultsFile } from '../../client/operations/preview-organization-event-results-file.ts';
import { uploadOrganizationEventPassingsFile } from '../../client/operations/upload-organization-event-passings-file.ts';
import { uploadOrganizationEventResultsFile } from '../../client/operations/upload-organization-event-results-file.ts';
import type * as client from '../../client/types.ts';
import { FILE_TIMEOUT_MS, LateFailure, SessionEnded } from '../api.ts';
import { textOfParts as text } from '../formats.ts';
import { type Session, useSession } from '../kit.tsx';
import { announce, failureIn, wordsOf } from '../page.ts';
import {
  type AnyPreview,
  type Event,
  IDLE,
  next,
  plainReading,
  type Ready,
  type State,
  type Work,
} from './state.ts';
import { upload } from './upload-request.ts';

/** The reader's actions with a file. */
export interface Actions {
  look(chosen: File, point: string): void;
  /** @param query of the chosen reading */
  answer(work: Work, query: string): void;
  send(ready: Ready, reason: string): Promise<void>;
  nextSheet(work: Work): void;
  /** Leaves the file. @param message the reason why the file cannot be sent */
  cancel(message?: string): void;
  tell(message: string): void;
  /** The rows that a reading of a file would store. */
  preview(work: Work, query: string): Promise<AnyPreview>;
}

/**
 * A file on the way to the API: its state, and the reader's actions.
 * @param stored runs after the file is stored
 */
export function useSending(race: string, stored: (work: Work) => void): [State, Actions] {
  const session = useSession();
  const [state, dispatch] = useReducer<State, Event>(next, IDLE);
  const actions = actionsOf(session, race, dispatch, stored);
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
  const read = (work: Work, asked: string) =>
    readingOf(preview, work, asked).then(dispatch, (error) => {
      if (!(error instanceof SessionEnded)) throw error;
    });
  return {
    preview,
    look(chosen, point) {
      const { name } = chosen;
      const file = chosen.arrayBuffer().then((bytes) => new File([bytes], name));
      const work = { name, point, file };
      dispatch({ type: 'chosen', work });
      void read(work, plainReading(work));
    },
    answer(work, query) {
      dispatch({ type: 'answered', query });
      void read(work, query);
    },
    send: (ready, reason) => send(session, race, ready, reason, dispatch, stored),
    nextSheet(work) {
      dispatch({ type: 'nextSheet' });
      void read(work, plainReading(work));
    },
    cancel: (message = '') => dispatch({ type: 'cancelled', message }),
    tell: (message) => dispatch({ type: 'told', message }),
  };
}

/** Reads a file as asked, or as the API suggests then. */
async function readingOf(preview: Actions['preview'], work: Work, asked: string): Promise<Event> {
  const isOpened = await work.file.then(
    () => true,
    () => false,
  );
  if (!isOpened) return { type: 'unread', work, asked, message: text('fileUnopened') };
  try {
    const plain = await preview(work, asked);
    const query = plain.suggestion?.query;
    const isBetter = query !== undefined && query !== asked;
    const seen = isBetter ? await preview(work, query) : plain;
    return { type: 'read', work, asked, preview: seen, query, key: crypto.randomUUID() };
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
    }): Promise<client.ResultsFilePreview | client.PassingsFilePreview> => {
      const options = { read: query, timeoutMs: FILE_TIMEOUT_MS };
      return work.point
        ? previewOrganizationEventPassingsFile(api, organization, race, work.point, file, options)
        : previewOrganizationEventResultsFile(api, organization, race, file, options);
    },
  );
}

async function send(
  { run, refresh }: Session,
  race: string,
  { work, query, key }: Ready,
  reason: string,
  dispatch: Dispatch<Event>,
  stored: (work: Work) => void,
) {
  if (query === undefined) return;
  if (!navigator.onLine) return dispatch({ type: 'told', message: text('sendOffline') });
  dispatch({ type: 'sent' });
  const file = await work.file;
  const options = { read: query, idempotencyKey: key, timeoutMs: FILE_TIMEOUT_MS };
  const show = (share: number) => dispatch({ type: 'left', work, share });
  try {
    const answer = await run(
      ({ organization, through }): Promise<client.ResultsUploadOut | client.PassingsUploadOut> => {
        const sending = through((address, init) => upload(address, init, show));
        return work.point
          ? uploadOrganizationEventPassingsFile(
              ...([sending, organization, race, work.point, file, options] as const),
            )
          : uploadOrganizationEventResultsFile(sending, organization, race, file, {
              ...options,
              reason: reason || undefined,
            });
      },
    );
    dispatch({ type: 'stored', work, stored: answer });
  } catch (error) {
    if (error instanceof LateFailure) announce(text('sendUnsure'));
    if (error instanceof SessionEnded) return;
    dispatch({ type: 'lost', work, message: wordsOf(failureIn(error), text('sendUnsure')) });
    return;
  }
  void refresh();
  stored(work);
}
