import type {
  BoardFound,
  BoardRace,
  BoardResult,
  BoardSnapshot,
} from '../../../../worker/board/answer-schemas.ts';
import { byId, copyOf, DOT, element, keyed, part, write } from '../shared/dom.ts';
import { goTo, onAddress, openBibs, opening, parameter, setLink } from './address.ts';
import { fillCard, fillOthers, makeCard, otherBibs, setRaces } from './cards.ts';
import { formatGroup, text, unbroken } from './formats.ts';
import { mayConcern, runnerIntervalMs } from './interval.ts';
import { type First, Follower } from './poll.ts';
import { timeText } from './runner.ts';

/**
 * Finds runners by bib or name, and follows runners. Each runner has an address, which a cache answers for all
 * followers of the runner.
 */
const FOLLOW_MS = 60_000;

const found = byId('found', HTMLElement);
const input = byId('bib', HTMLInputElement);

/** A runner followed by the page, and the time of the last request. */
class Followed {
  readonly runner = new Follower<BoardResult>(FOLLOW_MS);
  #askedAt = 0;
  #nextAt = Infinity;
  #next: ReturnType<typeof setTimeout> | undefined;

  follow(url: string | undefined, known?: First<BoardResult>): boolean {
    const isNew = this.runner.follow(url, known);
    if (isNew) this.#askedAt = Date.now();
    return isNew;
  }

  /** Asks again so long after the last request, or earlier if that is due. */
  ask(afterMs: number): void {
    const at = this.#askedAt + afterMs;
    if (this.#nextAt <= at) return;
    clearTimeout(this.#next);
    this.#nextAt = at;
    this.#next = setTimeout(
      () => {
        this.#nextAt = Infinity;
        this.#askedAt = Date.now();
        this.runner.ask();
      },
      Math.max(0, at - Date.now()),
    );
  }
}

/** The runner with the large card. */
const first = new Followed();
/** The small cards, by bib. */
const others = new Map<string, Followed>();
const names = new Follower<BoardFound>(Infinity);

/** Somebody searched for nothing. */
let lacksText = false;
/** The reader searches, and the runner is not known yet. */
let isSought = false;
/** How much of the names the event shows. With names, a search by name is possible. */
let shownNames: BoardNames = 'none';
/** The time of the shown board's last change. */
let changedAt = '';
let shownRaces: Races = [];

/** The runner with the large card, if the server has answered. */
export const openRunner = (): BoardResult | undefined => first.runner.answer?.body;

/** The open runner and the followed runners, as far as the server has answered. */
export const followedRunners = (): BoardResult[] =>
  [first, ...others.values()].flatMap(({ runner }) => runner.answer?.body ?? []);

/** A bib or a name is searched, and the server has not answered yet. */
export const isSearching = () =>
  (first.runner.answer?.state === 'connecting' && !openRunner()) ||
  (names.answer?.state === 'connecting' && !names.answer.body);

type Races = readonly BoardRace[];
type BoardNames = BoardSnapshot['event']['board_names'];

type Options = {
  /** The address of the board's data. */
  board: string;
  /** The runners written into the page, in the order of the address. */
  known: (First<BoardResult> | undefined)[];
  /** Called when another runner, or more of a runner, is known. */
  changed: () => void;
};

export function wireSearch({ board, known, changed }: Options) {
  let isClosed = false;
  byId('search', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const wanted = input.value.trim();
    lacksText = wanted === '';
    isSought = !lacksText;
    if (lacksText) {
      goTo({ bib: undefined, find: undefined });
      input.focus();
    } else if (shownNames !== 'none' && !/\d/.test(wanted)) {
      goTo({ find: wanted, bib: undefined });
    } else {
      goTo(opening(wanted.replace(/^#\s*(?=.)/, '')));
    }
  });

  const answered = () => {
    render();
    changed();
  };

  first.runner.changed = (before) => {
    const runner = openRunner();
    answered();
    const card = found.querySelector('.result');
    const hasFinished = before?.body?.status === null && runner?.status === 'FINISHED';
    if (hasFinished) card?.classList.add('finish');
    else if (runner?.status !== 'FINISHED') card?.classList.remove('finish');
    askIfOlder(openBibs()[0] ?? '', first);
  };

  names.changed = () => {
    const answer = names.answer?.body;
    const [only] = answer?.runners ?? [];
    if (answer?.total === 1 && !answer.are_nearest && only?.bib_number)
      goTo(opening(only.bib_number), false);
    else answered();
  };

  const addressOf = (bib: string) => `${board}/bibs/${encodeURIComponent(bib)}`;
  const namesLike = (q: string) => `${board}/find?${new URLSearchParams({ q })}`;

  function followAddress(given: Options['known'] = []) {
    const bibs = isClosed ? [] : openBibs();
    const wanted = isClosed || bibs.length > 0 ? undefined : (parameter('find') ?? undefined);
    const [bib] = bibs;
    if (first.follow(bib && addressOf(bib), given[0])) {
      input.value = bib ?? wanted ?? '';
      if (bib) lacksText = false;
      found.scrollIntoView({ block: 'nearest' });
    }
    if (names.follow(wanted && namesLike(wanted)) && wanted) input.value = wanted;
    followOthers(isClosed ? [] : otherBibs(), bibs, given);
    render();
  }

  function followOthers(wanted: string[], bibs: string[], given: Options['known']) {
    for (const [bib, other] of others) {
      if (wanted.includes(bib)) continue;
      other.follow(undefined);
      others.delete(bib);
    }
    for (const bib of wanted) {
      if (others.has(bib)) continue;
      const other = new Followed();
      others.set(bib, other);
      other.runner.changed = () => {
        answered();
        askIfOlder(bib, other);
      };
      const at = bibs.indexOf(bib);
      other.follow(addressOf(bib), at < 0 ? undefined : given[at]);
    }
  }

  onAddress(() => followAddress());
  followAddress(known);
  return {
    /** Asks for the runners again when the board has changed. */
    seen(change: { names: BoardNames; changedAt: string; races: Races }) {
      const before = shownRaces;
      shownRaces = change.races;
      setRaces(change.races);
      shownNames = change.names;
      changedAt = change.changedAt;
      render();
      askFor(openBibs()[0] ?? '', first, before);
      for (const [bib, other] of others) askFor(bib, other, before);
    },
    /** Shows no runner while the board is switched off. */
    setClosed(closed: boolean) {
      if (closed === isClosed) return;
      isClosed = closed;
      followAddress();
    },
  };
}

/** The runner of a search, told once. */
export function takeSought(): BoardResult | undefined {
  const runner = isSought ? openRunner() : undefined;
  if (runner) isSought = false;
  return runner;
}

/** A cache may answer with a runner from before the shown board's change. */
function askIfOlder(bib: string, followed: Followed): void {
  const { body, state } = followed.runner.answer ?? {};
  if (state === 'current' && body && (body.changed_at ?? '') < changedAt)
    askFor(bib, followed, shownRaces);
}

/**
 * Asks again for a runner while the board changes, soon if what has changed since an earlier board may concern the
 * runner.
 */
function askFor(bib: string, followed: Followed, before: Races): void {
  const isAwaited = followed.runner.answer?.body?.status === null;
  followed.ask(runnerIntervalMs(mayConcern(bib, isAwaited, before, shownRaces)));
}

function render(): void {
  const hasNames = shownNames !== 'none';
  input.placeholder = text(hasNames ? 'nameHint' : 'bibHint');
  write(document, { 'label[for="bib"]': text(hasNames ? 'nameLabel' : 'bibLabel') });
  input.setAttribute('aria-invalid', String(lacksText));
  found.hidden = !first.runner.answer && !names.answer && !lacksText;
  fillOthers(new Map([...others].map(([bib, { runner }]) => [bib, runner.answer])));
  if (renderFound()) return;
  const message = messageOf();
  if (message !== undefined) {
    showMessage(message);
    return;
  }
  // A searched or awaited runner keeps the card, so that nothing moves when the result comes.
  if (!found.querySelector('.result')) {
    const { splits = [], status } = openRunner() ?? {};
    found.replaceChildren(makeCard(splits.length > 0 || status === 'FINISHED'));
  }
  fillCard(part(found, '.result'), openBibs()[0] ?? '', openRunner());
}

/** The text in place of a runner. */
function messageOf(): string | undefined {
  const { body, state } = first.runner.answer ?? names.answer ?? {};
  if (lacksText) return text(shownNames === 'none' ? 'bibMissing' : 'nameMissing');
  if (state === undefined || body) return body ? undefined : '';
  if (state === 'connecting') return names.answer ? text('searching') : undefined;
  if (state === 'current') return undefined;
  return state === 'offline' || state === 'failing'
    ? text(`notice.${state}`)
    : text('unknownBib', { bib: openBibs()[0] ?? '' });
}

const showMessage = (message: string) =>
  found.replaceChildren(element('p', { class: 'message soft', dir: 'auto' }, message));

/** Shows the runners of a name for a choice. @returns false until the server has answered */
function renderFound(): boolean {
  const answer = names.answer?.body;
  if (!answer) return false;
  if (answer.total === 0) {
    const kind = shownNames === 'full' ? 'full' : 'initials';
    showMessage(text(`unknownName.${kind}`, { name: parameter('find') ?? '' }));
    return true;
  }
  if (!found.querySelector('.choices')) found.replaceChildren(copyOf('choices'));
  const more = answer.total - answer.runners.length;
  write(found, {
    '.count': answer.are_nearest
      ? text('foundNearest', { name: parameter('find') ?? '' })
      : text('foundMany', { count: answer.total }),
    '.more': more > 0 ? text('foundMore', { count: more }) : '',
  });
  keyed(
    part(found, '.choices'),
    answer.runners,
    (_, index) => String(index),
    () => copyOf('choice'),
    (choice, runner) => {
      write(choice, {
        '.bib': runner.bib_number ?? '–',
        '.name': unbroken(runner.name ?? ''),
        '.clock': timeText(runner),
        '.details': [unbroken(runner.distance ?? ''), formatGroup(runner)]
          .filter(Boolean)
          .join(DOT),
      });
      const link = part(choice, 'a');
      if (runner.bib_number === null) link.removeAttribute('href');
      else setLink(link, opening(runner.bib_number));
    },
  );
  return true;
}
