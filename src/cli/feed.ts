import type { FileError } from '../timing-files/read/file-error.ts';
import { connect } from './api.ts';
import { type Changes, compareRows, type FileRows, readRows } from './changes.ts';
import type { Context } from './context.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { Snapshot } from './file-snapshot.ts';
import { changeGuards, fileGuards, type Guard, passGuards, previewGuards } from './guards.ts';
import type { Entry } from './journal.ts';
import { type Lock, takeLock } from './lock.ts';
import { plural } from './output.ts';
import { RejectedFile, rejectedCsv } from './rejected-file.ts';
import { rowIn, shortResult } from './result-row.ts';
import { Sender, type Sent } from './sender.ts';
import {
  decisionsSize,
  Ledger,
  now,
  type RaceState,
  readDecisions,
  type Source,
  writing,
} from './state.ts';

/** Rows of one line of the journal. */
const ROWS_PER_ENTRY = 500;
const BIBS_NAMED = 10;

/** A file that was read, and what it says that is new. */
export type Reading = { snapshot: Snapshot; read: FileRows; changes: Changes; guards: Guard[] };

/** What stands between files and the API: lock, journal, sender. One at a time has it. */
export class Feed {
  readonly ledger: Ledger;
  readonly #context: Context;
  readonly #lock: Lock;
  readonly #sender: Sender;
  readonly #sourceName: string;
  readonly #rejectedFile: RejectedFile;
  #last: { snapshot: Snapshot; read: FileRows } | undefined;
  /** Of the file of decisions when it was read last. */
  #decisionsSize = 0;
  /** What was said already: it is not said at every read. */
  readonly #said = new Map<string, string>();

  private constructor(context: Context, lock: Lock, ledger: Ledger, sourceName: string) {
    const { settings } = context;
    this.#context = context;
    this.#lock = lock;
    this.ledger = ledger;
    this.#sourceName = sourceName;
    this.#sender = new Sender(connect(settings, 1), settings.eventId, ledger);
    this.#rejectedFile = new RejectedFile(settings.stateDir);
  }

  /**
   * @param sourceName the file or folder that rows come from; undefined if none do
   * @throws CliError if another process is at work, or the state folder cannot be used
   */
  static async open(context: Context, sourceName: string | undefined): Promise<Feed> {
    const { stateDir, eventId } = context.settings;
    const lock = await takeLock(stateDir, { event: eventId, name: sourceName });
    try {
      const ledger = await Ledger.open(stateDir, eventId);
      const feed = new Feed(context, lock, ledger, sourceName ?? '');
      feed.#sayDamage();
      await writing(stateDir, () => feed.takeDecisions());
      return feed;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.ledger.close();
    await this.#lock.release();
  }

  get state(): RaceState {
    return this.ledger.state;
  }

  get source(): Source {
    return this.state.source(this.#sourceName);
  }

  /** Takes the decisions that other commands left. @returns whether there were any */
  async takeDecisions(): Promise<boolean> {
    const size = await decisionsSize(this.#context.settings.stateDir);
    if (size === this.#decisionsSize) return false;
    const left = await readDecisions(this.#context.settings.stateDir);
    const fresh = left.filter(({ id }) => !this.state.decisions.has(id));
    await this.ledger.record(fresh);
    this.#decisionsSize = size;
    return fresh.length > 0;
  }

  /**
   * Finds out what a file says that is new. Changes nothing.
   * @param against see `compareRows`
   * @throws FileError
   */
  examine(snapshot: Snapshot, against: 'seen' | 'newest'): Reading {
    const read = readRows(snapshot.bytes, this.#context.settings.parameters);
    const changes = compareRows(read, this.source, this.state, against);
    const guards = [
      ...fileGuards(this.#context.settings, read, this.source),
      ...changeGuards(changes, this.state),
    ];
    return { snapshot, read, changes, guards };
  }

  /** Whether the API has shown a preview of files like this one, and a person has let it pass. */
  isAccepted({ header }: FileRows): boolean {
    const { accepted, header: before } = this.source;
    const isSameReading = accepted?.read === this.#context.settings.read;
    return isSameReading && JSON.stringify(before) === JSON.stringify(header);
  }

  /** Adds what the API's preview says. @throws CliError, RaceResultsError */
  async preview(reading: Reading): Promise<{ reading: Reading; changes: number }> {
    const { snapshot, read } = reading;
    const { guards, changes } = await previewGuards(this.#context, snapshot.bytes, read);
    const known = new Set(reading.guards.map(({ code }) => code));
    const more = guards.filter(({ code }) => !known.has(code));
    return { reading: { ...reading, guards: [...reading.guards, ...more] }, changes };
  }

  /** Asks about the guards; `until` withdraws the question. @returns why they are passed; undefined if they are not */
  async pass({ guards }: Reading, until?: AbortSignal): Promise<string | undefined> {
    return guards.length === 0 ? '' : passGuards(this.#context, guards, until);
  }

  /**
   * Puts what is new into the queue.
   * @param reason why the guards were passed; blank if there were none
   * @throws JournalError if the disk does not take all of it; the next reading finds the rest
   */
  async queue({ snapshot, read, changes, guards }: Reading, reason: string): Promise<void> {
    const source = this.#sourceName;
    const bibs = [...changes.added, ...changes.changed];
    const entries: Entry[] = [];
    if (guards.length > 0 || !this.isAccepted(read)) {
      const codes = guards.map(({ code }) => code);
      const query = this.#context.settings.read;
      entries.push({ type: 'accepted', at: now(), source, read: query, codes, reason });
    }
    const { file } = snapshot;
    entries.push({
      ...{ type: 'read', at: now(), source, file, header: read.header, rows: read.total },
    });
    if (JSON.stringify(read.unreadable) !== JSON.stringify(this.source.unreadable)) {
      entries.push({ type: 'unreadable', source, rows: read.unreadable });
    }
    await this.ledger.record(entries);
    for (let at = 0; at < bibs.length; at += ROWS_PER_ENTRY) {
      const rows = bibs.slice(at, at + ROWS_PER_ENTRY).flatMap((bib) => {
        const result = read.results.get(bib);
        return result ? [rowIn(result.text)] : [];
      });
      await this.ledger.record([{ type: 'queued', source, rows }]);
    }
    this.#last = { snapshot, read };
    this.#sayAbout(changes);
    await this.writeRejected();
  }

  /** How many rows of the file that was read last are rejected. */
  rejectedCount(): number {
    const results = this.#last?.read.results;
    const byApi = [...this.state.rejected.keys()].filter((bib) => results?.has(bib));
    return byApi.length + this.state.unreadable(this.source).length;
  }

  /** Sends the next batch, and says what the API rejects. */
  async send(signal: AbortSignal): Promise<Sent> {
    const sent = await this.#sender.sendNext(signal);
    if (sent.kind !== 'answered') return sent;
    const { output } = this.#context;
    if (sent.problem !== undefined) {
      output.error(
        { type: 'counts_differ', problem: sent.problem },
        `The answer of the API does not add up: ${sent.problem}. All that is held is compared now.`,
      );
    }
    if (sent.answer === undefined || sent.answer.failed.length > 0) {
      await this.writeRejected();
      this.#sayRejected();
    }
    return sent;
  }

  /** Writes `rejected.csv`. Before a file was read, there is nothing to write it from. */
  async writeRejected(): Promise<void> {
    if (!this.#last) return;
    const { snapshot, read } = this.#last;
    const { settings, output } = this.#context;
    const unreadable = this.state.unreadable(this.source);
    const text =
      this.state.rejected.size + unreadable.length === 0
        ? undefined
        : rejectedCsv(snapshot.bytes, settings.parameters, read, {
            byApi: this.state.rejected,
            unreadable,
          });
    const { moved, problem } = await this.#rejectedFile.write(text);
    if (moved !== undefined) {
      const detail = `rejected.csv was edited by hand. Your version is kept as ${moved}.`;
      output.warning({ type: 'rejected_moved', file: moved }, detail);
    }
    if (problem !== undefined) this.#sayOnce('rejected file', problem);
  }

  #sayDamage(): void {
    const { damagedLines } = this.state;
    if (damagedLines === 0) return;
    this.#context.output.warning(
      { type: 'journal_damaged', lines: damagedLines },
      `The disk has damaged ${plural(damagedLines, 'line')} of the journal. They are passed over, and the rows are compared anew.`,
    );
  }

  #sayAbout({ vanished, disagreeing }: Changes): void {
    const { output } = this.#context;
    for (const { bib, line, held, inFile } of disagreeing) {
      const detail =
        `Bib ${bib} is held as ${shortResult(rowIn(held))}. Line ${line} of the file says ` +
        `${shortResult(rowIn(inFile))}, and is not sent. \`race-results release ${bib}\` lets the file decide.`;
      if (this.#isNew(`held ${bib}`, inFile)) {
        output.warning(
          { type: 'held', bib, line, held: rowIn(held), in_file: rowIn(inFile) },
          detail,
        );
      }
    }
    if (vanished.length > 0 && this.#isNew('vanished', vanished.join('\n'))) {
      output.warning(
        { type: 'vanished', bibs: vanished },
        `${plural(vanished.length, 'bib')} ${vanished.length === 1 ? 'is' : 'are'} not in the file any more: ` +
          `${named(vanished)}. What is stored stays. If one of them has no result, say so with \`race-results set\`.`,
      );
    }
    this.#sayRejected();
  }

  /** Each rejected row once, with what to do. */
  #sayRejected(): void {
    const lines = this.source.unreadable.map(({ line, bib, reason, code }) => ({
      ...{ line, bib, reason, code },
      where: `Line ${line}${bib === null ? '' : `, bib ${bib}`}`,
    }));
    const byApi = [...this.state.rejected].flatMap(([bib, { reason, code }]) => {
      const line = this.#last?.read.results.get(bib)?.line;
      return line === undefined
        ? []
        : [{ line, bib, reason, code, where: `Line ${line}, bib ${bib}` }];
    });
    const fresh = [...lines, ...byApi].filter(({ line, bib, reason }) =>
      this.#isNew(`rejected ${bib ?? line}`, reason),
    );
    const { output } = this.#context;
    for (const { where, reason, ...row } of fresh.slice(0, BIBS_NAMED)) {
      output.warning({ type: 'rejected', ...row, reason }, `${where} is rejected: ${reason}`);
    }
    if (fresh.length > BIBS_NAMED) {
      const rest = plural(fresh.length - BIBS_NAMED, 'more row');
      output.warning(
        { type: 'rejected_more', count: fresh.length - BIBS_NAMED },
        `${rest} rejected.`,
      );
    }
    if (fresh.length > 0) {
      output.progress(
        { type: 'rejected_file', folder: this.#context.settings.stateDir },
        `All rejected rows are in ${this.#context.settings.stateDir}/rejected.csv, ready to be mended and sent.`,
      );
    }
  }

  #sayOnce(what: string, text: string): void {
    if (this.#isNew(what, text)) {
      this.#context.output.warning({ type: what.replaceAll(' ', '_'), detail: text }, text);
    }
  }

  #isNew(what: string, text: string): boolean {
    if (this.#said.get(what) === text) return false;
    this.#said.set(what, text);
    return true;
  }
}

function named(bibs: readonly string[]): string {
  const more = bibs.length - BIBS_NAMED;
  return bibs.slice(0, BIBS_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** A file that cannot be read ends a command that reads it once. */
export const unreadableFile = (file: string, error: FileError): CliError =>
  new CliError(EXIT.unclear, `${file} cannot be read: ${error.message}`, { cause: error });
