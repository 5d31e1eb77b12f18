import { basename, join, resolve } from 'node:path';
import { sleep } from '../../../client/waiting.ts';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { readRaceFile } from '../../files/race-file.ts';
import { acceptanceOf, chooseReading, type ReadFile, readFileRows } from '../../files/reading.ts';
import { rejectedCsv, writeRejected } from '../../files/rejected-file.ts';
import { type Problem, type Version, WatchedFiles } from '../../files/watched-files.ts';
import { connect, type Offline, unlessOffline, waitMs } from '../../queue/api.ts';
import { judgeVersion } from '../../queue/decide.ts';
import { DiskError, type Entry, holderOf, Queue } from '../../queue/queue.ts';
import { shortText } from '../../queue/result-row.ts';
import {
  heldBack,
  heldBibs,
  type RaceState,
  unreadableOf,
  waitingCount,
} from '../../queue/state.ts';
import { isText, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { changeGuards, type Guard, headerGuard, MISREAD, previewGuards } from '../guards.ts';
import { sayCompared, sayRejected, sayVerdict } from '../notices.ts';

const LOOK_EVERY_MS = 250;
const CHECK_EVERY_MS = 60_000;
const PROBE_TIMEOUT_MS = 3_000;
/** After an outage, the rows of several files wait. */
const NEXT_UPLOAD_MS = 500;

/** Sends what changes in a file or a folder, until Ctrl-C. It asks nobody, and goes on where it stopped. */
export async function watch(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const target = resolve(settings.folder, settings.operand);
  const queue = await Queue.open(settings, target);
  if (!queue) {
    const { pid, startedAt, name } = (await holderOf(settings)) ?? {};
    throw failure(EXIT.running, 'already_running', { pid, startedAt, name });
  }
  try {
    return await new Watch(context, queue, target).run();
  } finally {
    output.end();
    await queue.close();
  }
}

/** A version of a file that is not sent: in a few words, and in sentences. */
type Stopped = { short: string; text: string; isQuiet: boolean };

class Watch {
  readonly #context: Context;
  readonly #queue: Queue;
  readonly #target: string;
  readonly #files: WatchedFiles;
  /** Ends both loops: at Ctrl-C, or when one of them fails. */
  readonly #stop = new AbortController();
  /** Versions that are not sent, by file. */
  readonly #stopped = new Map<string, Stopped>();
  #wake = () => {};
  #offline: string | undefined;
  #isDiskFull = false;
  #missing: number | undefined;
  #changedMs = performance.now();
  #nextCheckMs = 0;
  #counts: ReturnType<typeof countsOf> | undefined;
  #countedTurn = 0;

  constructor(context: Context, queue: Queue, target: string) {
    const { settings, signal } = context;
    this.#queue = queue;
    this.#target = target;
    // Files that were read in the same way before the start need not be read again.
    const reading = this.#reading(settings);
    this.#files = new WatchedFiles(target, settings.settleMs, (file) => {
      const [mark, read] = queue.state.sources.get(file)?.mark.split('\n') ?? [];
      return read === reading ? mark : undefined;
    });
    queue.onEntry = (entry) => this.#noticeEntry(entry);
    const stop = () => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Each loop has its own idea of when to try again.
    this.#context = { ...context, client: connect(settings), signal: this.#stop.signal };
  }

  get #state(): RaceState {
    return this.#queue.state;
  }

  #reading({ fileFlags, race }: Context['settings']): string {
    return JSON.stringify([fileFlags, race.readings]);
  }

  async run(): Promise<ExitCode> {
    const { output } = this.#context;
    output.progress('watching', { target: this.#target });
    for (const text of this.#queue.lost) output.error('damaged', {}, text);
    const fail = (error: unknown) => this.#stop.abort(error);
    await Promise.all([this.#readLoop().catch(fail), this.#sendLoop().catch(fail)]);
    const { reason } = this.#stop.signal;
    if (!(reason instanceof CliError) || reason.exitCode !== EXIT.interrupted) throw reason;
    this.#show();
    output.end();
    this.#sayEnd();
    return EXIT.interrupted;
  }

  /** Says which rows of the files on the disk are stored, and what became of the others. */
  #sayEnd(): void {
    const { output } = this.#context;
    const { said, stored, rejected, decisions } = this.#state;
    const open = [...said].filter(([bib, { text }]) => stored.get(bib) !== text);
    const count = (isOne: (bib: string) => boolean) => open.filter(([bib]) => isOne(bib)).length;
    const unreadable = unreadableOf(this.#state, this.#state.sources.values()).length;
    const counts = {
      results: said.size,
      stored: said.size - open.length,
      not_stored: open.length,
      queue: waitingCount(this.#state),
      rejected: count((bib) => rejected.has(bib)) + unreadable,
      held_back: heldBack(this.#state).length,
      decided: count((bib) => decisions.has(bib)),
    };
    const isAll = open.length === 0 && this.#stopped.size === 0 && counts.rejected === 0;
    output.answer('stopped', counts, say(isAll ? 'stopped_all_stored' : 'stopped', counts));
    for (const { text } of this.#stopped.values()) output.error('not_read', {}, text);
  }

  /** Looks at the files all the time, and takes what is new. */
  async #readLoop(): Promise<void> {
    for (;;) {
      const { settleMs } = this.#context.settings;
      await sleep(Math.min(LOOK_EVERY_MS, settleMs / 4), this.#stop.signal);
      const nowMs = performance.now();
      try {
        for await (const found of this.#files.look(nowMs)) {
          if ('problem' in found) this.#sayProblem(found);
          else await this.#take(found);
        }
        this.#isDiskFull = false;
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        this.#files.forget();
        this.#sayDisk(error.message);
      }
      this.#show();
    }
  }

  /** A decision in another terminal may let a stopped version pass. */
  #noticeEntry({ type }: Entry): void {
    const { settings } = this.#context;
    if (type === 'checked') settings.race = readRaceFile(settings.folder);
    this.#files.forget(this.#stopped.keys());
    this.#wake();
  }

  async #take(version: Version): Promise<void> {
    const { settings, output } = this.#context;
    const { file, isPartial } = version;
    this.#stopped.delete(file);
    const read = await this.#read(version);
    if (!read) return;
    const before = this.#state.sources.get(file);
    const isAccepted = this.#state.accepted.includes(acceptanceOf(read));
    const guards = isAccepted ? [] : headerGuard(settings, file, read, before?.header);
    if (!before && !read.isKnown && !isAccepted && guards.length === 0) {
      const previewed = await this.#preview(version, read);
      if (!previewed) return;
      guards.push(...previewed);
    }
    const verdict = judgeVersion(this.#state, file, read.rows, { isPartial });
    // Rows that would reinstate a runner are held back alone.
    const changes = changeGuards({ ...verdict, heldBack: [] }, this.#state);
    guards.push(...changes);
    if (guards.length > 0) return this.#stopVersion(file, guards);
    output.forget(`stopped ${file}`);
    Object.assign(this.#state, verdict.next);
    const { rows, header } = read;
    this.#state.sources.set(file, {
      mark: `${version.mark}\n${this.#reading(settings)}`,
      header,
      rows: rows.total,
      readAt: new Date().toISOString(),
      unreadable: rows.unreadable,
      rejectedDigest: before?.rejectedDigest,
    });
    await this.#queue.save();
    sayVerdict(output, file, verdict);
    await this.#writeRejected(file, read);
    this.#changedMs = performance.now();
    if (verdict.unchanged < rows.results.size) this.#wake();
  }

  /** @returns undefined if there is nothing to be read, or it cannot be read */
  async #read({ file, bytes, isPartial, isCut }: Version): Promise<ReadFile | undefined> {
    const { fileFlags, race } = this.#context.settings;
    const isNew = !this.#state.sources.has(file);
    try {
      return readFileRows(await chooseReading(bytes, fileFlags, race.readings), isCut);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const isEmpty = bytes.length === 0;
      // A file that is being written has nothing yet.
      if (isPartial || (isEmpty && isNew)) return undefined;
      const values = { name: basename(file), why: error.message };
      this.#sayStopped(file, {
        short: say(isEmpty ? 'short_no_rows' : 'short_unreadable', values),
        text: say('file_unreadable', { ...values, name: file }),
        // A folder may have files of another kind.
        isQuiet: isNew && file !== this.#target,
      });
      return undefined;
    }
  }

  /** Asks the API about a file that nobody has checked. @returns undefined if it cannot be asked now, or refuses */
  async #preview({ file, bytes }: Version, read: ReadFile): Promise<Guard[] | undefined> {
    const { output } = this.#context;
    const wait = ({ why }: Pick<Offline, 'why'>) => {
      this.#setOffline(why);
      this.#files.forget([file]);
      output.once(`check ${file}`, 'not_checked', { file, why });
    };
    if (this.#offline !== undefined) {
      wait({ why: this.#offline });
      return undefined;
    }
    try {
      const guards = await unlessOffline(previewGuards(this.#context, file, bytes, read), wait);
      for (const { code, detail } of guards ?? []) {
        if (!MISREAD.has(code)) output.once(`${file} ${code}`, 'noticed', { file, code, detail });
      }
      const doubts = guards?.filter(({ code }) => MISREAD.has(code));
      if (doubts?.length === 0) this.#state.accepted.push(acceptanceOf(read));
      return doubts;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.unclear) throw error;
      const short = say('short_check', { name: basename(file) });
      this.#sayStopped(file, { short, text: error.message, isQuiet: false });
      return undefined;
    }
  }

  #stopVersion(file: string, guards: readonly Guard[]): void {
    const codes = guards.map(({ code }) => code);
    const name = basename(file);
    const key = `short_${codes[0]}`;
    const short = isText(key) ? say(key, { name }) : `${name}: ${codes[0]}`;
    const why = guards.map(({ detail }) => detail).join(' ');
    const text = say('version_stopped', { file, why, name, codes: codes.join(',') });
    this.#sayStopped(file, { short, text, isQuiet: false });
  }

  #sayStopped(file: string, stopped: Stopped): void {
    const { output } = this.#context;
    const { short, text } = stopped;
    this.#stopped.set(file, stopped);
    if (output.isNew(`stopped ${file}`, text)) output.warning('not_read', { file, short }, text);
  }

  #sayProblem({ file, problem }: Problem): void {
    const values = { name: basename(file), code: problem };
    const short = say(problem === 'ENOENT' ? 'short_absent' : 'short_unopened', values);
    this.#sayStopped(file, { short, text: say('waits_for_file', { file, short }), isQuiet: false });
  }

  /** Writes down what is rejected of a file, and says each row once. */
  async #writeRejected(file: string, read: ReadFile): Promise<void> {
    const { output, settings } = this.#context;
    const source = this.#state.sources.get(file);
    if (!source) return;
    const { rejected } = this.#state;
    const unreadable = unreadableOf(this.#state, [source]);
    const text = rejectedCsv(read, rejected, unreadable);
    const name = file === this.#target ? 'rejected.csv' : `rejected-${basename(file)}`;
    const path = join(settings.stateDir, name);
    const { digest, problem } = await writeRejected(path, text, source.rejectedDigest);
    source.rejectedDigest = digest;
    if (problem !== undefined && output.isNew(path, problem)) {
      output.warning('rejected_file', {}, problem);
    }
    const count = sayRejected(output, rejected, unreadable);
    if (count > 0) output.progress('rejected_rows', { count, path });
  }

  /** Sends the queue, one upload at a time, and asks now and then what the API holds. */
  async #sendLoop(): Promise<void> {
    let failures = 0;
    for (;;) {
      const offline = await this.#sendStep();
      failures = offline ? failures + 1 : 0;
      const { everyMs } = this.#context.settings;
      const isMore = !this.#isDiskFull && waitingCount(this.#state) > 0;
      const calmMs = isMore ? Math.min(everyMs, NEXT_UPLOAD_MS) : everyMs;
      await this.#pause(offline ? waitMs(failures, offline.retryAfterSeconds) : calmMs);
    }
  }

  /** @returns why it cannot be sent */
  async #sendStep(): Promise<Offline | undefined> {
    let offline: Offline | undefined;
    try {
      await unlessOffline(this.#send(), (found) => {
        offline = found;
        this.#setOffline(found.why);
      });
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#sayDisk(error.message);
    }
    return offline;
  }

  async #send(): Promise<void> {
    const { output, signal } = this.#context;
    if (this.#offline !== undefined) await this.#probe();
    const sent = await this.#queue.sendNext(signal, (found) => sayCompared(output, found));
    if (sent) {
      const { file, rows, batch, failed } = sent;
      output.progress('sent', { rows, file, name: basename(file), batch });
      // Its rejected rows are written down when the file is looked at again.
      if (failed > 0) this.#files.forget([file]);
      if (failed > 0) sayRejected(output, this.#state.rejected, []);
    }
    await this.#check();
  }

  /** A small request tells soon when the network is back. */
  async #probe(): Promise<void> {
    const { settings, output, signal } = this.#context;
    const client = connect(settings, { timeoutMs: PROBE_TIMEOUT_MS });
    await client.listResultBatches(settings.eventId, { page_size: 1 }, { signal });
    this.#offline = undefined;
    output.forget('offline');
    output.progress('online');
  }

  async #check(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#nextCheckMs) return;
    this.#nextCheckMs = nowMs + CHECK_EVERY_MS;
    const { settings, client, output, signal } = this.#context;
    await this.#queue.check(signal);
    const list = client.listMissingResults(settings.eventId, { page_size: 1 }, { signal });
    this.#missing = (await list).meta.total;
    const bibs = await this.#queue.retryRegistered(signal);
    if (bibs.length > 0) output.progress('retried', { bibs });
    if (bibs.length > 0 || this.#state.compare) this.#wake();
  }

  /** Waits, or until there is something to do. */
  async #pause(ms: number): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([sleep(ms, this.#stop.signal), woken]);
    this.#stop.signal.throwIfAborted();
  }

  #sayDisk(why: string): void {
    this.#isDiskFull = true;
    this.#context.output.once('disk', 'disk', { why });
  }

  #setOffline(why: string): void {
    this.#offline = why;
    if (!this.#context.output.isNew('offline', '')) return;
    this.#context.output.warning('offline', { why, queue: waitingCount(this.#state) });
  }

  /** Shows the state here, and keeps it for `race-results status` in another terminal. */
  #show(): void {
    const { turn } = this.#queue;
    if (!this.#counts || this.#countedTurn !== turn) this.#counts = countsOf(this.#state);
    this.#countedTurn = turn;
    const stopped = [...this.#stopped.values()].find(({ isQuiet }) => !isQuiet)?.short;
    const facts = {
      ...this.#counts,
      stopped: this.#isDiskFull ? say('short_disk') : stopped,
      offline: this.#offline,
      unchangedMinutes: Math.floor((performance.now() - this.#changedMs) / 60_000),
      missing: this.#missing,
    };
    this.#queue.shown = this.#context.output.status(facts, new Date());
  }
}

/** The counts of the status line. They look at every row. */
function countsOf(state: RaceState) {
  const sources = [...state.sources.values()];
  const back = heldBack(state);
  const [bib = ''] = back;
  const in_file = shortText(state.said.get(bib)?.text);
  return {
    heldBack: back.length,
    heldWhy: bib === '' ? '' : say('short_dsq', { bib, in_file }),
    fileRows: sources.reduce((sum, { rows }) => sum + rows, 0),
    queue: waitingCount(state),
    rejected: state.rejected.size + unreadableOf(state, sources).length,
    held: heldBibs(state).length,
  };
}
