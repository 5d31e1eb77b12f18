import type { IncomingMessage } from 'node:http';
import type { HttpAnswer } from '../documented.ts';

/** Converts an answer of `node:http` for the comparison with the document. */
export const answerOf = ({ statusCode, rawHeaders }: IncomingMessage, body: string): HttpAnswer => {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return { status: statusCode ?? 0, headers, body };
};
