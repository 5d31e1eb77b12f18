/** A text cut to a length. Half of a surrogate pair at the cut becomes U+FFFD, so that the text can be sent. */
export const cutTo = (length: number, text: string): string =>
  text.length > length ? text.slice(0, length).toWellFormed() : text;

const QUOTED_MAX = 60;

/** A text in quotes, as errors show it. A long text is cut, and its quote is closed. */
export const quoted = (text: string): string => JSON.stringify(cutTo(QUOTED_MAX, text.trim()));

/** V8 copies shorter texts when it cuts them out of another one. */
const COPIED_LENGTH_MAX = 12;

/** A copy of a text. A cell is a view of the text around it, and would keep all of that in memory. */
export const copied = (text: string): string =>
  text.length > COPIED_LENGTH_MAX ? JSON.parse(JSON.stringify(text)) : text;
