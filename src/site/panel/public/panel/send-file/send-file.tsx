import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OrganizationEvent } from '../api.ts';
import { textOfUploads as text } from '../formats.ts';
import { Message } from '../kit.tsx';
import { later } from '../later.tsx';
import type { Points } from '../points/points.tsx';
import type { State, Work } from './state.ts';

const ChosenFile = later(async () => (await import('../uploads/opened.ts')).ChosenFile, {
  texts: 'file',
});

/** Sends a results file: the reader chooses a file, and the steps of the chosen file follow. */
export function SendFile({ race, points }: { race: OrganizationEvent; points: Points }) {
  const [point, setPoint] = useState<string>();
  const [work, setWork] = useState<Work>();
  const [step, setStep] = useState<State['step']>('idle');
  const [message, tell] = useState('');
  const [isOver, setOver] = useState(false);
  const section = useRef<HTMLElement>(null);
  const files = useRef(0);
  useFocus(section, step);
  const isFree = step === 'idle' || step === 'done';
  const end = (reason: string) => {
    setWork(undefined);
    setStep('idle');
    tell(reason);
  };
  const look = (file: File | undefined) => {
    if (!file) return;
    if (point?.trim() === '') {
      end(text('pointMissing'));
      section.current?.querySelector<HTMLElement>('#point')?.focus();
      return;
    }
    files.current += 1;
    setWork(workOf(file, point?.trim() ?? ''));
    setStep('looking');
  };
  return (
    <section
      ref={section}
      id="send-file"
      aria-labelledby="send-title"
      class={`card stack ${isOver && isFree ? 'over' : ''}`}
      data-step={step}
      onDragEnter={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragOver={(event) => event.preventDefault()}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (isFree) look(event.dataTransfer?.files[0]);
      }}
    >
      <h2 id="send-title">{text('sendTitle')}</h2>
      {work ? (
        <ChosenFile
          key={files.current}
          race={race}
          points={points}
          work={work}
          reached={setStep}
          end={end}
        />
      ) : (
        <>
          <TimesOf point={point} choose={setPoint} />
          <Drop look={look} />
          <Message>{message}</Message>
        </>
      )}
      {step === 'looking' && <p role="status">{text('looking')}</p>}
    </section>
  );
}

/** Reads the bytes at once, before the script of the next steps has come. */
function workOf(chosen: File, point: string): Work {
  const file = chosen.arrayBuffer().then((bytes) => new File([bytes], chosen.name));
  // The next steps say that the file cannot be read.
  file.catch(() => {});
  return { name: chosen.name, point, file };
}

/** Moves the focus when the control in use is gone. */
function useFocus(section: RefObject<HTMLElement | null>, step: State['step']) {
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step)
      section.current?.querySelector<HTMLElement>('[data-focus]')?.focus();
    before.current = step;
  }, [step]);
}

/** Asks whether the times are of the finish or of a point. @param point undefined for the finish */
const TimesOf = ({
  point,
  choose,
}: {
  point: string | undefined;
  choose: (point: string | undefined) => void;
}) => (
  <div class="stack">
    <fieldset class="choices row">
      <legend class="strong">{text('timesOf')}</legend>
      <label>
        <input
          type="radio"
          name="times"
          checked={point === undefined}
          onChange={() => choose(undefined)}
        />
        <span>{text('timesOfFinish')}</span>
      </label>
      <label>
        <input
          type="radio"
          name="times"
          checked={point !== undefined}
          onChange={() => choose('')}
        />
        <span>{text('timesOfPoint')}</span>
      </label>
    </fieldset>
    {point !== undefined && (
      <div class="field">
        <label for="point" class="strong">
          {text('pointName')}
        </label>
        <input
          id="point"
          class="input"
          list="points"
          maxLength={POINT_LENGTH_MAX}
          autocomplete="off"
          aria-describedby="point-hint"
          value={point}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
        />
        <p id="point-hint" class="hint">
          {text('pointHint')}
        </p>
      </div>
    )}
  </div>
);

function Drop({ look }: { look: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div class="drop stack">
      <p>{text('sendLead')}</p>
      <input
        ref={input}
        id="file"
        class="unseen"
        type="file"
        accept=".csv,.txt,.tsv,.xlsx"
        tabIndex={-1}
        aria-label={text('chooseFile')}
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          currentTarget.value = '';
          look(chosen);
        }}
      />
      <p class="row">
        <button
          type="button"
          id="choose-file"
          class="button primary"
          data-focus
          onClick={() => input.current?.click()}
        >
          {text('chooseFile')}
        </button>{' '}
        <span class="hint">{text('orDrop')}</span>
      </p>
    </div>
  );
}
