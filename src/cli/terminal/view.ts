import { basename } from 'node:path';
import * as z from 'zod/mini';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Reading } from '../files/race-file.ts';
import type { ReadFile } from '../files/reading.ts';
import type { Difference, Open } from '../queue/difference.ts';
import { comparedText, type Entry, type holderOf } from '../queue/folder.ts';
import { bibOf, reasonOf } from '../queue/item.ts';
import type { Store } from '../queue/store.ts';
import { version } from '../version.ts';
import { isText, type Key, localTime, named, say } from '../words.ts';
import { minutesSince } from './course.ts';
import type { Official } from './official.ts';
import type { Sender } from './senders.ts';

/** The reason to hold back a version of a file, in a few words and in sentences. */
export type Stop = {
  short: string;
  text: string;
  /** The answers on the page. `added`, `no_results` and the lists hold back no further rows. */
  answer: keyof typeof ANSWERS;
  /** Stored when a person says the file is right. */
  reading?: Reading;
};

/** The last reading of a file. */
export type Source = {
  read: Pick<ReadFile, 'parameters' | 'onCourse'>;
  /** The most rows so far, while the file is read in parts. */
  rows: number;
  readAt: string;
};

/** The facts of a running `watch`, apart from the rows. Without a running `watch`, few are known. */
export type Live = {
  /** Why the API cannot be reached. */
  offline?: string | undefined;
  missing?: number;
  unchangedMinutes?: number;
  isDiskFull?: boolean;
  official?: Official | null;
  senders?: readonly Sender[];
};

/** The input of `viewOf`. */
type Told = {
  difference: Difference;
  store: Pick<Store, 'request'>;
  sources: ReadonlyMap<string, Source>;
  stops: ReadonlyMap<string, Stop>;
  /** The number of files with unread changes. */
  unread: number;
  /** Whether the files and the API were looked at since the start. */
  isCompared: boolean;
  live: Live;
};

/** The worst comes first. */
const STATES = ['STOPPED', 'OFFLINE', 'LOOK', 'READING', 'SENDING', 'QUIET', 'OK'] as const;
export type StateName = (typeof STATES)[number];

type Choice = { label: Key; entry: Entry };
/** A question for a person, with the answers. */
export type Question = { text: string; answers: Choice[] };

export type View = ReturnType<typeof viewOf>;

/** The state in the memory of a running `watch`. */
export type Shown = { view: View; open: readonly Open[]; sender: string };

/** The state of a running `watch` of this version. */
export const shownBy = (holder: Awaited<ReturnType<typeof holderOf>>): Shown | undefined =>
  typeof holder === 'object' && holder.version === version()
    ? z.custom<Shown | undefined>().parse(holder.live)
    : undefined;

const UNCHANGED_MINUTES = 10;

/** Stops without an effect on further rows. */
const UNREAD = new Set<Stop['answer']>(['no_results', 'added', 'list', 'list_shorter']);

/** The state of the sending, for the line of the terminal, `status` and the page. */
export function viewOf({ difference, store, sources, stops, unread, isCompared, live }: Told) {
  const { left, failed, old } = difference;
  const { offline, unchangedMinutes = 0, senders = [] } = live;
  const rejected = failed.map(rejectedOf);
  const all = [...stops, ...failingFiles(sources, rejected)];
  const isUnread = ([, { answer }]: [string, Stop]) => UNREAD.has(answer);
  const open = all.filter(isUnread).reverse();
  // The newest comes first.
  const stopped = all.filter((one) => !isUnread(one)).reverse();
  const questions = [
    ...[...stopped, ...open].map(stopQuestion),
    ...questionsOf(left),
    ...rejectedQuestion(rejected),
  ];
  const queue = store.request
    ? Math.max(store.request.rows.length, difference.send.size)
    : difference.send.size;
  const [first] = questions;
  /** The reason has a few words, or is blank. */
  const shown = (state: StateName, why = '') => ({ state, why });
  const worst = (() => {
    if (live.isDiskFull) return shown('STOPPED', say('short_disk'));
    if (stopped[0]) return shown('STOPPED', stopped[0][1].short);
    if (offline !== undefined) return shown('OFFLINE', offline);
    if (!isCompared) return shown('READING', say('reading', { count: unread }));
    if (first) return shown('LOOK', open[0]?.[1].short ?? first.text);
    if (unread > 0) return shown('READING', say('reading', { count: unread }));
    if (queue > 0) return shown('SENDING', say('sending', { count: queue }));
    if (unchangedMinutes >= UNCHANGED_MINUTES) {
      return shown('QUIET', say('state_unchanged', { unchangedMinutes }));
    }
    return shown('OK');
  })();
  const files = [...sources].map(([file, { read, rows, readAt }]) => ({
    name: basename(file),
    point: read.parameters.point ?? null,
    rows,
    on_course: read.onCourse.length,
    read_at: readAt,
    rejected: rejected.filter((row) => row.file === file).map(({ text }) => text),
  }));
  const counted = (count: 'rows' | 'on_course') =>
    files.reduce((total, file) => total + file[count], 0);
  return {
    ...worst,
    facts: {
      queue,
      isOffline: offline !== undefined,
      stopped: stopped.length,
      unread: open.length,
      left: left.length,
      rejected: rejected.length,
      old: old.length,
      on_course: counted('on_course'),
      rows: counted('rows'),
      stored: difference.stored,
      decided: difference.decided,
      missing: live.missing ?? null,
      /** The official version, if results have changed since. */
      official: live.official?.state === 'changed_since' ? live.official.version : null,
    },
    files,
    questions,
    /** Old values, held back without a question. */
    told: old.map((one) => say('told_old', { bib: comparedText(one), file: basename(one.file) })),
    senders: senders.map((one) => ({ ...one, minutes: minutesSince(one.at) })),
  };
}

export type Rejected = ReturnType<typeof rejectedOf>;

/** A row rejected by the reader or by the API, in words. */
export function rejectedOf({ key, line, code, reason, file }: Open) {
  const bib = bibOf(key) || null;
  const why = reasonOf(code, reason, bib);
  const text = line === null ? why : say('rejected', { line, bib: bib ?? '-', reason: why });
  return { key, file, line, bib, code, reason: why, text };
}

/** Files with more than half of the rows rejected. */
const failingFiles = (
  sources: ReadonlyMap<string, Source>,
  rejected: readonly Rejected[],
): [string, Stop][] =>
  [...sources].flatMap(([file, { rows }]): [string, Stop][] => {
    const count = rejected.filter((row) => row.file === file).length;
    if (count * 2 <= rows) return [];
    const short = say('short_rejected', { name: basename(file), count, rows });
    return [[file, { short, text: short, answer: 'none' }]];
  });

/** The answers to a held back version. */
const ANSWERS = {
  none: () => [],
  comes_back: () => [],
  added: () => [],
  list: () => [],
  right: (file) => [{ label: 'answer_right', entry: { type: 'reading', file } }],
  no_results: (file) => [{ label: 'answer_no_results', entry: { type: 'ignore', file } }],
  list_shorter: (file) => [{ label: 'answer_right', entry: { type: 'ignore', file } }],
  point_or_finish: (file) => [
    { label: 'answer_finish', entry: { type: 'reading', file } },
    { label: 'answer_point', entry: { type: 'reading', file, point: '' } },
  ],
} as const satisfies Record<string, (file: string) => Choice[]>;

const stopQuestion = ([file, { text, answer }]: [string, Stop]): Question => ({
  text,
  answers: [...ANSWERS[answer](file)],
});

const ROWS_IN_QUESTION = 3;

/** A question for each reason, with the first rows. */
function questionsOf(left: readonly Open[]): Question[] {
  const codes = [...new Set(left.map(({ code }) => code))];
  return codes.map((code) => {
    const open = left.filter((one) => one.code === code);
    const keys = open.map(({ key }) => key);
    const rows = open.slice(0, ROWS_IN_QUESTION).map(comparedText).join('; ');
    const more = open.length > ROWS_IN_QUESTION ? ` (${named(keys.map(bibOf))})` : '';
    const by = open.find(({ sender }) => sender !== null);
    const who = by ? ` ${say('left_by', { sender: by.sender, at: localTime(by.at ?? '') })}` : '';
    const why = leftText(code);
    const text = `${say('question_left', { count: open.length, why, rows })}${more}${who}`;
    const api: Choice = { label: 'answer_keep', entry: { type: 'decide', keys, by: 'api' } };
    const file: Choice = { label: 'answer_file', entry: { type: 'decide', keys, by: 'file' } };
    const files = (open[0]?.choices ?? []).map((one) => one.file);
    const isOne = open.every(({ choices }) => choices.length === files.length);
    if (code === 'gone') return { text, answers: [api] };
    return { text, answers: files.length > 0 && isOne ? [api] : [file, api] };
  });
}

/** Why rows are left, in the language of the computer. A newer API may have another code. */
export const leftText = (code: string): string => {
  const key = `left_${code}`;
  return isText(key) ? say(key) : code;
};

function rejectedQuestion(rejected: readonly Rejected[]): Question[] {
  const [first] = rejected;
  if (!first) return [];
  const text = say('question_rejected', { count: rejected.length, first: first.text });
  const keys = [...new Set(rejected.map(({ key }) => key))].filter((key) => key !== '');
  const entry: Entry = { type: 'decide', keys, by: 'api' };
  return [{ text, answers: keys.length > 0 ? [{ label: 'answer_seen', entry }] : [] }];
}

/** Words of equal length keep the line from moving. */
const stateWord = (state: StateName): string => say(`state_${state}`).padEnd(7);

/** The counts behind the state: `queue 7`, `left 1`. Of the empty counts, only the queue is shown. */
export const countsOf = ({ facts }: Pick<View, 'facts'>): string[] =>
  COUNTED.filter((name) => name === 'queue' || (facts[name] !== 0 && facts[name] !== null)).map(
    (name) => say(`count_${name}`, { count: facts[name] }),
  );

/** A line within the width: the state, the clock, the counts, and a part of the reason. */
export function lineOf(view: View, clock: string, columns: number): string {
  const { state, why, facts } = view;
  const offline = facts.isOffline && state !== 'OFFLINE' ? [say('state_OFFLINE')] : [];
  const [queue = '', ...counts] = countsOf(view);
  let line = [stateWord(state), clock, ...offline, queue].join('  ');
  // The reason of a stop, or a question for a person, is worth more than the counts.
  const room = state === 'STOPPED' ? columns - line.length : state === 'LOOK' ? SHORT_WHY : 0;
  const reserved = Math.min(why.length + 2, room);
  for (const part of counts) {
    if (line.length + 2 + part.length + reserved <= columns) line += `  ${part}`;
  }
  const left = columns - line.length - 2;
  if (why === '' || left < SHORTEST_WHY) return line;
  return `${line}  ${why.length > left ? `${why.slice(0, left - 1)}…` : why}`;
}

const [SHORTEST_WHY, SHORT_WHY] = [8, 32];

/** The counts behind the state, the most urgent count first. */
const COUNTED = [
  'queue',
  'stopped',
  'unread',
  'left',
  'rejected',
  'official',
  'rows',
  'on_course',
  'missing',
  'old',
] as const;

export const needsPerson = (state: StateName): boolean => state === 'STOPPED' || state === 'LOOK';

/** The exit code of a state, for scripts. */
export const exitCodeOf = ({ state, facts }: Pick<View, 'state' | 'facts'>): ExitCode => {
  if (state === 'STOPPED' || facts.unread + facts.left > 0) return EXIT.guard;
  if (state === 'OFFLINE' || facts.queue > 0) return EXIT.offline;
  return facts.rejected > 0 ? EXIT.rejected : EXIT.done;
};
