/** The time between two uploads, as in `Pace`. */
type Pace = { everyMs: number };

/** A look at the stored rows comes after so many pauses between uploads: a correction is seen within 10 s. */
const LOOK_PAUSES = 2;
const LOOK_LEAST_MS = 2_000;
const CHECK_EVERY_MS = 60_000;
/** After an outage, the rows of several files wait. */
const NEXT_UPLOAD_MS = 500;

/** The questions of a turn to the API, apart from the rows. */
export type Turn = { isLook: boolean; isMissing: boolean; isCheck: boolean };

/** The outcome of a turn. `waitMs` is the pause after a turn without an answer. */
export type Outcome = { isSent: boolean; isMore: boolean } | { waitMs: number };

/**
 * Decides when `watch` sends and asks, so that a laptop needs at most 30 requests in a minute. All times come from a
 * monotonic clock.
 */
export class Turns {
  readonly #everyMs: number;
  /** Whether new rows are to be sent at once. */
  isUrgent = true;
  #sendMs = 0;
  /** The time from which urgent rows go. */
  #readyMs = 0;
  /** The end of the pause after a turn without an answer. */
  #waitedMs = 0;
  #checkMs = 0;
  /** Whether results were stored since the last question for missing results, and since the last look. */
  #isMissingOld = false;
  #isSending = false;

  constructor({ everyMs }: Pace) {
    this.#everyMs = everyMs;
  }

  /** The next turn asks for everything. */
  checkSoon(): void {
    this.#checkMs = 0;
  }

  /** Notes stored results. */
  stored(): void {
    this.#isMissingOld = true;
    this.#isSending = true;
  }

  /**
   * @param lookedMs the time of the last look; undefined before the first look
   * @returns undefined before the time of the next turn
   */
  begin(nowMs: number, lookedMs: number | undefined): Turn | undefined {
    const everyMs = Math.max(LOOK_LEAST_MS, LOOK_PAUSES * this.#everyMs);
    const isLook = lookedMs === undefined || nowMs - lookedMs >= everyMs;
    const isDue = nowMs >= (this.isUrgent ? this.#readyMs : this.#sendMs);
    if (!isDue && !(isLook && nowMs >= this.#waitedMs)) return undefined;
    this.isUrgent = false;
    const isCheck = nowMs >= this.#checkMs;
    // While rows are sent, the number of missing results waits for the next check.
    const isMissing = isCheck || (isLook && this.#isMissingOld && !this.#isSending);
    if (isLook) this.#isSending = false;
    return { isLook, isMissing, isCheck };
  }

  /** The questions of a turn were answered. */
  answered({ isMissing, isCheck }: Turn, nowMs: number): void {
    if (isMissing) this.#isMissingOld = false;
    if (isCheck) this.#checkMs = nowMs + CHECK_EVERY_MS;
  }

  /** Sets the time of the next turn. */
  end(outcome: Outcome, nowMs: number): void {
    const isAnswered = 'isSent' in outcome;
    if (!isAnswered) this.#waitedMs = nowMs + outcome.waitMs;
    const calmMs = isAnswered && outcome.isMore ? NEXT_UPLOAD_MS : this.#everyMs;
    this.#sendMs = isAnswered ? nowMs + Math.min(calmMs, this.#everyMs) : this.#waitedMs;
    // After a pause without uploads, new rows go at once.
    this.#readyMs = isAnswered && !outcome.isSent ? 0 : this.#sendMs;
  }
}
