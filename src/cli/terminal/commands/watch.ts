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
import { saidOf, undecided } from '../../queue/state.ts';
import { isText, say } from '../../words.ts';
import type { Context } from '../context.ts';
import { changeGuard, type Guard, headerGuard, MISREAD, previewGuards } from '../guards.ts';
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
  // The loop has its own idea of when to try again.
  const once = { ...context, client: connect(settings) };
  const queue = await openQueue(once, target);
  try {
    return await new Watch(once, queue, target).run();
  } finally {
    output.end();
    await queue.close();
  }
}

/** @throws CliError if another process has the queue */
async function openQueue({ settings, client, signal }: Context, target: string): Promise<Queue> {
  for (;;) {
    const queue = await Queue.open(settings, client, target);
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

/** Two loops beside each other: one looks at the files, the other sends. An upload may hang. */
class Watch {
  readonly #context: Context;
  readonly #queue: Queue;
  readonly #target: string;
  readonly #files: WatchedFiles;
  /** Ends both loops: at Ctrl-C, or when the key is refused. */
  readonly #stop = new AbortController();
  /** Versions that are not sent, by file. */
  readonly #stopped = new Map<string, Stopped>();
  #nextSendMs = 0;
  #nextCheckMs = 0;
  #changedMs = performance.now();
  #offline: string | undefined;
  #isDiskFull = false;
  #missing: number | undefined;

  constructor(context: Context, queue: Queue, target: string) {
    const { settings, output, signal } = context;
    this.#context = { ...context, signal: AbortSignal.any([signal, this.#stop.signal]) };
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
  }

  #reading({ fileFlags, race }: Context['settings']): string {
    return JSON.stringify([fileFlags, race.readings]);
  }

  async run(): Promise<ExitCode> {
    const { output, signal } = this.#context;
    output.progress('watching', { target: this.#target });
    for (const text of this.#queue.lost) output.error('damaged', {}, text);
    await Promise.all([this.#repeat(() => this.#look()), this.#repeat(() => this.#send())]);
    const { reason } = signal;
    if (!(reason instanceof CliError) || reason.exitCode !== EXIT.interrupted) throw reason;
    this.#show();
    output.end();
    this.#sayEnd();
    return EXIT.interrupted;
  }

  /** Ends with the signal. While the disk takes no more, the files are looked at again and again. */
  async #repeat(step: () => Promise<void>): Promise<void> {
    const { settings, output, signal } = this.#context;
    const everyMs = Math.min(LOOK_EVERY_MS, settings.settleMs / 4);
    try {
      for (;;) {
        await sleep(everyMs, signal);
        await step().catch((error: unknown) => {
          if (!(error instanceof DiskError)) throw error;
          this.#isDiskFull = true;
          this.#files.forget();
          if (output.isNew('disk', error.message)) output.warning('disk', {}, error.message);
        });
        this.#show();
      }
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** Says which rows of the files on the disk are stored, and what became of the others. */
  #sayEnd(): void {
    const { output } = this.#context;
    const { results, notStored, decided, queue, rejected, heldBack } = this.#queue.tally;
    const counts = {
      results,
      stored: results - notStored,
      not_stored: notStored,
      queue,
      rejected: rejected.length,
      held_back: heldBack.length,
      decided,
    };
    const isAll = notStored === 0 && this.#stopped.size === 0 && rejected.length === 0;
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
    const { state } = this.#queue;
    const { file, isPartial } = version;
    const read = await this.#read(version);
    if (!read) return;
    const before = state.sources.get(file);
    const isAccepted = state.accepted.includes(acceptanceOf(read));
    const guards = isAccepted ? [] : headerGuard(settings, file, read, before?.header);
    if (!before && !read.isKnown && !isAccepted && guards.length === 0) {
      guards.push(...(await this.#doubts(version, read)));
    }
    const verdict = judgeVersion(state, file, read, { isPartial });
    guards.push(...changeGuard(verdict, state));
    if (guards.length > 0) throw stoppedBy(file, guards);
    output.forget(`stopped ${file}`);
    Object.assign(state, verdict.next);
    state.sources.set(file, {
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
    if (!this.#offline) this.#nextSendMs = 0;
  }

  /** @returns undefined if there is nothing to be read. @throws Stopped if it cannot be read */
  async #read({ file, bytes, isPartial, isCut }: Version): Promise<ReadFile | undefined> {
    const { fileFlags, race } = this.#context.settings;
    const isNew = !this.#queue.state.sources.has(file);
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
   * @throws Stopped if it cannot be asked now, or only a person can read the file
   */
  async #doubts({ file, bytes }: Version, read: ReadFile): Promise<Guard[]> {
    const { output } = this.#context;
    try {
      const [guards, offline] = this.#offline
        ? [undefined, { why: this.#offline }]
        : await unlessOffline(previewGuards(this.#context, file, bytes, read));
      if (!guards) {
        this.#setOffline(offline.why);
        this.#files.forget([file]);
        throw new Stopped('', say('not_checked', { file, why: offline.why }), true);
      }
      for (const { code, detail } of guards) {
        if (!MISREAD.has(code)) output.once(`${file} ${code}`, 'noticed', { file, code, detail });
      }
      const doubts = guards.filter(({ code }) => MISREAD.has(code));
      if (doubts.length === 0) this.#queue.state.accepted.push(acceptanceOf(read));
      return doubts;
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.unclear) throw error;
      throw new Stopped(say('short_check', { name: basename(file) }), error.message);
    }
  }

  /** Writes down what is rejected of a file, and says each row once. */
  async #writeRejected(file: string, read: ReadFile): Promise<void> {
    const { output, settings } = this.#context;
    const { state } = this.#queue;
    const source = state.sources.get(file);
    if (!source) return;
    const name = file === this.#target ? 'rejected.csv' : `rejected-${basename(file)}`;
    const path = join(settings.stateDir, name);
    const text = rejectedCsv(read, state.rejected, undecided(state, source.unreadable));
    const { digest, problem } = await writeRejected(path, text, source.rejectedDigest);
    source.rejectedDigest = digest;
    const isNew = problem !== undefined && output.isNew(path, problem);
    if (isNew) output.warning('rejected_file', {}, problem);
    const count = sayRejected(output, this.#queue.tally.rejected);
    if (count > 0) output.progress('rejected_rows', { count, path });
  }

  /** Sends one upload if it is time, and decides when the next one is due. */
  async #send(): Promise<void> {
    if (performance.now() < this.#nextSendMs) return;
    const { everyMs } = this.#context.settings;
    this.#nextSendMs = Number.POSITIVE_INFINITY;
    let pauseMs = everyMs;
    try {
      const [isMore, offline] = await unlessOffline(this.#exchange());
      if (offline) this.#setOffline(offline.why);
      if (isMore) pauseMs = Math.min(everyMs, NEXT_UPLOAD_MS);
      if (offline) pauseMs = waitMs(offline.retryAfterSeconds);
    } finally {
      // Something new may be due at once.
      this.#nextSendMs = Math.min(this.#nextSendMs, performance.now() + pauseMs);
    }
  }

  /** Sends what is next, and asks now and then what the API holds. @returns whether more is to be sent */
  async #exchange(): Promise<boolean> {
    const { settings, client, output, signal } = this.#context;
    const { state } = this.#queue;
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
      if (failed > 0) sayRejected(output, this.#queue.tally.rejected);
    }
    if (performance.now() < this.#nextCheckMs) return sent !== undefined;
    this.#nextCheckMs = performance.now() + CHECK_EVERY_MS;
    await this.#queue.check(signal);
    const list = client.listMissingResults(eventId, { page_size: 1 }, { signal });
    this.#missing = (await list).meta.total;
    const bibs = await this.#queue.retryRegistered(signal);
    if (bibs.length > 0) output.progress('retried', { bibs });
    return sent !== undefined || bibs.length > 0 || state.compare !== null;
  }

  #setOffline(why: string): void {
    this.#offline = why;
    if (!this.#context.output.isNew('offline', '')) return;
    this.#context.output.warning('offline', { why, queue: this.#queue.tally.queue });
  }

  /** Shows the state here, and keeps it for `race-results status` in another terminal. */
  #show(): void {
    const { state } = this.#queue;
    const { rows, queue, rejected, heldBack, held } = this.#queue.tally;
    const [bib = ''] = heldBack;
    const in_file = shortText(saidOf(state, bib)?.text);
    const stopped = [...this.#stopped.values()].find(({ isQuiet }) => !isQuiet)?.short;
    const facts = {
      heldBack: heldBack.length,
      heldWhy: bib === '' ? '' : say('short_dsq', { bib, in_file }),
      fileRows: rows,
      queue,
      rejected: rejected.length,
      held: held.length,
      stopped: this.#isDiskFull ? say('short_disk') : stopped,
      offline: this.#offline,
      unchangedMinutes: Math.floor((performance.now() - this.#changedMs) / 60_000),
      missing: this.#missing,
    };
    this.#queue.shown = this.#context.output.status(facts, new Date());
  }
}

function stoppedBy(file: string, guards: readonly Guard[]): Stopped {
  const name = basename(file);
  const why = guards.map(({ detail }) => detail).join(' ');
  const codes = guards.map(({ code }) => code);
  const key = `short_${codes[0]}`;
  const short = isText(key) ? say(key, { name }) : `${name}: ${codes[0]}`;
  return new Stopped(short, say('version_stopped', { file, why, name, codes: codes.join(',') }));
}

function waitingFor({ file, problem }: Problem): Stopped {
  const key = problem === 'ENOENT' ? 'short_absent' : 'short_unopened';
  const short = say(key, { name: basename(file), code: problem });
  return new Stopped(short, say('waits_for_file', { file, short }));
}
