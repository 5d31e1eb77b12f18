import { byId, element } from '../shared/dom.js';
import { attempt, say } from './page.js';

/**
 * A question before something is taken away.
 * @typedef {object} Question
 * @property {string} title
 * @property {string} name what it is about
 * @property {string} code its prefix or number, if it has one
 * @property {string} facts
 * @property {string} what what happens, in a sentence
 * @property {string} intro the line above the points
 * @property {readonly string[]} points
 * @property {string} after
 * @property {string} accept the text of the button
 * @property {boolean} [isDanger]
 * @property {() => Promise<void>} work throws a Failure, which is shown here
 * @property {string} unsure what it means that no answer came
 */

const confirm = byId('confirm-dialog', HTMLDialogElement);
const accept = byId('confirm-accept', HTMLButtonElement);
const message = byId('confirm-message', HTMLElement);

/** @param {Question} question */
export function askToConfirm({ work, unsure, isDanger, points, accept: verb, ...texts }) {
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
