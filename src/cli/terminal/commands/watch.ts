import { basename, join, resolve } from 'node:path';
import { sleep } from '../../../client/waiting.ts';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { readRaceFile } from '../../files/race-file.ts';
import {
  acceptanceOf,
  chooseReading,
  type ReadFile,
  readRows,
  withoutReasons,
} from '../../files/reading.ts';
import { rejectedCsv, writeRejected } from '../../files/rejected-file.ts';
import { type Problem, type Version, WatchedFiles } from '../../files/watched-files.ts';
import { connect, unlessOffline, waitMs } from '../../queue/api.ts';
import { judgeVersion } from '../../queue/decide.ts';
import { DiskError, type Entry, holderOf, Queue } from '../../queue/queue.ts';
import { shortText } from '../../queue/result-row.ts';
import { heldBack, heldBibs, queueOf, type RaceState, unreadableOf } from '../../queue/state.ts';
import { isText, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { changeGuards, headerGuard, MISREAD, previewGuards } from '../guards.ts';
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
  const queue = await openQueue(context, target);
  try {
    return await new Watch(context, queue, target).run();
  } finally {
    output.end();
    await queue.close();
  }
}

/** @throws CliError if another process has the queue */
async function openQueue({ settings, signal }: Context, target: string): Promise<Queue> {
  for (;;) {
    const queue = await Queue.open(settings, target);
    if (queue) return queue;
    const holder = await holderOf(settings);
    if (holder) throw failure(EXIT.running, 'already_running', holder);
    // A process was killed while it took the address over: its claim ends after some seconds.
    await sleep(LOOK_EVERY_MS, signal);
  }
}

/** A version of a file that is not sent: in a few words, and in sentences. */
class Stopped extends Error {
  readonly short: string;
  /** Said, but not the state of the whole. */
  readonly isQuiet: boolean;

  constructor(short: string, text: string, isQuiet = false) {
    super(text);
    this.short = short;
    this.isQuiet = isQuiet;
  }
}

class Watch {
  readonly #context: Context;
  readonly #queue: Queue;
  readonly #target: string;
  readonly #files: WatchedFiles;
  /** Ends the loop: at Ctrl-C, or when the key is refused. */
  readonly #stop = new AbortController();
  /** Versions that are not sent, by file. */
  readonly #stopped = new Map<string, Stopped>();
  #sending: Promise<void> | undefined;
  #nextSendMs = 0;
  #failures = 0;
  #offline: string | undefined;
  #isDiskFull = false;
  #missing: number | undefined;
  #changedMs = performance.now();
  #nextCheckMs = 0;
  #counts: ReturnType<typeof countsOf> | undefined;
  #countedTurn = 0;

  constructor(context: Context, queue: Queue, target: string) {
    const { settings, signal, output } = context;
    this.#queue = queue;
    this.#target = target;
    // Files that were read in the same way before the start need not be read again.
    const reading = this.#reading(settings);
    this.#files = new WatchedFiles(target, settings.settleMs, (file) => {
      const [mark, read] = queue.state.sources.get(file)?.mark.split('\n') ?? [];
      return read === reading ? mark : undefined;
    });
    queue.onEntry = (entry) => this.#noticeEntry(entry);
    queue.onCompared = (found) => sayCompared(output, found);
    const stop = () => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // The loop has its own idea of when to try again.
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
    try {
      return await this.#loop();
    } catch (error) {
      this.#stop.abort(error);
      await this.#sending;
      if (!(error instanceof CliError) || error.exitCode !== EXIT.interrupted) throw error;
      this.#show();
      output.end();
      this.#sayEnd();
      return EXIT.interrupted;
    }
  }

  /** Looks at the files all the time, and sends beside it. An upload may hang. */
  async #loop(): Promise<never> {
    const { signal } = this.#stop;
    const lookEveryMs = Math.min(LOOK_EVERY_MS, this.#context.settings.settleMs / 4);
    for (;;) {
      await sleep(lookEveryMs, signal);
      await this.#unlessDiskFull(this.#look());
      if (!this.#sending && performance.now() >= this.#nextSendMs) {
        const done = () => {
          this.#sending = undefined;
        };
        this.#sending = this.#send().then(done, (error) => this.#stop.abort(error));
      }
      this.#show();
    }
  }

  /** Nothing is sent while the disk takes no more. */
  async #unlessDiskFull(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.#isDiskFull = true;
      this.#files.forget();
      this.#context.output.once('disk', 'disk', { why: error.message });
    }
  }

  /** Says which rows of the files on the disk are stored, and what became of the others. */
  #sayEnd(): void {
    const { output } = this.#context;
    const { said, stored, rejected, decisions } = this.#state;
    const open = [...said].filter(([bib, { text }]) => stored.get(bib) !== text);
    const count = (isOne: (bib: string) => boolean) => open.filter(([bib]) => isOne(bib)).length;
    const counts = {
      results: said.size,
      stored: said.size - open.length,
      not_stored: open.length,
      queue: queueOf(this.#state).size,
      rejected: count((bib) => rejected.has(bib)) + unreadableOf(this.#state).length,
      held_back: heldBack(this.#state).length,
      decided: count((bib) => decisions.has(bib)),
    };
    const isAll = open.length === 0 && this.#stopped.size === 0 && counts.rejected === 0;
    output.answer('stopped', counts, say(isAll ? 'stopped_all_stored' : 'stopped', counts));
    for (const { message } of this.#stopped.values()) output.error('not_read', {}, message);
  }

  /** A decision in another terminal may let a stopped version pass. */
  #noticeEntry({ type }: Entry): void {
    const { settings } = this.#context;
    if (type === 'checked') settings.race = readRaceFile(settings.folder);
    this.#files.forget(this.#stopped.keys());
    this.#nextSendMs = 0;
  }

  async #look(): Promise<void> {
    const { output } = this.#context;
    for await (const found of this.#files.look(performance.now())) {
      const { file } = found;
      this.#stopped.delete(file);
      try {
        if ('problem' in found) throw waitingFor(found);
        await this.#take(found);
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
        const { short, message } = error;
        this.#stopped.set(file, error);
        const isNew = output.isNew(`stopped ${file}`, message);
        if (isNew) output.warning('not_read', { file, short }, message);
      }
    }
    this.#isDiskFull = false;
  }

  /** Takes over what a version of a file says. @throws Stopped if it is not sent */
  async #take(version: Version): Promise<void> {
    const { settings, output } = this.#context;
    const { file, isPartial } = version;
    const read = await this.#read(version);
    if (!read) return;
    const before = this.#state.sources.get(file);
    const isAccepted = this.#state.accepted.includes(acceptanceOf(read));
    const guards = isAccepted ? [] : headerGuard(settings, file, read, before?.header);
    if (!before && !read.isKnown && !isAccepted && guards.length === 0) {
      const doubts = await this.#preview(version, read);
      if (!doubts) return;
      guards.push(...doubts);
    }
    const verdict = judgeVersion(this.#state, file, read, { isPartial });
    // Rows that would reinstate a runner are held back alone.
    guards.push(...changeGuards({ ...verdict, heldBack: [] }, this.#state));
    const [first] = guards;
    if (first) {
      const name = basename(file);
      const key = `short_${first.code}`;
      const short = isText(key) ? say(key, { name }) : `${name}: ${first.code}`;
      const why = guards.map(({ detail }) => detail).join(' ');
      const codes = guards.map(({ code }) => code).join(',');
      throw new Stopped(short, say('version_stopped', { file, why, name, codes }));
    }
    output.forget(`stopped ${file}`);
    Object.assign(this.#state, verdict.next);
    this.#state.sources.set(file, {
      mark: `${version.mark}\n${this.#reading(settings)}`,
      header: withoutReasons(read.header),
      rows: read.total,
      readAt: new Date().toISOString(),
      unreadable: read.unreadable,
      rejectedDigest: before?.rejectedDigest,
    });
    await this.#queue.save();
    sayVerdict(output, file, verdict);
    await this.#writeRejected(file, read);
    this.#changedMs = performance.now();
    if (verdict.unchanged < read.results.size && !this.#offline) this.#nextSendMs = 0;
  }

  /** @returns undefined if there is nothing to be read. @throws Stopped if it cannot be read */
  async #read({ file, bytes, isPartial, isCut }: Version): Promise<ReadFile | undefined> {
    const { fileFlags, race } = this.#context.settings;
    const isNew = !this.#state.sources.has(file);
    try {
      return readRows(await chooseReading(bytes, fileFlags, race.readings), isCut);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const isEmpty = bytes.length === 0;
      // A file that is being written has nothing yet.
      if (isPartial || (isEmpty && isNew)) return undefined;
      const short = say(isEmpty ? 'short_no_rows' : 'short_unreadable', { name: basename(file) });
      const text = say('file_unreadable', { name: file, why: error.message });
      // A folder may have files of another kind.
      throw new Stopped(short, text, isNew && file !== this.#target);
    }
  }

  /**
   * Asks the API about a file that nobody has checked.
   * @returns undefined if it cannot be asked now. @throws Stopped if only a person can read the file
   */
  async #preview({ file, bytes }: Version, read: ReadFile) {
    const { output } = this.#context;
    try {
      const [guards, offline] = this.#offline
        ? [undefined, { why: this.#offline }]
        : await unlessOffline(previewGuards(this.#context, file, bytes, read));
      if (!guards) {
        this.#setOffline(offline.why);
        this.#files.forget([file]);
        output.once(`check ${file}`, 'not_checked', { file, why: offline.why });
        return undefined;
      }
      for (const { code, detail } of guards) {
        if (!MISREAD.has(code)) output.once(`${file} ${code}`, 'noticed', { file, code, detail });
      }
      const doubts = guards.filter(({ code }) => MISREAD.has(code));
      if (doubts.length === 0) this.#state.accepted.push(acceptanceOf(read));
      return doubts;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.unclear) throw error;
      throw new Stopped(say('short_check', { name: basename(file) }), error.message);
    }
  }

  /** Writes down what is rejected of a file, and says each row once. */
  async #writeRejected(file: string, read: ReadFile): Promise<void> {
    const { output, settings } = this.#context;
    const source = this.#state.sources.get(file);
    if (!source) return;
    const { rejected } = this.#state;
    const unreadable = unreadableOf(this.#state, [source]);
    const name = file === this.#target ? 'rejected.csv' : `rejected-${basename(file)}`;
    const path = join(settings.stateDir, name);
    const text = rejectedCsv(read, rejected, unreadable);
    const { digest, problem } = await writeRejected(path, text, source.rejectedDigest);
    source.rejectedDigest = digest;
    const isNew = problem !== undefined && output.isNew(path, problem);
    if (isNew) output.warning('rejected_file', {}, problem);
    const count = sayRejected(output, rejected, unreadable);
    if (count > 0) output.progress('rejected_rows', { count, path });
  }

  /** Sends one upload, and decides when the next one is due. */
  async #send(): Promise<void> {
    const { everyMs } = this.#context.settings;
    const isMore = () => !this.#isDiskFull && queueOf(this.#state).size > 0;
    this.#nextSendMs = Number.POSITIVE_INFINITY;
    let offline: Awaited<ReturnType<typeof unlessOffline>>[1];
    await this.#unlessDiskFull(
      unlessOffline(this.#exchange()).then((found) => {
        offline = found[1];
      }),
    );
    this.#failures = offline ? this.#failures + 1 : 0;
    if (offline) this.#setOffline(offline.why);
    const calmMs = isMore() ? Math.min(everyMs, NEXT_UPLOAD_MS) : everyMs;
    const pauseMs = offline ? waitMs(this.#failures, offline.retryAfterSeconds) : calmMs;
    // Something new may be due at once.
    this.#nextSendMs = Math.min(this.#nextSendMs, performance.now() + pauseMs);
  }

  /** Sends what is next, and asks now and then what the API holds. */
  async #exchange(): Promise<void> {
    const { settings, client, output, signal } = this.#context;
    const { eventId } = settings;
    if (this.#offline !== undefined) {
      // A small request tells soon when the network is back.
      const probe = connect(settings, { timeoutMs: PROBE_TIMEOUT_MS });
      await probe.listResultBatches(eventId, { page_size: 1 }, { signal });
      this.#offline = undefined;
      output.forget('offline');
      output.progress('online');
    }
    const sent = await this.#queue.sendNext(signal);
    if (sent) {
      const { file, rows, batch, failed } = sent;
      output.progress('sent', { rows, file, name: basename(file), batch });
      // Its rejected rows are written down when the file is looked at again.
      if (failed > 0) this.#files.forget([file]);
      if (failed > 0) sayRejected(output, this.#state.rejected, []);
    }
    if (performance.now() < this.#nextCheckMs) return;
    this.#nextCheckMs = performance.now() + CHECK_EVERY_MS;
    await this.#queue.check(signal);
    const list = client.listMissingResults(eventId, { page_size: 1 }, { signal });
    this.#missing = (await list).meta.total;
    const bibs = await this.#queue.retryRegistered(signal);
    if (bibs.length > 0) output.progress('retried', { bibs });
    if (bibs.length > 0 || this.#state.compare) this.#nextSendMs = 0;
  }

  #setOffline(why: string): void {
    this.#offline = why;
    if (!this.#context.output.isNew('offline', '')) return;
    this.#context.output.warning('offline', { why, queue: queueOf(this.#state).size });
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

function waitingFor({ file, problem }: Problem): Stopped {
  const key = problem === 'ENOENT' ? 'short_absent' : 'short_unopened';
  const short = say(key, { name: basename(file), code: problem });
  return new Stopped(short, say('waits_for_file', { file, short }));
}

/** The counts of the status line. They look at every row. */
function countsOf(state: RaceState) {
  const back = heldBack(state);
  const [bib = ''] = back;
  const in_file = shortText(state.said.get(bib)?.text);
  return {
    heldBack: back.length,
    heldWhy: bib === '' ? '' : say('short_dsq', { bib, in_file }),
    fileRows: [...state.sources.values()].reduce((sum, { rows }) => sum + rows, 0),
    queue: queueOf(state).size,
    rejected: state.rejected.size + unreadableOf(state).length,
    held: heldBibs(state).length,
  };
}
