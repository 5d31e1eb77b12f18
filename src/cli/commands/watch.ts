import { resolve } from 'node:path';
import { isRaceResultsError } from '../../client/index.ts';
import { sleep } from '../../client/waiting.ts';
import { FileError } from '../../timing-files/read/file-error.ts';
import { classify, connect } from '../api.ts';
import type { Changes } from '../changes.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { Feed, type Reading } from '../feed.ts';
import { FileWatch, type Snapshot } from '../file-snapshot.ts';
import { stoppedByGuards } from '../guards.ts';
import { JournalError } from '../journal.ts';
import { plural } from '../output.ts';
import { waitMs } from '../sender.ts';
import { createStatusLine, type Status, type StatusLine } from '../status-line.ts';
import { compareAll, type Difference, differenceText, nowRegistered } from '../verify.ts';

const LOOK_EVERY_MS = 250;
const CHECK_EVERY_MS = 60_000;
/** A gap in the clock that is more than a busy computer. */
const SLEPT_MS = 30_000;
/** At Ctrl-C, nobody waits for longer. */
const LAST_COMPARISON_MS = 5_000;
const REJECTED_BIBS_SHOWN = 3;
const LONG_QUEUE = 1_000;

/** Sends what changes in a file or a folder, until Ctrl-C. It goes on where it stopped. */
export async function watch(context: Context): Promise<ExitCode> {
  const target = resolve(context.settings.folder, context.settings.operand);
  const line = createStatusLine(context.output, context.settings, context.stdout);
  const feed = await Feed.open({ ...context, output: line.output }, target);
  try {
    return await new Watch({ ...context, output: line.output }, feed, line, target).run();
  } finally {
    line.end();
    await feed.close();
  }
}

class Watch {
  readonly #context: Context;
  readonly #feed: Feed;
  readonly #line: StatusLine;
  readonly #target: string;
  readonly #files: FileWatch;
  readonly #client: Context['client'];
  /** Ends all three loops: at Ctrl-C, or when one of them fails. */
  readonly #stop = new AbortController();
  /** Wakes the loops that wait for their turn. */
  #wake = new AbortController();
  #connection: Status['connection'] = 'starting';
  #file: Status['file'];
  #counts: Pick<Changes, 'unchanged'> & { added: number; changed: number } = {
    ...{ added: 0, changed: 0, unchanged: 0 },
  };
  #missing: number | undefined;
  #isMissingOld = true;
  #mayCheck = true;
  /** Why the file is not read, and what was said of it. */
  #stopped: string | undefined;
  #shownFile: string | undefined;
  #said: string | undefined;
  #differences = new Map<string, string>();

  constructor(context: Context, feed: Feed, line: StatusLine, target: string) {
    const { settings, signal } = context;
    this.#feed = feed;
    this.#line = line;
    this.#target = target;
    this.#files = new FileWatch(target, settings.settleMs);
    // Each loop has its own idea of when to try again.
    this.#client = connect(settings, 1);
    const stop = () => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    this.#context = { ...context, client: this.#client, signal: this.#stop.signal };
  }

  async run(): Promise<ExitCode> {
    const { output, settings } = this.#context;
    const { state } = this.#feed;
    const waiting = state.waitingCount();
    output.progress(
      { type: 'watching', target: this.#target, queue: waiting },
      `Watches ${this.#target}. Ctrl-C stops it${waiting > 0 ? `. ${plural(waiting, 'row')} wait from before` : ''}.`,
    );
    const fail = (error: unknown) => this.#stop.abort(error);
    await Promise.all([
      this.#readLoop().catch(fail),
      this.#sendLoop().catch(fail),
      this.#checkLoop().catch(fail),
    ]);
    const { reason } = this.#stop.signal;
    if (!(reason instanceof CliError) || reason.exitCode !== EXIT.interrupted) throw reason;
    await this.#compareOnceMore();
    this.#show();
    this.#line.end();
    const left = state.waitingCount();
    output.answer(
      { type: 'stopped', queue: left, rejected: state.rejectedRows().length },
      left === 0
        ? 'Stopped. Nothing waits in the queue.'
        : `Stopped. ${plural(left, 'row')} wait in the queue. \`race-results watch ${settings.operand}\` goes on.`,
    );
    return EXIT.interrupted;
  }

  /** Looks at the file all the time, and puts what is new into the queue. */
  async #readLoop(): Promise<void> {
    const { signal } = this.#stop;
    let wallMs = Date.now();
    let steadyMs = performance.now();
    for (;;) {
      await sleep(Math.min(LOOK_EVERY_MS, this.#context.settings.settleMs / 4), signal);
      const [wallNowMs, steadyNowMs] = [Date.now(), performance.now()];
      this.#noticeGap(wallNowMs - wallMs, steadyNowMs - steadyMs);
      [wallMs, steadyMs] = [wallNowMs, steadyNowMs];
      try {
        // A hold that ends lets the file decide again.
        if (await this.#feed.takeDecisions()) this.#files.forget();
        await this.#look(steadyNowMs);
      } catch (error) {
        if (!(error instanceof JournalError)) throw error;
        this.#files.forget();
        this.#sayDisk(error.message);
      }
      this.#show();
      // Time that a person took to answer is no gap.
      [wallMs, steadyMs] = [Date.now(), performance.now()];
    }
  }

  async #look(nowMs: number): Promise<void> {
    const look = await this.#files.look(nowMs);
    switch (look.kind) {
      case 'absent':
        return this.#hold(
          'missing',
          `There is no file to read at ${this.#target} yet. It is waited for.`,
        );
      case 'cut':
        return this.#hold(
          'half written',
          `The last line of ${look.file} has no end yet. It is waited for.`,
        );
      case 'busy':
      case 'unchanged':
        return;
      case 'changed':
        this.#sayFile(look.snapshot);
        return this.#take(look.snapshot);
    }
  }

  async #take(snapshot: Snapshot): Promise<void> {
    let reading: Reading;
    try {
      reading = this.#feed.examine(snapshot, 'seen');
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (error.lack === 'no_rows') return this.#takeEmpty(snapshot, error);
      return this.#refuse(snapshot, `${snapshot.file} cannot be read: ${error.message}`);
    }
    if (!this.#feed.isAccepted(reading.read)) {
      const previewed = await this.#preview(reading);
      if (!previewed) return;
      reading = previewed;
    }
    const reason = await this.#pass(reading);
    if (reason === undefined) return this.#holdBack(reading);
    await this.#feed.queue(reading, reason);
    const { added, changed, unchanged } = reading.changes;
    this.#counts = { added: added.length, changed: changed.length, unchanged };
    this.#file = { at: snapshot.modifiedAt, rows: reading.read.total };
    this.#stopped = undefined;
    this.#said = undefined;
    if (snapshot.isCut) this.#sayCut(snapshot);
  }

  /** Asks about the guards. Meanwhile the file may be mended: then the question is withdrawn. */
  async #pass(reading: Reading): Promise<string | undefined> {
    const mended = new AbortController();
    const answered = new AbortController();
    const looking = this.#lookWhileAsking(mended, answered.signal);
    try {
      return await this.#feed.pass(reading, mended.signal);
    } finally {
      answered.abort(new Woken());
      if (await looking) this.#files.forget();
    }
  }

  /** @returns whether the file has changed */
  async #lookWhileAsking(mended: AbortController, signal: AbortSignal): Promise<boolean> {
    let hasChanged = false;
    try {
      for (;;) {
        await sleep(LOOK_EVERY_MS, signal);
        const look = await this.#files.look(performance.now());
        if (look.kind !== 'changed') continue;
        hasChanged = true;
        if (this.#isFine(look.snapshot)) mended.abort();
      }
    } catch (error) {
      if (error instanceof Woken) return hasChanged;
      throw error;
    }
  }

  #isFine(snapshot: Snapshot): boolean {
    try {
      return this.#feed.examine(snapshot, 'seen').guards.length === 0;
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  /** Before the race, a file has a header alone. */
  #takeEmpty(snapshot: Snapshot, error: FileError): void {
    if (this.#feed.source.rows > 0) {
      this.#hold('empty', `${snapshot.file} has no rows any more: ${error.message}`);
      return;
    }
    this.#file = { at: snapshot.modifiedAt, rows: 0 };
    this.#stopped = undefined;
  }

  /** A file that was never read ends the command; one that was read may become readable again. */
  #refuse({ file }: Snapshot, why: string): void {
    if (this.#feed.source.rows === 0) throw new CliError(EXIT.unclear, why);
    this.#hold('unreadable', `${why} What was read before stays in force.`);
    this.#shownFile = file;
  }

  /** @returns undefined if the API cannot be asked now */
  async #preview(reading: Reading): Promise<Reading | undefined> {
    try {
      const { reading: previewed } = await this.#feed.preview(reading);
      this.#setOnline();
      return previewed;
    } catch (error) {
      if (!isRaceResultsError(error)) throw error;
      const failure = classify(error);
      if (failure.kind !== 'offline') throw error;
      this.#setOffline(failure.why);
      this.#hold(
        'offline',
        'The file is checked by the API before its first row is sent. It is waited for.',
      );
      this.#files.forget();
      await sleep(waitMs(0, failure.retryAfterSeconds), this.#stop.signal);
      return undefined;
    }
  }

  /** A guard ends a command before its first row is sent. Later, a file that is mended is read again. */
  #holdBack({ guards, snapshot }: Reading): void {
    if (this.#feed.source.rows === 0) throw stoppedByGuards(guards);
    const codes = guards.map(({ code }) => code).join(', ');
    this.#hold(
      codes,
      `${snapshot.file} is not read as long as it is like this (${codes}). The queue is sent meanwhile. ` +
        'Mend the file, or start again with --force "REASON".',
    );
  }

  /** Says once why the file is not read. */
  #hold(code: string, text: string): void {
    this.#stopped = code;
    if (this.#said === text) return;
    this.#said = text;
    this.#context.output.warning({ type: 'not_read', code, target: this.#target }, text);
  }

  #sayFile({ file }: Snapshot): void {
    if (this.#shownFile === file) return;
    if (file !== this.#target) {
      this.#context.output.progress(
        { type: 'newest', file },
        `Reads ${file}, the newest file of the folder.`,
      );
    }
    this.#shownFile = file;
  }

  #sayCut({ file }: Snapshot): void {
    this.#context.output.warning(
      { type: 'cut', file },
      `${file} is never calm, or its last line has no end. It is read up to its last whole line.`,
    );
  }

  #sayDisk(why: string): void {
    this.#hold(
      'disk',
      `The disk takes no more: ${why}. Nothing is sent before it is in the journal. Free some space: ` +
        'the command goes on by itself, and nothing is lost.',
    );
  }

  #noticeGap(wallMs: number, steadyMs: number): void {
    const gapMs = Math.abs(wallMs - steadyMs) > SLEPT_MS ? wallMs : steadyMs;
    if (Math.abs(gapMs) < SLEPT_MS) return;
    const minutes = Math.round(gapMs / 60_000);
    this.#context.output.warning(
      { type: 'clock_gap', seconds: Math.round(gapMs / 1_000) },
      `The computer slept, or its clock was set: ${minutes} min. Nothing is lost. File and API are looked at again.`,
    );
    this.#files.forget();
    this.#wake.abort();
  }

  /** Sends the queue, one batch at a time. */
  async #sendLoop(): Promise<void> {
    const { signal } = this.#stop;
    let failures = 0;
    for (;;) {
      const sent = await this.#feed.send(signal);
      switch (sent.kind) {
        case 'idle':
          await this.#pause(this.#context.settings.everyMs);
          break;
        case 'answered':
          failures = 0;
          this.#setOnline();
          this.#isMissingOld = true;
          if (sent.problem !== undefined) this.#wake.abort();
          // A long queue is sent without a pause.
          if (this.#feed.state.queue.size < LONG_QUEUE) {
            await this.#pause(this.#context.settings.everyMs);
          }
          break;
        case 'disk':
          this.#sayDisk(sent.why);
          await this.#pause(this.#context.settings.everyMs);
          break;
        case 'offline':
          this.#setOffline(sent.why);
          await this.#pause(waitMs(failures, sent.retryAfterSeconds));
          failures += 1;
      }
    }
  }

  /** Compares, once a minute, and asks more often how many are missing. */
  async #checkLoop(): Promise<void> {
    const { everyMs } = this.#context.settings;
    let nextMs = 0;
    while (this.#mayCheck) {
      const isDue = performance.now() >= nextMs;
      if (isDue || this.#isMissingOld) await this.#tryOnline(() => this.#askMissing());
      if (isDue) {
        nextMs = performance.now() + CHECK_EVERY_MS;
        if (this.#mayCheck) await this.#tryOnline(() => this.#retryRegistered());
        if (this.#mayCheck) await this.#tryOnline(() => this.#compare(this.#stop.signal));
      }
      if (await this.#pause(Math.max(everyMs, LOOK_EVERY_MS) * 2)) nextMs = 0;
    }
  }

  /** What the check loop finds out is of no use while the API cannot be reached. */
  async #tryOnline(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
      this.#setOnline();
    } catch (error) {
      if (error instanceof JournalError) return this.#sayDisk(error.message);
      if (!isRaceResultsError(error)) throw error;
      const failure = classify(error);
      if (failure.kind === 'offline') return this.#setOffline(failure.why);
      if (error.code === 'UNAUTHORIZED') throw error;
      // A key that may only write still sends results.
      this.#mayCheck = false;
      this.#context.output.warning(
        { type: 'unchecked', why: failure.why },
        `Results are sent, and cannot be compared with what the API holds: ${failure.why}`,
      );
    }
  }

  async #askMissing(): Promise<void> {
    const { eventId } = this.#context.settings;
    const options = { signal: this.#stop.signal };
    const { meta } = await this.#client.listMissingResults(eventId, { page_size: 1 }, options);
    this.#missing = meta.total;
    this.#isMissingOld = false;
  }

  async #retryRegistered(): Promise<void> {
    const { state } = this.#feed;
    const { eventId } = this.#context.settings;
    const held = { client: this.#client, eventId, state };
    const bibs = await nowRegistered(held, this.#stop.signal);
    if (bibs.length === 0) return;
    await this.#feed.ledger.record([{ type: 'retried', bibs }]);
    await this.#feed.writeRejected();
    this.#context.output.progress(
      { type: 'retried', bibs },
      `Registered meanwhile, and sent again: bib ${bibs.join(', ')}.`,
    );
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const { eventId } = this.#context.settings;
    const held = { client: this.#client, eventId, state: this.#feed.state };
    const pause = () => sleep(CHECK_EVERY_MS, signal);
    this.#sayDifferences(await compareAll(held, signal, pause));
  }

  /** Each difference once. */
  #sayDifferences(differences: readonly Difference[]): void {
    for (const difference of differences) {
      const text = differenceText(difference);
      if (this.#differences.get(difference.bib) === text) continue;
      this.#context.output.error({ type: 'difference', ...difference }, text);
    }
    this.#differences = new Map(differences.map((one) => [one.bib, differenceText(one)]));
  }

  /** At the end, as far as a few seconds allow. */
  async #compareOnceMore(): Promise<void> {
    const { output } = this.#context;
    const { size } = this.#feed.state.stored;
    if (size === 0 || this.#connection === 'offline' || !this.#mayCheck) return;
    try {
      await this.#compare(AbortSignal.timeout(LAST_COMPARISON_MS));
      output.answer(
        { type: 'compared', results: size, differences: this.#differences.size },
        this.#differences.size === 0
          ? `The API holds all ${plural(size, 'result')} as sent.`
          : `Of ${plural(size, 'result')}, the API holds ${this.#differences.size} in another way.`,
      );
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === 'TimeoutError';
      if (!isLate && !isRaceResultsError(error)) throw error;
      output.warning(
        { type: 'not_compared', results: size },
        `${plural(size, 'result')} were confirmed, and not compared once more: the API is too slow now.`,
      );
    }
  }

  /** @returns whether something woke it before its time */
  async #pause(ms: number): Promise<boolean> {
    const wake = this.#wake.signal;
    const { signal } = this.#stop;
    // Ctrl-C may have come during work that does not look at the signal.
    signal.throwIfAborted();
    if (wake.aborted) {
      this.#wake = new AbortController();
      return true;
    }
    const either = new AbortController();
    const end = () => either.abort(new Woken());
    wake.addEventListener('abort', end, { once: true });
    signal.addEventListener('abort', end, { once: true });
    try {
      await sleep(ms, either.signal);
      return false;
    } catch (error) {
      if (!(error instanceof Woken)) throw error;
      signal.throwIfAborted();
      if (this.#wake.signal === wake) this.#wake = new AbortController();
      return true;
    } finally {
      wake.removeEventListener('abort', end);
      signal.removeEventListener('abort', end);
    }
  }

  #setOnline(): void {
    if (this.#connection === 'offline') {
      this.#context.output.progress({ type: 'online' }, 'Online again.');
    }
    this.#connection = 'online';
  }

  #setOffline(why: string): void {
    if (this.#connection !== 'offline') {
      const waiting = plural(this.#feed.state.waitingCount(), 'row');
      this.#context.output.warning(
        { type: 'offline', why },
        `Offline: ${why}. ${waiting} wait in the queue, which is on the disk. It is tried again by itself.`,
      );
    }
    this.#connection = 'offline';
  }

  #show(): void {
    const { state } = this.#feed;
    const rejected = state.rejectedRows();
    const bibs = rejected.flatMap(({ bib }) => bib ?? []);
    this.#line.show({
      ...this.#counts,
      connection: this.#connection,
      file: this.#file,
      queue: state.waitingCount(),
      rejected: rejected.length,
      rejectedBibs: bibs.slice(-REJECTED_BIBS_SHOWN),
      missing: this.#missing,
      held: state.held.size,
      stopped: this.#stopped,
    });
  }
}

class Woken extends Error {}
