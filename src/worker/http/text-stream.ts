import { giveWay } from '../../timing-files/read/turns.ts';
import { CONTESTED_GRACE_MS } from '../gate/pace.ts';
import type { Turn } from '../gate/turns.ts';

/**
 * A thousand rows of an export, which keep the processor busy for a millisecond. A timer between two pieces would add a
 * third of a millisecond, and no request would wait less.
 */
const PIECE_LENGTH = 32_768;

/** In place of a text: concurrent requests go on. */
export const PAUSE = '';

/** The answer breaks off for a client that takes longer to read. */
export const ANSWER_BUDGET_MS = 120_000;

type Streaming = {
  /**
   * Gives back the memory of the text. Called when the text is complete or fails, the client stops reading or the time
   * is over.
   */
  release: () => void;
  /** Lasts until the text is read. */
  turn?: Turn | undefined;
  /** Waits until the sender's other answers leave room for the next piece. */
  nextPiece?: () => Promise<Turn>;
};

/**
 * Writes a text while the client reads, because a long text does not fit into memory. Other requests go on between the
 * pieces. If another request waits, a slow reader loses the turn, and the answer breaks off.
 */
export function streamText(
  texts: Iterator<string, void> | AsyncIterator<string, void>,
  { release, turn, nextPiece }: Streaming,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<void>();
  /** Since when the client has a piece to read. */
  let writtenAtMs = Number.POSITIVE_INFINITY;
  turn?.keepFor({ isSlow: () => Date.now() - writtenAtMs > CONTESTED_GRACE_MS, giveWay: giveUp });
  let timer: ReturnType<typeof setTimeout> | undefined;
  function end(): void {
    clearTimeout(timer);
    release();
    turn?.end();
  }
  return new ReadableStream({
    start(controller) {
      const breakOff = () => {
        end();
        controller.error(new Error('The client reads its answer too slowly.'));
      };
      timer = setTimeout(breakOff, ANSWER_BUDGET_MS);
      // Another request called and needs the place: `breakOff` runs in the context of this request.
      void givenUp.then(breakOff);
    },
    async pull(controller) {
      writtenAtMs = Number.POSITIVE_INFINITY;
      let text = '';
      let piece: Turn | undefined;
      try {
        piece = await nextPiece?.();
        while (text.length < PIECE_LENGTH) {
          const { done, value } = await texts.next();
          if (done) {
            if (text !== '') controller.enqueue(encoder.encode(text));
            controller.close();
            end();
            return;
          }
          text += value;
          if (value === PAUSE) await giveWay();
        }
        controller.enqueue(encoder.encode(text));
        writtenAtMs = Date.now();
      } catch (error) {
        end();
        controller.error(error);
      } finally {
        piece?.end();
      }
    },
    cancel: end,
  });
}
