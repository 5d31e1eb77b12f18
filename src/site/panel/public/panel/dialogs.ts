import { byId, element } from '../shared/dom.ts';
import { attempt, say } from './page.ts';

/** A question before something is taken away. */
interface Question {
  title: string;
  /** What it is about. */
  name: string;
  /** Its prefix or number, if it has one. */
  code: string;
  facts: string;
  /** What happens, in a sentence. */
  what: string;
  /** The line above the points. */
  intro: string;
  points: readonly string[];
  after: string;
  /** The text of the button. */
  accept: string;
  isDanger: boolean;
  /** Throws a Failure, which is shown here. */
  work: () => Promise<void>;
  /** What it means that no answer came. */
  unsure: string;
}

const confirm = byId('confirm-dialog', HTMLDialogElement);
const accept = byId('confirm-accept', HTMLButtonElement);
const message = byId('confirm-message', HTMLElement);

export function askToConfirm({ work, unsure, isDanger, points, accept: verb, ...texts }: Question) {
  for (const [name, words] of Object.entries(texts)) {
    byId(`confirm-${name}`, HTMLElement).textContent = words;
  }
  byId('confirm-intro', HTMLElement).hidden = points.length === 0;
  byId('confirm-points', HTMLElement).replaceChildren(
    ...points.map((point) => element('li', {}, point)),
  );
  accept.textContent = verb;
  accept.onclick = () => attempt(accept, (words) => say(message, words), work, unsure);
  accept.className = `button ${isDanger ? 'danger-fill' : 'primary'}`;
  say(message);
  confirm.showModal();
  byId('confirm-cancel', HTMLButtonElement).focus();
}

export const closeConfirmation = () => confirm.close();
