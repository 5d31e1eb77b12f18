import { basename } from 'node:path';
import * as z from 'zod/mini';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { bibOf, pointOf, reasonOf, shortText } from '../queue/item.ts';
import type { Entry } from '../queue/queue.ts';
import { decisionOf, isDisputed, saidOf, Why, whyAsked } from '../queue/record.ts';
import { knownOf, type RaceState, type Stop, type Tally } from '../queue/state.ts';
import { type Key, named, say } from '../words.ts';
import { minutesSince } from './course.ts';
import { Official } from './official.ts';
import { Sender } from './senders.ts';

/** What a running `watch` knows beside the state on the disk. */
export const Live = z.object({
  offline: z.nullable(z.string()),
  missing: z.nullable(z.int()),
  unchangedMinutes: z.int(),
  isDiskFull: z.boolean(),
  official: z.nullable(Official),
  senders: z.array(Sender),
});
export type Live = z.infer<typeof Live>;

/** Nobody watches the folder. */
export const ALONE: Live = {
  offline: null,
  missing: null,
  unchangedMinutes: 0,
  isDiskFull: false,
  official: null,
  senders: [],
};

type FileStop = [file: string, stop: Stop];

/** The worst comes first. */
export type StateName = 'STOPPED' | 'OFFLINE' | 'LOOK' | 'QUIET' | 'OK';

type Answer = { label: Key; entry: Entry };
/** Something that waits for a person, with the answers. */
export type Question = { text: string; answers: Answer[] };

export type View = ReturnType<typeof viewOf>;

const UNCHANGED_MINUTES = 10;

/** Where the sending stands, for the line of the terminal, `status` and the page. */
export function viewOf(state: RaceState, counts: Tally, live: Live) {
  const all = [...state.stops, ...failingFiles(state, counts)];
  const isUnread = ([, { answer }]: FileStop) => UNREAD.has(answer);
  const unread = all.filter(isUnread).reverse();
  // The newest comes first.
  const stops = all.filter((one) => !isUnread(one)).reverse();
  const questions = [...[...stops, ...unread].map(stopQuestion), ...questionsOf(state, counts)];
  const isQuiet = live.unchangedMinutes >= UNCHANGED_MINUTES;
  const [first] = questions;
  /** The reason is in a few words, and blank if there is none. */
  const shown = (name: StateName, why = '') => ({ state: name, why });
  const worst = live.isDiskFull
    ? shown('STOPPED', say('short_disk'))
    : stops[0]
      ? shown('STOPPED', stops[0][1].short)
      : live.offline !== null
        ? shown('OFFLINE', live.offline)
        : first
          ? shown('LOOK', unread[0]?.[1].short ?? first.text)
          : isQuiet
            ? shown('QUIET', say('state_unchanged', live))
            : shown('OK');
  return {
    ...worst,
    facts: {
      queue: counts.queue,
      isOffline: live.offline !== null,
      stopped: stops.length,
      unread: unread.length,
      held_back: counts.heldBack.length,
      disputed: counts.disputed.length,
      rejected: counts.rejected.length,
      unfiled: counts.unfiled.length,
      on_course: counts.onCourse,
      rows: counts.rows,
      held: counts.held.length,
      missing: live.missing,
      /** The official version since which results have changed. */
      official: live.official?.state === 'changed_since' ? live.official.version : null,
    },
    files: [...state.sources].map(([file, source]) => ({
      name: basename(file),
      point: source.point,
      rows: source.rows,
      on_course: source.onCourse,
      read_at: source.readAt,
      ...(counts.files.get(file) ?? { stored: 0, waiting: 0 }),
      rejected: counts.rejected.filter((row) => row.file === file).map(rejectedText),
    })),
    questions,
    senders: live.senders.map((one) => ({ ...one, minutes: minutesSince(one.at) })),
  };
}

/** All else is sent meanwhile. */
const UNREAD = new Set<Stop['answer']>(['no_results', 'list', 'list_shorter']);

/** Files of which most rows are rejected. */
const failingFiles = ({ sources }: RaceState, { rejected }: Tally): FileStop[] =>
  [...sources].flatMap(([file, { rows }]): FileStop[] => {
    const count = rejected.filter((row) => row.file === file).length;
    if (count * 2 <= rows) return [];
    const short = say('short_rejected', { name: basename(file), count, rows });
    return [[file, { short, text: short, answer: 'none' }]];
  });

function stopQuestion([file, { text, answer }]: FileStop): Question {
  const entry: Entry = { type: 'reading', file };
  const answers: Record<Stop['answer'], Answer[]> = {
    none: [],
    right: [{ label: 'answer_right', entry }],
    no_results: [{ label: 'answer_no_results', entry: { type: 'ignore', files: [file] } }],
    list: [],
    list_shorter: [{ label: 'answer_right', entry: { type: 'ignore', files: [file] } }],
    point_or_finish: [
      { label: 'answer_finish', entry },
      { label: 'answer_point', entry: { ...entry, point: '' } },
    ],
  };
  return { text, answers: answers[answer] };
}

/** All that waits for a person beside stopped versions. */
function questionsOf(state: RaceState, counts: Tally): Question[] {
  const { heldBack, disputed, unfiled, unseen } = counts;
  const open = [...heldBack, ...disputed];
  const questions = Why.options.flatMap((why): Question[] => {
    const keys = open.filter((key) => whyAsked(knownOf(state, key)) === why);
    const [only = ''] = keys;
    if (keys.length === 0) return [];
    const bibs = keys.length === 1 ? comparedText(state, only) : named(keys.map(bibOf));
    const label = isDisputed(knownOf(state, only)) ? 'answer_resend' : 'answer_file';
    const answers: Answer[] = [
      { label, entry: { type: 'release', keys } },
      { label: 'answer_keep', entry: { type: 'keep', keys } },
    ];
    return [{ text: say(`question_${why}`, { count: keys.length, bibs }), answers }];
  });
  for (const bib of unfiled) {
    const { stored, standing } = knownOf(state, bib);
    // It is being removed.
    if (stored === null || standing.is !== 'gone') continue;
    const file = basename(standing.from);
    questions.push({
      text: say('question_unfiled', { bib, result: shortText(stored), file }),
      answers: [
        { label: 'answer_remove', entry: { type: 'remove', bib } },
        { label: 'answer_keep', entry: { type: 'keep', keys: [bib] } },
      ],
    });
  }
  const [row] = unseen;
  if (!row) return questions;
  const text = say('question_rejected', { count: unseen.length, first: rejectedText(row) });
  return [...questions, { text, answers: [{ label: 'answer_seen', entry: { type: 'seen' } }] }];
}

/** A bib, what the API holds of it, and what the file says. */
export function comparedText(state: RaceState, key: string): string {
  const known = knownOf(state, key);
  const point = pointOf(key);
  return say('compared', {
    bib: point === undefined ? key : `${bibOf(key)} ${point}`,
    held: shortText(decisionOf(known)?.text ?? known.stored),
    file: shortText(saidOf(known)?.text),
  });
}

/** Why a row is rejected, and where it stands. */
export const rejectedText = (row: Tally['rejected'][number]): string => {
  const reason = reasonOf(row.code, row.reason, row.bib);
  return row.line === null ? reason : say('rejected', { ...row, bib: row.bib ?? '-', reason });
};

/** Words of one length, so that the line does not move. */
const stateWord = (state: StateName): string => say(`state_${state}`).padEnd(7);

/** What stands behind the state: `queue 7`, `held 1`. Only the queue is said if it is empty. */
export const countsOf = ({ facts }: View): string[] =>
  COUNTED.filter((name) => name === 'queue' || (facts[name] !== 0 && facts[name] !== null)).map(
    (name) => say(`count_${name}`, { count: facts[name] }),
  );

/** One line that fits: the state, the clock, the counts, and as much of the reason as there is room for. */
export function lineOf(view: View, clock: string, columns: number): string {
  const { state, why, facts } = view;
  const offline = facts.isOffline && state !== 'OFFLINE' ? [say('state_OFFLINE')] : [];
  const [queue = '', ...counts] = countsOf(view);
  let line = [stateWord(state), clock, ...offline, queue].join('  ');
  // What stops everything is worth more than the counts.
  const reserved = state === 'STOPPED' ? Math.min(why.length + 2, columns - line.length) : 0;
  for (const part of counts) {
    if (line.length + 2 + part.length + reserved <= columns) line += `  ${part}`;
  }
  const room = columns - line.length - 2;
  if (why === '' || room < SHORTEST_WHY) return line;
  return `${line}  ${why.length > room ? `${why.slice(0, room - 1)}…` : why}`;
}

const SHORTEST_WHY = 8;

/** What stands behind the state, the most urgent first. */
const COUNTED = [
  'queue',
  'stopped',
  'unread',
  'held_back',
  'disputed',
  'unfiled',
  'rejected',
  'official',
  'rows',
  'on_course',
  'missing',
  'held',
] as const;

export const needsPerson = (state: StateName): boolean => state === 'STOPPED' || state === 'LOOK';

/** The exit code of a state, for scripts. */
export const exitCodeOf = ({ state, facts }: Pick<View, 'state' | 'facts'>): ExitCode => {
  const isOpen = facts.unread + facts.held_back + facts.disputed + facts.unfiled > 0;
  if (state === 'STOPPED' || isOpen) return EXIT.guard;
  if (state === 'OFFLINE') return EXIT.offline;
  return facts.rejected > 0 ? EXIT.rejected : EXIT.done;
};
