import { CONTESTED_GRACE_MS } from '../gate/pace.ts';
import type { Turn } from '../gate/turns.ts';

/**
 * A thousand rows of an export, which keep the processor busy for a millisecond. A timer between two pieces would take a
 * third of that again, and nobody waits less for it.
 */
const PIECE_LENGTH = 32_768;

/** A client that takes longer to read its answer sees it break off. */
export const ANSWER_BUDGET_MS = 120_000;

type Streaming = {
  /**
   * Gives back what the text is made of. It is called when the text is complete or fails, the client stops reading or
   * its time is over.
   */
  release: () => void;
  /** Lasts until the text is read. */
  turn?: Turn | undefined;
  /** Waits until the sender's other answers let this one make its next piece. */
  nextPiece?: () => Promise<Turn>;
};

/**
 * Writes a text while the client reads it, because a long one does not fit into memory. Other requests go on between
 * its pieces. A client that reads slowly gives its turn up, and its answer breaks off, if another request waits for it.
 */
export function streamText(
  texts: Iterator<string, void> | AsyncIterator<string, void>,
  { release, turn, nextPiece }: Streaming,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const { promise: givenUp, resolve: giveWay } = Promise.withResolvers<void>();
  /** Since when the client has a piece to read. */
  let writtenAtMs = Number.POSITIVE_INFINITY;
  turn?.keepFor({ isSlow: () => Date.now() - writtenAtMs > CONTESTED_GRACE_MS, giveWay });
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
      // The request that needs the place is another one: this goes on in its own.
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
