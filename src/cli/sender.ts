import { randomUUID } from 'node:crypto';
import {
  isRaceResultsError,
  type RaceResultsClient,
  type ResultsUploadOut,
} from '../client/index.ts';
import { classify } from './api.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { JournalError } from './journal.ts';
import { rowIn } from './result-row.ts';
import { type Ledger, now } from './state.ts';
import { countsProblem } from './verify.ts';

const ROWS_PER_REQUEST = 5_000;
/** Far below the 8 MiB that the API takes. */
const CHARACTERS_PER_REQUEST = 2 << 20;

export type Sent =
  /** Nothing waits. */
  | { kind: 'idle' }
  | {
      kind: 'answered';
      rows: number;
      answer: ResultsUploadOut | undefined;
      /** Why the answer does not fit to what was sent. */
      problem: string | undefined;
    }
  /** The batch is kept, and sent again under the same key. */
  | { kind: 'offline'; why: string; retryAfterSeconds: number | undefined }
  /** Nothing was sent: the disk does not take the journal. */
  | { kind: 'disk'; why: string };

/** Sends the queue, one batch at a time and in order. */
export class Sender {
  readonly #client: RaceResultsClient;
  readonly #eventId: string;
  readonly #ledger: Ledger;
  /** Whether the batch under way may have reached the API already. */
  #isRepeated: boolean;

  /** @param client one that does not retry */
  constructor(client: RaceResultsClient, eventId: string, ledger: Ledger) {
    this.#client = client;
    this.#eventId = eventId;
    this.#ledger = ledger;
    this.#isRepeated = ledger.state.flight !== undefined;
  }

  /**
   * Sends the batch that has no answer yet, or else the next one.
   * @throws CliError if the key or the event is refused, or the signal's reason
   */
  async sendNext(signal: AbortSignal): Promise<Sent> {
    try {
      return await this.#sendNext(signal);
    } catch (error) {
      if (error instanceof JournalError) return { kind: 'disk', why: error.message };
      throw error;
    }
  }

  async #sendNext(signal: AbortSignal): Promise<Sent> {
    const { state } = this.#ledger;
    if (!state.flight) {
      const bibs = nextBatch(state.queue);
      if (bibs.length === 0) return { kind: 'idle' };
      await this.#ledger.record([{ type: 'sent', at: now(), key: randomUUID(), bibs }]);
      this.#isRepeated = false;
    }
    const { flight } = state;
    if (!flight || flight.rows.size === 0) throw new Error('The batch under way has no rows');
    const texts = [...flight.rows.values()];
    const options = { signal, idempotencyKey: flight.key };
    try {
      const upload = { results: texts.map(rowIn) };
      const answer = await this.#client.uploadEventResults(this.#eventId, upload, options);
      const bibs = [...flight.rows.keys()];
      const failed = answer.failed.map(({ row, reason, reason_code: code }) => ({
        bib: bibs[row - 1] ?? '',
        ...{ reason, code },
      }));
      const { batch_id: batch, total_processed, uploaded, updated, not_found } = answer;
      const counts = { total_processed, uploaded, updated, not_found };
      await this.#ledger.record([
        {
          ...{ type: 'answered', at: now(), key: flight.key, batch, failed },
          counts: { ...counts, errors: answer.errors, duplicates: answer.duplicates },
        },
      ]);
      const problem = countsProblem(answer, texts.length);
      return { kind: 'answered', rows: texts.length, answer, problem };
    } catch (error) {
      if (!isRaceResultsError(error)) throw error;
      const isRepeated = this.#isRepeated;
      this.#isRepeated = true;
      const failure = classify(error);
      if (failure.kind === 'offline') {
        return { kind: 'offline', why: failure.why, retryAfterSeconds: failure.retryAfterSeconds };
      }
      const waiting = `Nothing is lost: ${state.waitingCount()} rows wait in the queue, and go on with the same command.`;
      if (failure.kind === 'key')
        throw new CliError(EXIT.key, `${capital(failure.why)} ${waiting}`);
      if (failure.status === 404) {
        throw new CliError(
          EXIT.usage,
          `The API does not know the event ${this.#eventId} of this key: ${failure.why} Check --event and the key. ${waiting}`,
        );
      }
      await this.#giveBack(failure.why, isRepeated);
      return { kind: 'answered', rows: texts.length, answer: undefined, problem: undefined };
    }
  }

  /** The API refuses the batch as a whole. */
  async #giveBack(why: string, isRepeated: boolean): Promise<void> {
    const { flight } = this.#ledger.state;
    if (!flight) return;
    if (isRepeated) {
      // The key may belong to other rows, if a disk has lost lines of the journal.
      await this.#ledger.record([{ type: 'withdrawn', key: flight.key }]);
      return;
    }
    const failed = [...flight.rows.keys()].map((bib) => ({ bib, reason: why, code: 'refused' }));
    await this.#ledger.record([{ type: 'answered', at: now(), key: flight.key, failed }]);
  }
}

/** The bibs of the next batch, the oldest first. */
function nextBatch(queue: ReadonlyMap<string, string>): string[] {
  const bibs: string[] = [];
  let characters = 0;
  for (const [bib, text] of queue) {
    characters += text.length;
    const isFull = bibs.length === ROWS_PER_REQUEST || characters > CHARACTERS_PER_REQUEST;
    if (isFull && bibs.length > 0) break;
    bibs.push(bib);
  }
  return bibs;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * How long to wait after so many failures in a row: longer each time, and not the same as others that
 * failed together.
 */
export function waitMs(failures: number, retryAfterSeconds = 0): number {
  const mostMs = Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** failures);
  const jitterMs = SHORTEST_WAIT_MS + Math.random() * (mostMs - SHORTEST_WAIT_MS);
  return retryAfterSeconds > 0 ? retryAfterSeconds * 1_000 + Math.random() * 1_000 : jitterMs;
}
