import { type ComponentChildren, type ComponentProps, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DOT } from '../shared/dom.ts';
import { type Api, type Known, LateFailure, type OrganizationEvent, SessionEnded } from './api.ts';
import { text } from './formats.ts';
import { failureIn, wordsOf } from './page.ts';

/** A component's view of the page around. */
export interface Session {
  /** The reader, in the panel of the organization. */
  readonly userId: string;
  /** Runs a request of the session. Throws a Failure or SessionEnded. */
  run<Answer>(request: (api: Api) => PromiseLike<Answer>): Promise<Known<Answer>>;
  /** Loads the content of the view. */
  refresh(): Promise<void>;
  /** Tells the page that the view shows the thing in the address. */
  shown(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/**
 * The session, for a component below the sign-in. `run` drops each answer after the component has gone: a component of
 * a race has the key of the race, so an answer for a race never reaches the next race.
 */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new SessionEnded();
  const isGone = useRef(false);
  useLayoutEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const run: Session['run'] = (request) =>
    session.run(request).then(
      (answer) => {
        if (isGone.current) throw new SessionEnded();
        return answer;
      },
      (error) => {
        const isLate = isGone.current && !(error instanceof SessionEnded);
        throw isLate ? new LateFailure() : error;
      },
    );
  return { ...session, run };
}

/**
 * Runs the work of a control, a work at a time, and shows the reason of a failure.
 * @param unsure the meaning of a missing answer
 * @param told shows the reason of a failure; by default `message` does
 */
export function useAttempt(unsure?: string, told?: (message: string) => void) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const tell = told ?? setMessage;
  async function attempt(work: () => Promise<unknown>) {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    tell('');
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SessionEnded)) tell(wordsOf(failureIn(error), unsure));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  }
  return { attempt, isBusy, message, tell };
}

/** Loads values in turn. Only the answer to the latest request counts. */
export function useLatest() {
  const asked = useRef(0);
  const [message, tell] = useState('');
  async function latest<Answer>(work: () => Promise<Answer>, take: (answer: Answer) => void) {
    asked.current += 1;
    const mine = asked.current;
    const isLatest = () => mine === asked.current;
    try {
      const answer = await work();
      if (!isLatest()) return;
      tell('');
      take(answer);
    } catch (error) {
      if (!(error instanceof SessionEnded) && isLatest()) tell(wordsOf(failureIn(error)));
    }
  }
  /** The requested value is out of date. */
  const drop = () => {
    asked.current += 1;
  };
  return { latest, message, drop };
}

/** Whether the reader sees a component. */
const IsShown = createContext(true);

/**
 * Runs when the reader sees the component, and again whenever `about` changes while the reader sees the component. The
 * work does not wait for a paint: the next answer may have come already.
 */
export function useWhenShown(work: () => unknown, about: readonly unknown[]) {
  const isShown = useContext(IsShown);
  useLayoutEffect(() => void (isShown && work()), [isShown, ...about]);
}

/** Names the page after a view while the reader sees the view. */
export const useTitle = (title: string) =>
  useWhenShown(() => {
    document.title = title;
  }, [title]);

/** Tells the page when a view shows the thing in the address. */
export function useShown(isLoaded: boolean) {
  const isShown = useContext(IsShown);
  const session = useContext(SessionContext);
  useLayoutEffect(() => {
    if (isLoaded && isShown) session?.shown();
  }, [isLoaded, isShown, location.search]);
}

/** Runs again and again while the reader sees the component. */
export function useEvery(milliseconds: number, work: () => unknown) {
  const isShown = useContext(IsShown);
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!isShown) return;
    const timer = setInterval(() => void (document.hidden || latest.current()), milliseconds);
    return () => clearInterval(timer);
  }, [isShown, milliseconds]);
}

/** Makes a part of the page when the reader first opens the part. Later the part may be hidden, and keeps its state. */
export function Kept({ isShown, children }: { isShown: boolean; children: ComponentChildren }) {
  const isMade = useRef(false);
  isMade.current ||= isShown;
  const isAround = useContext(IsShown);
  return isMade.current ? (
    <div class="kept" hidden={!isShown}>
      <IsShown.Provider value={isShown && isAround}>{children}</IsShown.Provider>
    </div>
  ) : null;
}

/** A part under a line that opens. */
export function Fold({
  id,
  title,
  value = '',
  look,
  isOpen: isOpenFirst = false,
  children,
}: {
  id: string;
  title: string;
  /** What is set beneath the line. */
  value?: string;
  /** The classes of the line. */
  look?: string;
  isOpen?: boolean;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <details id={id} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class={look}>
        <span>{title}</span>
        {value && <span class="soft">{DOT + value}</span>}
      </summary>
      <Kept isShown={isOpen}>{children}</Kept>
    </details>
  );
}

/**
 * Loads a value when the reader sees the component, and again whenever `about` changes. Until then the earlier value
 * stays.
 * @returns the value, undefined before the loading, and the reason of a failed loading
 */
export function useLoaded<Value>(load: () => Promise<Value>, about: readonly unknown[]) {
  const [value, setValue] = useState<Value>();
  const { latest, message } = useLatest();
  const reload = () => latest(load, (loaded) => setValue(() => loaded));
  useWhenShown(reload, about);
  return { value, setValue, reload, message };
}

type Page<Item> = { data: Item[]; meta: { total: number; total_pages: number } };

/**
 * A list in pages: the first page when the reader sees the list, and again whenever `about` changes. New items move
 * older items to the next page, so no item is listed twice.
 */
export function usePages<Item>(
  load: (page: number) => Promise<Page<Item>>,
  keyOf: (item: Item) => string,
  about: readonly unknown[],
) {
  const [items, setItems] = useState<readonly Item[]>();
  const [pages, setPages] = useState({ shown: 0, total: 0 });
  const { latest, message } = useLatest();
  const read = (number: number) =>
    latest(
      () => load(number),
      ({ data, meta }) => {
        const isNew = new Set(data.map(keyOf));
        setItems((known = []) => {
          const others = known.filter((item) => !isNew.has(keyOf(item)));
          return number === 1 ? [...data, ...others] : [...others, ...data];
        });
        setPages(({ shown }) => ({ shown: Math.max(shown, number), total: meta.total_pages }));
      },
    );
  useWhenShown(() => read(1), about);
  const more = pages.shown < pages.total ? () => read(pages.shown + 1) : undefined;
  return { items, more, message };
}

/** A field that tells the browser the fault of its value. The browser says so when the form is sent. */
export function ValidInput({
  problem,
  isSelected = false,
  ...rest
}: ComponentProps<'input'> & { problem: string; isSelected?: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.setCustomValidity(problem), [problem]);
  useLayoutEffect(() => {
    if (isSelected) field.current?.select();
  }, []);
  return <input {...rest} ref={field} />;
}

/** The properties of a component that changes a race. `changed` takes the race after the change. */
export type RaceSetting = { race: OrganizationEvent; changed: (race: OrganizationEvent) => void };

/** Values to choose from. The choice keeps its value until the API has answered. */
export function SettledChoice<Value extends string>({
  name,
  title,
  hint,
  values,
  value,
  wordsOf: words,
  choose,
}: {
  name: string;
  title: string;
  hint: string;
  values: readonly Value[];
  value: Value;
  wordsOf: (value: Value) => string;
  choose: (value: Value) => Promise<unknown>;
}) {
  const { attempt, isBusy, message } = useAttempt();
  return (
    <fieldset class="choices" aria-busy={isBusy || undefined}>
      <legend class="strong">{title}</legend>
      {values.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            checked={one === value}
            onChange={({ currentTarget }) => {
              currentTarget.checked = one === value;
              void attempt(() => choose(one));
            }}
          />
          <span>{words(one)}</span>
        </label>
      ))}
      <p class="hint">{hint}</p>
      <Message>{message}</Message>
    </fieldset>
  );
}

/** A form whose sending does some work. @param isBusy whether earlier work still runs */
export const WorkForm = ({
  isBusy,
  work,
  ...rest
}: ComponentProps<'form'> & { isBusy: boolean; work: () => unknown }) => (
  <form
    {...rest}
    aria-busy={isBusy || undefined}
    onSubmit={(event) => {
      event.preventDefault();
      void work();
    }}
  />
);

/** Why something failed. */
export const Message = ({ children }: { children: string }) =>
  children === '' ? null : (
    <p class="notice" role="alert">
      {children}
    </p>
  );

/** Shows the next page of a list, if any. */
export const More = ({ onClick }: { onClick: (() => unknown) | undefined }) =>
  onClick ? (
    <button type="button" class="button" onClick={onClick}>
      {text('showMore')}
    </button>
  ) : null;

/** Numbers with their names. */
export const Figures = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="figures">
    {of.map(([name, count]) => (
      <div key={name} class={count === 0 ? 'none' : ''}>
        <dt>{name}</dt>
        <dd>{typeof count === 'number' ? text('number', { value: count }) : count}</dd>
      </div>
    ))}
  </dl>
);

/** A small button of a row. `name` names the row. */
export const RowButton = ({
  name,
  children,
  ...rest
}: {
  name: string;
  children: ComponentChildren;
  onClick: () => unknown;
  'aria-expanded'?: boolean;
  class?: string;
}) => (
  <button {...rest} type="button" class={`button minor ${rest.class ?? ''}`} aria-label={name}>
    {children}
  </button>
);
