/** A look at the stored rows comes after so many pauses between uploads: a correction is seen within 10 s. */
const LOOK_PAUSES = 2;
const LOOK_LEAST_MS = 2_000;
const CHECK_EVERY_MS = 90_000;
/** After an outage, the rows of several files wait. */
const NEXT_UPLOAD_MS = 500;

/** The questions of a turn to the API, apart from the rows. */
export type Turn = { isLook: boolean; isMissing: boolean; isCheck: boolean };

/**
 * Decides when `watch` sends and asks, so that a laptop needs at most 30 requests in a minute. All times come from a
 * monotonic clock.
 */
export class Turns {
  readonly #everyMs: number;
  /** Whether new rows are to be sent at once, and from when. */
  isUrgent = true;
  #readyMs = 0;
  #sendMs = 0;
  /** The end of the pause after a turn without an answer. */
  #waitedMs = 0;
  /** The time of the next check. */
  checkMs = 0;
  /** The time of the last stored results, and of the last question for missing results. */
  storedMs = 0;
  #askedMs = 0;

  constructor({ everyMs }: { everyMs: number }) {
    this.#everyMs = everyMs;
  }

  /**
   * @param lookedMs the time of the last look; undefined before the first look
   * @returns undefined before the time of the next turn
   */
  begin(nowMs: number, lookedMs = Number.NEGATIVE_INFINITY): Turn | undefined {
    const isLook = nowMs - lookedMs >= Math.max(LOOK_LEAST_MS, LOOK_PAUSES * this.#everyMs);
    const isDue = nowMs >= (this.isUrgent ? this.#readyMs : this.#sendMs);
    if (!isDue && !(isLook && nowMs >= this.#waitedMs)) return undefined;
    this.isUrgent = false;
    const isCheck = nowMs >= this.checkMs;
    // While rows are sent, the number of missing results waits for the next check.
    const isCalm = this.storedMs > this.#askedMs && this.storedMs < lookedMs;
    return { isLook, isMissing: isCheck || (isLook && isCalm), isCheck };
  }

  /** Sets the time of the next turn, after the answers to all questions of a turn. */
  answered(
    { isMissing, isCheck }: Turn,
    sent: { isSent: boolean; isMore: boolean },
    nowMs: number,
  ) {
    if (isMissing) this.#askedMs = nowMs;
    if (isCheck) this.checkMs = nowMs + CHECK_EVERY_MS;
    this.#sendMs = nowMs + Math.min(this.#everyMs, sent.isMore ? NEXT_UPLOAD_MS : this.#everyMs);
    // After a pause without uploads, new rows go at once.
    this.#readyMs = sent.isSent ? this.#sendMs : 0;
  }

  /** Sets the time of the next turn, after a turn without an answer. */
  unanswered(pauseMs: number, nowMs: number): void {
    this.#waitedMs = nowMs + pauseMs;
    this.#sendMs = this.#waitedMs;
    this.#readyMs = this.#waitedMs;
  }
}
