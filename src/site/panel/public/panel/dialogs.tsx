import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from './formats.ts';
import { Message, useAttempt } from './kit.tsx';

/** A question before something is changed. */
interface Question {
  title: string;
  /** The name of the changing thing. */
  name: string;
  /** The prefix or the number of the thing, if any. */
  code?: string;
  facts?: string;
  /** Why the change may come too early: the first sentence. The button then has no strong colour. */
  early?: string;
  /** The effect, in a sentence. */
  what: string;
  /** The line above the points. */
  intro?: string;
  points?: readonly string[];
  after: string;
  /** The text of the button. */
  accept: string;
  isDanger?: boolean;
  /** Makes the change. Throws a Failure, which the question shows. */
  work: () => Promise<unknown>;
  /** Runs after the change, when the question has closed. */
  done?: () => unknown;
  /** The meaning of a missing answer. */
  unsure: string;
}

const place = document.body.appendChild(document.createElement('div'));

let asked = 0;

/** Asks the reader. Only a single question is open. */
export function askToConfirm(question: Question) {
  asked += 1;
  render(<Confirm key={asked} id={asked} question={question} />, place);
}

export const closeConfirmation = () => render(null, place);

/** Closes a question, unless a later question has replaced the question. */
const close = (id: number) => id === asked && closeConfirmation();

function Confirm({ id, question }: { id: number; question: Question }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { attempt, isBusy, message } = useAttempt(question.unsure);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // The focus returns to the control behind the question.
    return () => shown?.close();
  }, []);
  const accept = () =>
    attempt(async () => {
      await question.work();
      close(id);
      question.done?.();
    });
  return (
    <dialog
      ref={dialog}
      id="confirm-dialog"
      class="small"
      aria-labelledby="confirm-title"
      aria-describedby="confirm-effect"
      onClose={() => close(id)}
    >
      <div class="dialog-head">
        <h2 id="confirm-title">{question.title}</h2>
      </div>
      <div class="dialog-body stack">
        <p class="card subject row soft">
          <strong id="confirm-name">{question.name}</strong>
          {question.code && <code>{question.code}</code>}
          {question.facts && <span id="confirm-facts">{question.facts}</span>}
        </p>
        <Effect {...question} />
      </div>
      <div class="dialog-foot stack">
        <Message>{message}</Message>
        <div class="actions row">
          <button
            type="button"
            id="confirm-cancel"
            class="button"
            autofocus
            onClick={() => close(id)}
          >
            {text('cancel')}
          </button>
          <button
            type="button"
            class={`button ${question.isDanger ? 'danger-fill' : question.early ? '' : 'primary'}`}
            aria-busy={isBusy || undefined}
            onClick={accept}
          >
            {question.accept}
          </button>
        </div>
      </div>
    </dialog>
  );
}

const Effect = ({ early, what, intro, points = [], after, isDanger }: Question) => (
  <div id="confirm-effect" class="stack">
    {early && <p class="strong">{early}</p>}
    <p>{what}</p>
    {points.length > 0 && (
      <>
        <p class="strong">{intro}</p>
        <ul class={`stops ${isDanger ? 'danger' : ''}`}>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </>
    )}
    <p>{after}</p>
  </div>
);
