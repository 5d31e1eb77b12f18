import { byId } from '../shared/dom.ts';
import {
  type Api,
  Failure,
  type Known,
  type OfficialResults,
  type OrganizationEvent,
  type Runner,
  SessionEnded,
} from './api.ts';
import { text } from './formats.ts';

/** The stored result of a runner and the ways to correct it, in the row of the runner. */
export interface RunnerDetails {
  readonly place: HTMLElement;
  /** Takes what the runner is now. What somebody typed stays, and is told if it is about an earlier version. */
  fill(now: Runner): void;
  /** Loads the history and writes the result into the form. */
  show(): void;
  /** What is typed and not stored, by the names of the fields. */
  typed(): Readonly<Record<string, string>>;
  /** Types it again. */
  type(typed: Readonly<Record<string, string>>): void;
}

/** What the list of runners does for the details of one. */
export interface AfterChange {
  /** After the reader has changed the result or its name. */
  own(): Promise<void>;
  /** After somebody else has: loads what the runner is now. */
  others(): Promise<void>;
}

/** The parts that few readers open first: they load when the page stands. */
export interface Parts {
  readonly keys: {
    render(): void;
    /** Loads the keys. */
    refresh(): Promise<void>;
    resetForm(): void;
    clear(): void;
  };
  readonly official: {
    /** Shows the official versions, the last one first. */
    render(race: OrganizationEvent, versions: readonly OfficialResults[]): void;
    /** Asks whether to make one, and makes it. `reload` loads the versions then. */
    askToMake(race: OrganizationEvent, reload: () => Promise<void>): void;
  };
  createRunnerDetails(page: Page, race: string, opened: Runner, after: AfterChange): RunnerDetails;
  readonly race: {
    render(race: OrganizationEvent): void;
    clear(): void;
  };
}

/** The page around a view. */
export interface Page {
  /** The reader, in the panel of the organization. */
  userId(): string;
  /** Runs a request of the session. Throws a Failure or SessionEnded. */
  run<Answer>(request: (api: Api) => PromiseLike<Answer>): Promise<Known<Answer>>;
  /** Loads what the view shows. */
  refresh(): Promise<void>;
  /** Those that are loaded. */
  parts(): Parts | undefined;
  /** Throws a Failure. */
  loadParts(): Promise<Parts>;
  /** The last official version of the race; null without one, and undefined until it is known. */
  lastOfficial(): OfficialResults | null | undefined;
}

const TOAST_MS = 8_000;

const toast = byId('toast', HTMLElement);

let toastEnd: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for some seconds. An empty one, with which work begins, leaves it. */
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
 * @param unsure what it means that no answer came
 * @param refused what it means that the API refused, before its sentence
 */
export function wordsOf({ kind, detail }: Failure, unsure?: string, refused = text('refusedWith')) {
  if (kind === 'unreachable' && unsure) return unsure;
  if (kind === 'refused' && detail) return `${refused} ${detail}`;
  return kind === 'notFound' ? text('gone') : text(`failures.${kind}`);
}

/** Shows a message in a paragraph. Without a message, hides the paragraph. */
export function say(place: HTMLElement, message: string = '') {
  if (place.textContent !== message) place.textContent = message;
  place.hidden = message === '';
}

/**
 * Runs the request of a control, one at a time, and says why it failed. The busy control stays focusable.
 * @param unsure what it means that no answer came
 * @param refused what it means that the API refused, before its sentence
 */
export async function attempt(
  control: Element,
  tell: (message: string) => void,
  work: () => Promise<void>,
  unsure?: string,
  refused?: string,
) {
  if (control.getAttribute('aria-busy') === 'true') return;
  control.setAttribute('aria-busy', 'true');
  tell('');
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SessionEnded)) tell(wordsOf(failureIn(error), unsure, refused));
  } finally {
    control.removeAttribute('aria-busy');
  }
}
