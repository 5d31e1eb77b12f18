import { statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isRaceResultsError, type RaceResultsClient } from '../../../client/index.ts';
import { sleep } from '../../../client/waiting.ts';
import { FileError } from '../../../timing-files/read/file-error.ts';
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts';
import { RACE_FILE, readRaceFile } from '../../files/race-file.ts';
import { acceptanceOf, chooseReading, type ReadFile, readFileRows } from '../../files/reading.ts';
import {
  rejectedCsv,
  unreadableOf,
  withoutReasons,
  writeRejected,
} from '../../files/rejected-file.ts';
import { type Version, WatchedFiles } from '../../files/watched-files.ts';
import { codeOf, replaceOwn } from '../../own-files.ts';
import { classify, connect, waitMs } from '../../queue/api.ts';
import { judgeVersion, takeVersion } from '../../queue/decide.ts';
import { DiskError, Queue, type Sent } from '../../queue/queue.ts';
import { shortText } from '../../queue/result-row.ts';
import { heldBibs, type RaceState, type UnreadableRow, waitingCount } from '../../queue/state.ts';
import { named, results, rows, say } from '../../words.ts';
import type { Context } from '../context.ts';
import {
  changeGuard,
  type Guard,
  headerGuard,
  MISREAD,
  previewGuards,
  uncheckedGuard,
} from '../guards.ts';
import { Notices } from '../notices.ts';
import { createStatusLine, type Shown, type StatusLine } from '../status-line.ts';

const LOOK_EVERY_MS = 250;
const CHECK_EVERY_MS = 60_000;
/** A gap in the clock that is more than a busy computer. */
const SLEPT_MS = 30_000;
const PROBE_TIMEOUT_MS = 4_000;

/** Clocks that a test can replace. */
type Clocks = { steadyMs(): number; wallMs(): number; checkEveryMs: number };
const CLOCKS: Clocks = {
  ...{ steadyMs: () => performance.now(), wallMs: () => Date.now() },
  checkEveryMs: CHECK_EVERY_MS,
};

export const STATUS_FILE = 'status.json';

/** Sends what changes in a file or a folder, until Ctrl-C. It asks nobody, and goes on where it stopped. */
export async function watch(context: Context, clocks = CLOCKS): Promise<ExitCode> {
  const target = resolve(context.settings.folder, context.settings.operand);
  const line = createStatusLine(context.output, context.settings, context.stdout);
  const queue = await Queue.open(context.settings, target);
  try {
    return await new Watch({ ...context, output: line.output }, queue, {
      line,
      target,
      clocks,
    }).run();
  } finally {
    line.end();
    await queue.close();
  }
}

/** A version of a file that is not sent: in a few words, and in sentences. */
type Stopped = { short: string; text: string; isNew: boolean };

class Watch {
  readonly #context: Context;
  readonly #queue: Queue;
  readonly #line: StatusLine;
  readonly #target: string;
  readonly #clocks: Clocks;
  readonly #files: WatchedFiles;
  readonly #client: RaceResultsClient;
  /** Ends both loops: at Ctrl-C, or when one of them fails. */
  readonly #stop = new AbortController();
  /** Versions that are not sent, by file. */
  readonly #stopped = new Map<string, Stopped>();
  readonly #notices: Notices;
  /** Files that could not be opened when they were looked at last. */
  #unopened: ReadonlySet<string> = new Set();
  #wake = () => {};
  #offline: string | undefined;
  #disk: string | undefined;
  #missing: number | undefined;
  #changedMs: number | undefined;
  #mayCheck = true;
  #nextCheckMs = 0;
  #shown = '';
  #raceFileMark = '';

  constructor(
    context: Context,
    queue: Queue,
    { line, target, clocks }: { line: StatusLine; target: string; clocks: Clocks },
  ) {
    const { settings, signal } = context;
    this.#queue = queue;
    this.#notices = new Notices(context.output);
    this.#line = line;
    this.#target = target;
    this.#clocks = clocks;
    const reading = JSON.stringify([settings.fileFlags, settings.race.readings]);
    this.#files = new WatchedFiles(target, settings.settleMs, (file) => {
      const [mark, read] = queue.state.sources.get(file)?.mark.split('\n') ?? [];
      return read === reading ? mark : undefined;
    });
    // Each loop has its own idea of when to try again.
    this.#client = connect(settings, { maxAttempts: 1 });
    const stop = () => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    this.#context = { ...context, client: this.#client, signal: this.#stop.signal };
  }

  get #state(): RaceState {
    return this.#queue.state;
  }

  async run(): Promise<ExitCode> {
    const { output } = this.#context;
    const waiting = waitingCount(this.#state);
    output.progress(
      { type: 'watching', target: this.#target, queue: waiting },
      say('watches_ctrl_c_stops_it', { target: this.#target }),
    );
    for (const text of this.#queue.lost) output.error({ type: 'damaged', detail: text }, text);
    const fail = (error: unknown) => this.#stop.abort(error);
    await Promise.all([this.#readLoop().catch(fail), this.#sendLoop().catch(fail)]);
    const { reason } = this.#stop.signal;
    if (!(reason instanceof CliError) || reason.exitCode !== EXIT.interrupted) throw reason;
    this.#show();
    this.#line.end();
    this.#sayEnd();
    return EXIT.interrupted;
  }

  /** Says which rows of the files on the disk are stored, and what became of the others. */
  #sayEnd(): void {
    const { output } = this.#context;
    const { said, stored, rejected, heldBack } = this.#state;
    const open = [...said].filter(([bib, { text }]) => stored.get(bib) !== text);
    const count = (isOne: (bib: string) => boolean) => open.filter(([bib]) => isOne(bib)).length;
    const counts = {
      queue: waitingCount(this.#state),
      rejected: count((bib) => rejected.has(bib)) + this.#unreadable().length,
      held_back: heldBack.size,
      decided: count((bib) => this.#state.decisions.has(bib)),
    };
    const isAll = open.length === 0 && this.#stopped.size === 0 && counts.rejected === 0;
    const event = { type: 'stopped', results: said.size, not_stored: open.length, ...counts };
    if (isAll) {
      const all = results(said.size);
      output.answer(event, say('stopped_all_of_the_files', { all }));
      return;
    }
    output.answer(
      event,
      say('stopped_of_of_the_files', {
        length: said.size - open.length,
        results: results(said.size),
        queue: counts.queue,
        rejected: counts.rejected,
        held_back: counts.held_back,
        decided: counts.decided,
      }),
    );
    for (const { text } of this.#stopped.values()) output.error({ type: 'not_read' }, text);
  }

  /** Looks at the files all the time, and puts what is new into the queue. */
  async #readLoop(): Promise<void> {
    const { signal } = this.#stop;
    const clocks = this.#clocks;
    let [wallMs, steadyMs] = [clocks.wallMs(), clocks.steadyMs()];
    for (;;) {
      await sleep(Math.min(LOOK_EVERY_MS, this.#context.settings.settleMs / 4), signal);
      const [wallNowMs, steadyNowMs] = [clocks.wallMs(), clocks.steadyMs()];
      this.#noticeGap(wallNowMs - wallMs, steadyNowMs - steadyMs);
      [wallMs, steadyMs] = [wallNowMs, steadyNowMs];
      try {
        if (await this.#queue.takeInbox()) this.#lookAgain();
        this.#noticeReadings();
        for await (const version of this.#files.look(steadyNowMs)) await this.#take(version);
        this.#disk = undefined;
      } catch (error) {
        if (!(error instanceof DiskError)) throw error;
        this.#files.forget();
        this.#sayDisk(error.message);
      }
      this.#sayProblems(steadyNowMs);
      this.#show();
      await this.#writeShown();
    }
  }

  /** A decision in another terminal may let a stopped version pass. */
  #lookAgain(): void {
    this.#files.forget(this.#stopped.keys());
    this.#wake();
  }

  /** `race-results check` says how a file is read that was stopped. */
  #noticeReadings(): void {
    const { settings } = this.#context;
    const mark = String(
      statSync(join(settings.folder, RACE_FILE), { throwIfNoEntry: false })?.mtimeMs,
    );
    if (mark === this.#raceFileMark) return;
    const isFirst = this.#raceFileMark === '';
    this.#raceFileMark = mark;
    if (isFirst) return;
    settings.race = readRaceFile(settings.folder);
    this.#lookAgain();
  }

  async #take(version: Version): Promise<void> {
    const { file } = version;
    const read = await this.#read(version);
    if (!read) return;
    const before = this.#state.sources.get(file);
    const isAccepted = this.#state.accepted.includes(acceptanceOf(read));
    const isFresh = !before && !read.isKnown && !isAccepted;
    const guards = isAccepted ? [] : headerGuard(before?.header, read);
    if (isFresh) {
      guards.push(...uncheckedGuard({ ...this.#context.settings, operand: file }, read));
      const previewed = guards.length > 0 ? [] : await this.#preview(version, read);
      if (!previewed) return;
      guards.push(...previewed);
    }
    const verdict = judgeVersion(this.#state, file, read.rows, false);
    guards.push(...changeGuard(verdict, this.#state));
    if (guards.length > 0) return this.#stopVersion(file, guards);
    this.#goOn(file);
    if (version.isPartial) verdict.vanished.length = 0;
    takeVersion(this.#state, file, read.rows, verdict);
    this.#noteSource(version, read);
    await this.#queue.save();
    this.#notices.verdict(file, verdict);
    await this.#writeRejected(version, read);
    this.#changedMs = this.#clocks.steadyMs();
    if (verdict.added.length + verdict.changed.length > 0) this.#wake();
  }

  /** @returns undefined if there is nothing to be read, or it cannot be read */
  async #read(version: Version): Promise<ReadFile | undefined> {
    const { settings } = this.#context;
    const { file, bytes, isPartial } = version;
    const isNew = !this.#state.sources.has(file);
    try {
      const { fileFlags, race } = settings;
      const chosen = await chooseReading(bytes, fileFlags, race.readings ?? []);
      return readFileRows(chosen, version.isCut);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const isEmpty = bytes.length === 0;
      // A file that is being written has nothing yet.
      if (isPartial || (isEmpty && isNew)) return undefined;
      const what = isEmpty ? say('has_no_rows_any_more') : say('cannot_be_read');
      this.#sayStopped(file, {
        short: `${basename(file)} ${what}`,
        text: `${file} ${what}: ${error.message}`,
        isNew: isNew && file !== this.#target,
      });
      return undefined;
    }
  }

  #noteSource({ file, mark, modifiedAt }: Version, { rows: read }: ReadFile): void {
    const { settings } = this.#context;
    const reading = JSON.stringify([settings.fileFlags, settings.race.readings]);
    const rejectedDigest = this.#state.sources.get(file)?.rejectedDigest;
    this.#state.sources.set(file, {
      ...{ mark: `${mark}\n${reading}`, header: withoutReasons(read.header), rows: read.total },
      ...{ readAt: modifiedAt.toISOString(), unreadable: read.unreadable },
      ...(rejectedDigest !== undefined && { rejectedDigest }),
    });
  }

  /** Asks the API about a file that nobody has checked. @returns undefined if it cannot be asked now, or refuses */
  async #preview(version: Version, read: ReadFile): Promise<Guard[] | undefined> {
    const { file, bytes } = version;
    const wait = (why: string) => {
      this.#files.forget([file]);
      const text = say('is_checked_by_the_api', { file, why });
      this.#notices.once(`check ${file}`, { type: 'not_checked', file }, text);
      return undefined;
    };
    if (this.#offline !== undefined) return wait(this.#offline);
    try {
      const guards = await previewGuards(this.#context, file, bytes, read);
      for (const { code, detail } of guards.filter((one) => !MISREAD.has(one.code))) {
        this.#notices.once(
          `${file} ${code}`,
          { type: 'noticed', file, code, detail },
          `${detail} (${code})`,
        );
      }
      const doubts = guards.filter(({ code }) => MISREAD.has(code));
      if (doubts.length === 0) this.#state.accepted.push(acceptanceOf(read));
      return doubts;
    } catch (error) {
      if (error instanceof CliError && error.exitCode === EXIT.unclear) {
        const short = say('run_check');
        this.#sayStopped(file, {
          short: `${basename(file)}: ${short}`,
          text: error.message,
          isNew: false,
        });
        return undefined;
      }
      if (!isRaceResultsError(error)) throw error;
      const failure = classify(error);
      if (failure.kind !== 'offline') throw error;
      this.#setOffline(failure.why);
      return wait(failure.why);
    }
  }

  #stopVersion(file: string, guards: readonly Guard[]): void {
    const codes = guards.map(({ code }) => code);
    const details = guards.map(({ detail }) => detail).join(' ');
    const short = SHORT[codes[0] ?? ''] ?? (() => codes[0] ?? '');
    this.#sayStopped(file, {
      short: `${basename(file)}: ${short()}`,
      text: say('is_not_sent_as_it', {
        file,
        details,
        name: basename(file),
        join: codes.join(','),
      }),
      isNew: false,
    });
  }

  /** A reason that stops a file again is printed again. */
  #goOn(file: string): void {
    this.#stopped.delete(file);
    this.#notices.forget(`stopped ${file}`);
  }

  #sayStopped(file: string, stopped: Stopped): void {
    this.#stopped.set(file, stopped);
    this.#notices.once(
      `stopped ${file}`,
      { type: 'not_read', file, short: stopped.short },
      stopped.text,
    );
  }

  /** Files and folders that cannot be opened. */
  #sayProblems(nowMs: number): void {
    const problems = this.#files.problems(nowMs);
    for (const [file, code] of problems) {
      const what = code === 'ENOENT' ? say('is_not_there') : say('cannot_be_opened', { code });
      const text = `${file} ${what}. ${say('it_is_waited_for')}`;
      this.#stopped.set(file, { short: `${basename(file)} ${what}`, text, isNew: false });
      this.#notices.once(`problem ${file}`, { type: 'not_read', file, code }, text);
    }
    for (const file of this.#unopened) {
      if (problems.has(file)) continue;
      this.#notices.forget(`problem ${file}`);
      this.#stopped.delete(file);
    }
    this.#unopened = new Set(problems.keys());
  }

  /** Writes down what is rejected of a file, and says each row once. */
  async #writeRejected({ file }: Version, read: ReadFile): Promise<void> {
    const source = this.#state.sources.get(file);
    if (!source) return;
    const unreadable = unreadableOf(this.#state, source);
    const text = rejectedCsv(read, {
      ...{ byApi: this.#state.rejected, unreadable },
    });
    const name = file === this.#target ? 'rejected.csv' : `rejected-${basename(file)}`;
    const path = join(this.#context.settings.stateDir, name);
    const { digest, problem } = await writeRejected(path, text, source.rejectedDigest);
    if (digest === undefined) delete source.rejectedDigest;
    else source.rejectedDigest = digest;
    if (problem !== undefined)
      this.#notices.once(`write ${path}`, { type: 'rejected_file' }, problem);
    this.#notices.rejected(this.#state, unreadable, path);
  }

  #unreadable(): UnreadableRow[] {
    return [...this.#state.sources.values()].flatMap((one) => unreadableOf(this.#state, one));
  }

  #noticeGap(wallMs: number, steadyMs: number): void {
    const gapMs = Math.abs(wallMs - steadyMs) > SLEPT_MS ? wallMs : steadyMs;
    if (Math.abs(gapMs) < SLEPT_MS) return;
    const minutes = Math.round(gapMs / 60_000);
    this.#context.output.warning(
      { type: 'clock_gap', seconds: Math.round(gapMs / 1_000) },
      say('the_computer_slept_or_its', { minutes }),
    );
    this.#files.forget();
    this.#nextCheckMs = 0;
    this.#wake();
  }

  /** Sends the queue, one upload at a time, and asks now and then what the API holds. */
  async #sendLoop(): Promise<void> {
    let failures = 0;
    for (;;) {
      const step = await this.#sendStep();
      failures = step === 'offline' ? failures + 1 : 0;
      const isOffline = typeof step === 'object' || step === 'offline';
      const asked = typeof step === 'object' ? step.retryAfterSeconds : undefined;
      await this.#pause(isOffline ? waitMs(failures, asked) : this.#context.settings.everyMs);
    }
  }

  async #sendStep(): Promise<'online' | 'offline' | { retryAfterSeconds: number | undefined }> {
    const { signal } = this.#stop;
    try {
      if (this.#offline !== undefined) await this.#probe();
      await this.#compare();
      const sent = await this.#queue.sendNext(signal);
      if (sent.kind === 'offline') {
        this.#setOffline(sent.why);
        return { retryAfterSeconds: sent.retryAfterSeconds };
      }
      if (sent.kind === 'disk') this.#sayDisk(sent.why);
      if (sent.kind === 'answered') this.#sayAnswered(sent);
      if (sent.kind === 'answered') this.#setOnline();
      await this.#check();
      return 'online';
    } catch (error) {
      if (error instanceof DiskError) {
        this.#sayDisk(error.message);
        return 'online';
      }
      if (!isRaceResultsError(error)) throw error;
      const failure = classify(error);
      if (failure.kind !== 'offline') throw error;
      this.#setOffline(failure.why);
      return failure.retryAfterSeconds === undefined
        ? 'offline'
        : { retryAfterSeconds: failure.retryAfterSeconds };
    }
  }

  /** A small request tells soon when the network is back. */
  async #probe(): Promise<void> {
    const { settings } = this.#context;
    const client = connect(settings, { maxAttempts: 1, timeoutMs: PROBE_TIMEOUT_MS });
    await this.#allowed(() =>
      client.listResultBatches(settings.eventId, { page_size: 1 }, { signal: this.#stop.signal }),
    );
    this.#setOnline();
  }

  async #compare(): Promise<void> {
    if (!this.#state.compare) return;
    const compared = await this.#allowed(() => this.#queue.compare(this.#stop.signal));
    if (compared) this.#notices.compared(compared);
    else this.#state.compare = null;
  }

  async #check(): Promise<void> {
    const nowMs = this.#clocks.steadyMs();
    if (nowMs < this.#nextCheckMs) return;
    this.#nextCheckMs = nowMs + this.#clocks.checkEveryMs;
    const { signal } = this.#stop;
    const { eventId } = this.#context.settings;
    await this.#allowed(async () => {
      await this.#queue.check(signal);
      const list = this.#client.listMissingResults(eventId, { page_size: 1 }, { signal });
      this.#missing = (await list).meta.total;
    });
    await this.#compare();
    const bibs = await this.#queue.retryRegistered(signal);
    if (bibs.length === 0) return;
    this.#context.output.progress(
      { type: 'retried', bibs },
      say('registered_meanwhile_and_sent_again', { bibs: named(bibs) }),
    );
    this.#wake();
  }

  /** A key that may only write still sends results. */
  async #allowed<T>(ask: () => PromiseLike<T>): Promise<T | undefined> {
    if (!this.#mayCheck) return undefined;
    try {
      return await ask();
    } catch (error) {
      const isForbidden = isRaceResultsError(error) && error.code === 'INSUFFICIENT_SCOPE';
      if (!isForbidden) throw error;
      this.#mayCheck = false;
      const { why } = classify(error);
      this.#notices.once(
        'unchecked',
        { type: 'unchecked', why },
        say('results_are_sent_and_cannot', { why }),
      );
      return undefined;
    }
  }

  #sayAnswered({ file, rows: count, failed, batch }: Extract<Sent, { kind: 'answered' }>): void {
    const text = say('sent_of', { rows: rows(count), name: basename(file) });
    this.#context.output.progress({ type: 'sent', file, rows: count, batch }, text);
    if (failed === 0) return;
    // Its rejected rows are written down when the file is looked at again.
    this.#files.forget([file]);
    const path = join(this.#context.settings.stateDir, 'rejected.csv');
    this.#notices.rejected(this.#state, [], path);
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
    this.#disk = say('the_disk_takes_no_more');
    const text = say('the_disk_takes_no_more_nothing', { why });
    this.#notices.once('disk', { type: 'disk', why }, text);
  }

  #setOnline(): void {
    if (this.#offline === undefined) return;
    this.#offline = undefined;
    this.#notices.forget('offline');
    this.#context.output.progress({ type: 'online' }, say('online_again'));
  }

  #setOffline(why: string): void {
    this.#offline = why;
    const waiting = rows(waitingCount(this.#state));
    if (!this.#notices.isNew('offline', '')) return;
    this.#context.output.warning(
      { type: 'offline', why },
      say('offline_wait_in_the_queue', { why, waiting }),
    );
  }

  #show(): Shown {
    const state = this.#state;
    const stopped = [...this.#stopped.values()].filter(({ isNew }) => !isNew);
    const [[bib, held] = []] = state.heldBack;
    const idleMs =
      this.#changedMs === undefined ? undefined : this.#clocks.steadyMs() - this.#changedMs;
    const found = shortText(held?.text);
    return this.#line.show(
      {
        stopped: this.#disk ?? stopped[0]?.short,
        heldBack: state.heldBack.size,
        heldWhy: held ? say('bib_dsq_file', { bib, found }) : '',
        offline: this.#offline,
        unchangedMinutes: idleMs === undefined ? undefined : Math.floor(idleMs / 60_000),
        fileRows: [...state.sources.values()].reduce((sum, one) => sum + one.rows, 0),
        queue: waitingCount(state),
        rejected: state.rejected.size + this.#unreadable().length,
        missing: this.#missing,
        held: heldBibs(state).length,
      },
      new Date(this.#clocks.wallMs()),
    );
  }

  /** For `race-results status` in another terminal. */
  async #writeShown(): Promise<void> {
    const { at, ...shown } = this.#show();
    const text = JSON.stringify(shown);
    if (text === this.#shown) return;
    try {
      const path = join(this.#context.settings.stateDir, STATUS_FILE);
      await replaceOwn(path, `${JSON.stringify({ ...shown, at })}\n`);
      this.#shown = text;
    } catch (error) {
      // The display shows already that the disk is full.
      if (codeOf(error) === undefined) throw error;
    }
  }
}

const SHORT: Readonly<Record<string, () => string>> = {
  header_differs: () => say('another_header'),
  many_changes: () => say('many_results_would_change'),
};
