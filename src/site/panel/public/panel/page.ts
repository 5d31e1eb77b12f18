import { byId } from '../shared/dom.ts';
import { Failure } from './api.ts';
import { sentenceOfFailure, text } from './formats.ts';

const TOAST_MS = 8_000;

const toast = byId('toast', HTMLElement);

let toastEnd: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for some seconds. An empty message, at the beginning of work, keeps the message before. */
export function announce(message: string) {
  if (message === '') return;
  toast.textContent = message;
  clearTimeout(toastEnd);
  toastEnd = setTimeout(() => toast.replaceChildren(), TOAST_MS);
}

export function failureIn(error: unknown) {
  if (error instanceof Failure) return error;
  throw error;
}

/**
 * Why a request of the session failed.
 * @param unsure the meaning of a missing answer
 * @param refused the words for a refusal, before the API's sentence
 */
export function wordsOf(failure: Failure, unsure?: string, refused = text('refusedWith')) {
  const { kind, refusal } = failure;
  if (kind === 'unreachable' && unsure) return unsure;
  const said = sentenceOfFailure(failure);
  if (kind === 'refused' && said) return `${refused} ${said}`;
  if (kind === 'notFound') return (refusal && said) || text('gone');
  return text(`failures.${kind}`);
}
