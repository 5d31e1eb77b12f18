import { randomUUID } from 'node:crypto';
import { mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, EXIT } from './exit-codes.ts';
import {
  codeOf,
  Decision,
  Entry,
  JournalError,
  LineFile,
  parseLine,
  readLines,
  syncFolder,
  type UnreadableRow,
} from './journal.ts';
import { textOf } from './result-row.ts';

export const JOURNAL_FILE = 'journal.jsonl';
/** Where commands leave decisions while another process has the journal. */
const DECISIONS_FILE = 'decisions.jsonl';

/** A row that the API rejected. */
export type Rejection = { text: string; reason: string; code: string; at: string };

/** A batch that was sent, and whose answer has not arrived. */
type Flight = { key: string; at: string; rows: ReadonlyMap<string, string> };

/** What is known of a file or folder that rows come from. */
export type Source = {
  /** The file that was read last, and when. */
  file: string;
  header: readonly string[];
  rows: number;
  readAt: string;
  /** The row of each bib that was queued last. */
  seen: Map<string, string>;
  unreadable: readonly UnreadableRow[];
  /** What a person let pass, and for which reading. */
  accepted: { read: string; codes: readonly string[]; reason: string } | undefined;
};

/**
 * What the journal comes to. Rows are texts of `textOf`, by bib. The maps are in order: what was queued
 * first is first.
 */
export class RaceState {
  eventId: string | undefined;
  /** The newest row of each bib that waits. */
  readonly queue = new Map<string, string>();
  flight: Flight | undefined;
  /** What the API has confirmed last. */
  readonly stored = new Map<string, string>();
  readonly rejected = new Map<string, Rejection>();
  /** The rows that no file changes. */
  readonly held = new Map<string, string>();
  readonly sources = new Map<string, Source>();
  /** When the API stored a batch last. */
  lastSuccessAt: string | undefined;
  lastBatchId: string | undefined;
  /** The batches that this state folder sent. */
  readonly batches = new Set<string>();
  readonly decisions = new Set<string>();
  /** Lines that a failing disk has damaged. They are passed over: what they said is found out again. */
  damagedLines = 0;

  apply(entry: Entry): void {
    switch (entry.type) {
      case 'opened':
        this.eventId ??= entry.event;
        return;
      case 'read':
        Object.assign(this.source(entry.source), {
          file: entry.file,
          header: entry.header,
          rows: entry.rows,
          readAt: entry.at,
        });
        return;
      case 'unreadable':
        this.source(entry.source).unreadable = entry.rows;
        return;
      case 'accepted': {
        const { read, codes, reason } = entry;
        this.source(entry.source).accepted = { read, codes, reason };
        return;
      }
      case 'queued': {
        const { seen } = this.source(entry.source);
        for (const row of entry.rows) {
          const text = textOf(row);
          seen.set(row.bib_number, text);
          this.#queue(row.bib_number, text);
        }
        return;
      }
      case 'set':
      case 'released':
      case 'undone':
        this.#decide(entry);
        return;
      case 'sent':
        this.#send(entry.key, entry.at, entry.bibs);
        return;
      case 'answered':
        this.#answer(entry);
        return;
      case 'withdrawn':
        if (this.flight?.key === entry.key) this.#requeue(this.flight.rows);
        return;
      case 'retried':
        for (const bib of entry.bibs) {
          const rejection = this.rejected.get(bib);
          if (rejection && !this.queue.has(bib)) this.#queue(bib, rejection.text);
        }
    }
  }

  /** The newest row of a bib that is on its way or stored. */
  newest(bib: string): string | undefined {
    return this.queue.get(bib) ?? this.flight?.rows.get(bib) ?? this.stored.get(bib);
  }

  /** What is known of a source, which may be nothing yet. */
  source(path: string): Source {
    const known = this.sources.get(path);
    if (known) return known;
    const source: Source = {
      file: '',
      header: [],
      rows: 0,
      readAt: '',
      seen: new Map(),
      unreadable: [],
      accepted: undefined,
    };
    this.sources.set(path, source);
    return source;
  }

  /** The unreadable rows of a source, those aside whose bib got a result in another way. */
  unreadable({ seen, unreadable }: Source): UnreadableRow[] {
    return unreadable.filter(
      ({ bib }) => bib === null || seen.has(bib) || this.newest(bib) === undefined,
    );
  }

  /** All rejected rows: by the API, and before they were sent. */
  rejectedRows(): { bib: string | null; reason: string; code: string }[] {
    const byApi = [...this.rejected].map(([bib, { reason, code }]) => ({ bib, reason, code }));
    return [...byApi, ...[...this.sources.values()].flatMap((source) => this.unreadable(source))];
  }

  /** Rows that the API has not answered yet. */
  waitingCount(): number {
    return this.queue.size + (this.flight?.rows.size ?? 0);
  }

  /** The newest row of a bib goes to the end of the queue. */
  #queue(bib: string, text: string): void {
    this.queue.delete(bib);
    this.queue.set(bib, text);
    this.rejected.delete(bib);
  }

  #decide(decision: Decision): void {
    if (this.decisions.has(decision.id)) return;
    this.decisions.add(decision.id);
    switch (decision.type) {
      case 'set': {
        const bib = decision.row.bib_number;
        const text = textOf(decision.row);
        if (decision.isHeld || this.held.has(bib)) this.held.set(bib, text);
        this.#queue(bib, text);
        return;
      }
      case 'released':
        this.held.delete(decision.bib);
        // What the file says counts again, as if it were new.
        for (const { seen } of this.sources.values()) seen.delete(decision.bib);
        return;
      case 'undone':
        for (const bib of decision.bibs) this.stored.delete(bib);
    }
  }

  #send(key: string, at: string, bibs: readonly string[]): void {
    const rows = new Map<string, string>();
    for (const bib of bibs) {
      const text = this.queue.get(bib);
      if (text === undefined) continue;
      rows.set(bib, text);
      this.queue.delete(bib);
    }
    this.flight = { key, at, rows };
  }

  #answer({ key, at, batch, failed }: Extract<Entry, { type: 'answered' }>): void {
    if (this.flight?.key !== key) return;
    const failures = new Map(failed.map((one) => [one.bib, one]));
    for (const [bib, text] of this.flight.rows) {
      const failure = failures.get(bib);
      if (!failure) {
        this.stored.set(bib, text);
        this.rejected.delete(bib);
      } else if (!this.queue.has(bib)) {
        this.rejected.set(bib, { text, reason: failure.reason, code: failure.code, at });
      }
    }
    this.flight = undefined;
    if (batch === undefined) return;
    this.batches.add(batch);
    this.lastBatchId = batch;
    this.lastSuccessAt = at;
  }

  /** Rows of a batch go before all others, unless a newer row of the bib waits. */
  #requeue(rows: ReadonlyMap<string, string>): void {
    const later = [...this.queue];
    this.queue.clear();
    const isNewer = new Set(later.map(([bib]) => bib));
    for (const [bib, text] of rows) if (!isNewer.has(bib)) this.queue.set(bib, text);
    for (const [bib, text] of later) this.queue.set(bib, text);
    this.flight = undefined;
  }
}

/** The journal of a state folder and what it comes to. Only the holder of the lock may open it. */
export class Ledger {
  readonly state: RaceState;
  readonly #file: LineFile;

  private constructor(state: RaceState, file: LineFile) {
    this.state = state;
    this.#file = file;
  }

  /** @throws CliError if the folder belongs to another event, or cannot be written */
  static open(folder: string, eventId: string): Promise<Ledger> {
    return writing(folder, () => Ledger.#open(folder, eventId));
  }

  static async #open(folder: string, eventId: string): Promise<Ledger> {
    const state = new RaceState();
    const file = await LineFile.open(join(folder, JOURNAL_FILE), (line) => applyLine(state, line));
    const ledger = new Ledger(state, file);
    try {
      checkEvent(state, folder, eventId);
      if (state.eventId === undefined) {
        await ledger.record([{ type: 'opened', at: now(), event: eventId }]);
      }
      return ledger;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /**
   * Writes entries to the disk, and then applies them.
   * @throws JournalError if the disk does not take them; then nothing has changed
   */
  async record(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#file.append(entries.map((entry) => JSON.stringify(entry)));
    for (const entry of entries) this.state.apply(entry);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

function applyLine(state: RaceState, line: string): void {
  const entry = parseLine(Entry, line);
  if (entry) state.apply(entry);
  else state.damagedLines += 1;
}

function checkEvent(state: RaceState, folder: string, eventId: string): void {
  if (state.eventId === undefined || state.eventId === eventId) return;
  throw new CliError(
    EXIT.usage,
    `${folder} keeps the queue of the event ${state.eventId}, and this is the event ${eventId}. ` +
      'Give each event a state folder of its own with --state.',
  );
}

/**
 * What the journal says at this moment. Needs no lock. Where there is no journal, everything is empty.
 * @param which `all` counts decisions in that wait to be taken by the running process
 */
export async function readState(
  folder: string,
  which: 'all' | 'journal' = 'all',
): Promise<RaceState> {
  const state = new RaceState();
  await readLines(join(folder, JOURNAL_FILE), (line) => applyLine(state, line));
  if (which === 'journal') return state;
  for (const decision of await readDecisions(folder)) state.apply(decision);
  return state;
}

/** Grows with every decision. */
export async function decisionsSize(folder: string): Promise<number> {
  try {
    return (await stat(join(folder, DECISIONS_FILE))).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** All decisions that commands left in a state folder, the oldest first. */
export async function readDecisions(folder: string): Promise<Decision[]> {
  const decisions: Decision[] = [];
  await readLines(join(folder, DECISIONS_FILE), (line) => {
    const decision = parseLine(Decision, line);
    if (decision) decisions.push(decision);
  });
  return decisions;
}

type WithoutId<D> = D extends Decision ? Omit<D, 'id' | 'at'> : never;
/** A decision that a command makes. */
export type NewDecision = WithoutId<Decision>;

/**
 * Leaves a decision in the state folder. Whoever has the lock takes it from there.
 * @throws CliError if the disk does not take it
 */
export async function leaveDecision(folder: string, decision: NewDecision): Promise<Decision> {
  const left = Decision.parse({ ...decision, id: randomUUID(), at: now() });
  await writing(folder, () => appendDecision(folder, left));
  return left;
}

async function appendDecision(folder: string, left: Decision): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Several commands may write at once: each line starts behind a newline, even behind a torn line.
  const handle = await open(join(folder, DECISIONS_FILE), 'a', 0o600);
  try {
    await handle.appendFile(`\n${JSON.stringify(left)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(folder);
}

/** The disk is full, or a folder may not be written. */
export const diskProblem = (folder: string, error: unknown): CliError =>
  new CliError(
    EXIT.usage,
    `${folder} cannot be written: ${error instanceof Error ? error.message : error}. Free some space, ` +
      'or name another folder with --state. Nothing is lost: what is not in the journal is still in the file.',
    { cause: error },
  );

/** @throws CliError in place of an error of the disk */
export async function writing<T>(folder: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isDisk = error instanceof JournalError || (error instanceof Error && 'syscall' in error);
    throw isDisk ? diskProblem(folder, error) : error;
  }
}

export const now = (): string => new Date().toISOString();
