import type { IncomingMessage } from 'node:http';
import type { Answer } from '../documented.ts';

/** What came over HTTP, in the form in which it is held against the document. */
export const answerOf = ({ statusCode, rawHeaders }: IncomingMessage, body: string): Answer => {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return { status: statusCode ?? 0, headers, body };
};
