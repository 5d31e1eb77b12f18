const PIECE_LENGTH = 65_536;

/** A client that takes longer to read its answer sees it break off. */
export const ANSWER_BUDGET_MS = 120_000;

/**
 * Writes a text while the client reads it, because a long one does not fit into memory.
 * @param release gives back what the text is made of. It is called when the text is complete or fails, the
 *   client stops reading or its time is over.
 */
export function streamText(
  pieces: Iterator<string, void> | AsyncIterator<string, void>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function end(): void {
    clearTimeout(timer);
    release();
  }
  return new ReadableStream({
    start(controller) {
      timer = setTimeout(() => {
        end();
        controller.error(new Error('The client reads its answer too slowly.'));
      }, ANSWER_BUDGET_MS);
    },
    async pull(controller) {
      let text = '';
      try {
        while (text.length < PIECE_LENGTH) {
          const { done, value } = await pieces.next();
          if (done) {
            if (text !== '') controller.enqueue(encoder.encode(text));
            controller.close();
            end();
            return;
          }
          text += value;
        }
        controller.enqueue(encoder.encode(text));
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel: end,
  });
}
