import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Copy, FollowedLists } from '../../../client/index.ts';
import { sleep } from '../../../client/waiting.ts';
import { CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import { ListProblem } from '../../files/published-list.ts';
import { readRaceFile, withPoint, withReading, writeRaceFile } from '../../files/race-file.ts';
import { type Problem, type Version, WatchedFiles } from '../../files/watched-files.ts';
import { replaceOwn } from '../../own-files.ts';
import { connect, explainError, unlessOffline, waitMs } from '../../queue/api.ts';
import { type Entry, Folder } from '../../queue/folder.ts';
import { requireSending } from '../../queue/sending.ts';
import { DiskError } from '../../queue/store.ts';
import { localTime, say } from '../../words.ts';
import { clockText, needsClock, readClock, sayKept } from '../clock.ts';
import type { Context } from '../context.ts';
import { courseOf, type OnCourse, onCourse } from '../course.ts';
import { officialText, readOfficial } from '../official.ts';
import { pageOf, viewHtml } from '../page.ts';
import { heard, pointsOf, type Sender, sendersOf } from '../senders.ts';
import { exitCodeOf, type Live, type Shown, type Stop, type View, viewOf } from '../view.ts';
import { requireToday } from './setup.ts';
import { StartListFile, startListText } from './start-list.ts';
import { Stopped, TakenFiles, waitingFor } from './take-version.ts';
import { type Turn, Turns } from './turns.ts';

const LOOK_EVERY_MS = 250;
/** A server of published lists takes a request each second. */
const LIST_EVERY_MS = 1_000;
/** The start list is asked for after so many pauses between two uploads. */
const START_LIST_PAUSES = 5;
const PROBE_TIMEOUT_MS = 3_000;
/** After Ctrl-C, each step of the last comparison with the API has this time, and all steps have `LAST_LOOK_MS`. */
const [LAST_STEP_MS, LAST_LOOK_MS] = [10_000, 90_000];
const SECOND_MS = 1_000;
/** The first look at all files ends after `PATIENCE` times `settleMs`. */
const PATIENCE = 5;

/** Sends the changes in files or folders until Ctrl-C. The command never asks, and goes on after a restart. */
export async function watch(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { operands, stateDir } = settings;
  const targets = operands.map((operand) => resolve(settings.folder, operand));
  // The loop decides about retries, so the client does not retry.
  const once = { ...context, client: connect(settings) };
  await unlessOffline(requireSending(once.client, settings.eventId, context.signal));
  await unlessOffline(requireToday(context));
  const startListName = settings.text('start-list');
  const startList = startListName ? new StartListFile(once, startListName) : undefined;
  const folder = await Folder.open(once, targets.map((target) => basename(target)).join(', '));
  if (folder === 'silent') throw failure(EXIT.running, 'already_running_silent');
  if (!(folder instanceof Folder)) {
    const startedAt = localTime(folder.startedAt);
    throw failure(EXIT.running, 'already_running', { ...folder, startedAt });
  }
  const page = join(stateDir, 'watch.html');
  try {
    const { port, token } = folder.local;
    const url = JSON.stringify(`http://127.0.0.1:${port}/#${token}`);
    await replaceOwn(page, `<script>location.replace(${url})</script>\n`);
    if (settings.has('open')) openInBrowser(page);
    return await new Watch(once, folder, targets, startList).run(page);
  } finally {
    output.end();
    await rm(page, { force: true });
    await folder.close();
  }
}

/** Opens a local file with the address of the page: other users could read the token in a command line. */
function openInBrowser(page: string): void {
  const openers: Partial<Record<NodeJS.Platform, string>> = {
    win32: 'explorer.exe',
    darwin: 'open',
  };
  const opener = openers[process.platform] ?? 'xdg-open';
  spawn(opener, [page], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref();
}

/** Looks at the files and sends at the same time, because an upload may hang. */
class Watch {
  readonly #context: Context;
  readonly #folder: Folder;
  readonly #targets: readonly string[];
  readonly #files: WatchedFiles;
  readonly #taken: TakenFiles;
  /** The held back versions of files. */
  readonly #stops = new Map<string, Stop>();
  readonly #startList: StartListFile | undefined;
  #course = courseOf([]);
  /** All registered runners. Read if a file has times of day. */
  readonly #runners: Copy<'start-list'>;
  /** Ends all loops: at Ctrl-C, or after a refused key. */
  readonly #stop = new AbortController();
  readonly #live: Live = {};
  #keys: readonly Sender[] = [];
  /** Whether the first look at all files is done. */
  #isRead = false;
  /** The time of the last change of a file. All times come from a monotonic clock. */
  #changedMs = performance.now();
  /** The time of the first look. */
  #firstLookMs: number | undefined;
  readonly #turns: Turns;

  constructor(
    context: Context,
    folder: Folder,
    targets: readonly string[],
    startList: StartListFile | undefined,
  ) {
    const { settings, signal } = context;
    this.#context = { ...context, signal: AbortSignal.any([signal, this.#stop.signal]) };
    this.#folder = folder;
    this.#targets = targets;
    this.#startList = startList;
    this.#turns = new Turns(settings.pace);
    this.#runners = context.client.follow('start-list', settings.eventId);
    this.#files = new WatchedFiles(targets, settings.pace.settleMs, startList?.path);
    this.#taken = new TakenFiles(this.#context, folder, targets);
    folder.onEntry = (entry) => this.#noticeEntry(entry);
    folder.pages = {
      live: (): Shown => ({ view: this.#view(), open: folder.open, sender: folder.sender }),
      page: pageOf,
      view: () => viewHtml(this.#view(), this.#onCourse()),
    };
  }

  #view(): View {
    const { difference, store, lookedMs } = this.#folder;
    const unchangedMinutes = Math.floor((performance.now() - this.#changedMs) / 60_000);
    return viewOf({
      ...{ difference, store, sources: this.#taken.sources, stops: this.#stops },
      unread: this.#files.pending,
      isCompared: lookedMs !== undefined && this.#isRead,
      live: { ...this.#live, unchangedMinutes },
    });
  }

  /** Runners with a passing and without a result. */
  #onCourse(): OnCourse[] {
    const runners = new Map<string, FollowedLists['passings'] & { bib_number: string }>();
    for (const one of this.#folder.passings.items.values()) {
      const { bib_number } = one;
      const isOut = bib_number !== null && !this.#folder.held.has(bib_number);
      if (isOut) runners.set(bib_number, { ...one, bib_number });
    }
    return onCourse(runners.values(), this.#course);
  }

  async run(page: string): Promise<ExitCode> {
    const { settings, output, signal } = this.#context;
    const { settleMs, everyMs } = settings.pace;
    const lookMs = Math.min(LOOK_EVERY_MS, settleMs / 4);
    const name = this.#targets.map((target) => basename(target)).join(', ');
    output.progress('watching', { name, sender: this.#folder.sender, page });
    const { damaged } = this.#folder.store;
    if (damaged > 0) output.error('damaged', {}, say('state_damaged', { count: damaged }));
    const ports = this.#folder.local.taken.join(', ');
    if (ports !== '') output.warning('port_taken', { ports });
    await Promise.all([
      this.#repeat(() => this.#look(), lookMs),
      this.#repeat(() => this.#send(), lookMs),
      this.#repeat(() => this.#followStartList(), START_LIST_PAUSES * everyMs),
      this.#repeat(() => this.#askLists(this.#context.signal), Math.max(LIST_EVERY_MS, everyMs)),
    ]);
    const { reason } = signal;
    if (!(reason instanceof CliError) || reason.exitCode !== EXIT.interrupted) throw reason;
    return this.#end();
  }

  /** Ends with the signal. A full disk does not end the loop. */
  async #repeat(effect: () => Promise<void>, pauseMs: number): Promise<void> {
    const { output, signal } = this.#context;
    try {
      for (;;) {
        await effect().catch((error: unknown) => {
          if (!(error instanceof DiskError)) throw error;
          this.#live.isDiskFull = true;
          output.once('disk', 'disk', {}, error.message);
        });
        output.status(this.#view(), new Date());
        await sleep(pauseMs, signal);
      }
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** Asks for the lists of addresses. A faulty list removes no results. */
  async #askLists(signal: AbortSignal): Promise<void> {
    const { store } = this.#folder;
    for (const list of this.#context.settings.lists) {
      const { host } = list;
      const isIgnored = store.ignored.has(host);
      try {
        await list.update(signal, isIgnored);
        // A further shorter list raises a new question.
        if (isIgnored) await store.write([['ignored', host, null]]);
        this.#endStop(host);
      } catch (error) {
        if (!(error instanceof ListProblem)) throw error;
        const { message: text, isShorter } = error;
        const answer = isShorter ? 'list_shorter' : 'list';
        this.#noticeStopped(new Stopped(host, { short: text, text, answer }));
      }
    }
  }

  /** Keeps the start list file up to date. A faulty start list never stops the results. */
  async #followStartList(): Promise<void> {
    const { output, signal } = this.#context;
    if (!this.#startList) return;
    try {
      const [found] = await unlessOffline(this.#startList.update(signal));
      if (!found) return;
      output.forget('start_list');
      const { isChanged, written } = found;
      if (written) output.progress('start_list', written, startListText(written));
      // The next check asks for the rows of unknown bibs.
      if (isChanged) this.#turns.checkMs = 0;
    } catch (error) {
      const known = signal.aborted || error instanceof DiskError ? undefined : explainError(error);
      if (!known) throw error;
      const why = known.message;
      output.once('start_list', 'start_list_not_kept', { why });
    }
  }

  /**
   * Reads and sends every file once more, and compares with the API.
   * @param within gives a step its time, and waits while the key is used up
   * @throws RaceResultsError
   */
  async #sendLast(within: <T>(step: (signal: AbortSignal) => Promise<T>) => Promise<T>) {
    const folder = this.#folder;
    await within((signal) => folder.look(signal));
    this.#live.offline = undefined;
    await within((signal) => this.#askLists(signal));
    for await (const found of this.#files.again()) {
      if ('bytes' in found) await within((signal) => this.#take(found, signal));
    }
    while (await within((signal) => folder.sendNext(signal)));
    await within((signal) => folder.look(signal));
    await within((signal) => this.#askMissing(signal));
    this.#isRead = true;
  }

  /** Compares with the API while seconds count down. @returns whether everything is compared */
  async #compareLast(): Promise<boolean> {
    const stop = new AbortController();
    const lastMs = performance.now() + LAST_LOOK_MS;
    let endsMs = 0;
    const until = (ms: number) => {
      endsMs = Math.min(lastMs, Math.max(endsMs, performance.now() + ms));
    };
    const counting = setInterval(() => {
      const seconds = Math.ceil((endsMs - performance.now()) / SECOND_MS);
      if (seconds <= 0) stop.abort();
      else this.#context.output.progress('comparing', { seconds });
    }, SECOND_MS);
    const { signal } = stop;
    try {
      await this.#sendLast(async (step) => {
        for (;;) {
          until(LAST_STEP_MS);
          const [found, offline] = await unlessOffline(step(signal).then((value) => ({ value })));
          if (found) return found.value;
          const { retryAfterSeconds } = offline;
          if (retryAfterSeconds === undefined) throw new CliError(EXIT.offline, offline.why);
          until(waitMs(retryAfterSeconds) + LAST_STEP_MS);
          await sleep(waitMs(retryAfterSeconds), signal);
        }
      });
      return true;
    } catch (error) {
      // A mistake of the command's own code ends the command.
      if (!signal.aborted && !explainError(error)) throw error;
      return false;
    } finally {
      clearInterval(counting);
    }
  }

  /** Sends the remaining rows, and reports the stored rows and the rows held back. */
  async #end(): Promise<ExitCode> {
    const { output } = this.#context;
    output.end();
    const isCompared = await this.#compareLast();
    const unread: string[] = [];
    for await (const { file } of this.#files.again()) unread.push(basename(file));
    const view = this.#view();
    const { facts } = view;
    const { stored, decided, queue, left, rejected, old } = facts;
    const results = stored + decided + queue + left + rejected + old;
    const counts = { ...facts, results, unread, is_compared: isCompared };
    const exitCode = exitCodeOf(view);
    const isAll = exitCode === EXIT.done && stored === results && unread.length === 0;
    const end = isCompared ? (isAll ? 'stopped_all_stored' : 'stopped') : 'stopped_not_compared';
    output.answer('stopped', counts, say(end, counts));
    if (unread.length > 0) output.error('not_read', {}, say('stopped_unread', { unread }));
    for (const { text } of this.#stops.values()) output.error('not_read', {}, text);
    const isWaiting = !isCompared || unread.length > 0;
    return exitCode === EXIT.done && isWaiting ? EXIT.offline : exitCode;
  }

  /** A decision in another terminal or on the page may let a stopped version pass. */
  async #noticeEntry(entry: Entry): Promise<void> {
    const { settings } = this.#context;
    if (entry.type === 'reading') await this.#keepReading(entry);
    this.#turns.isUrgent = true;
    if (!['reading', 'checked', 'ignore'].includes(entry.type)) return;
    settings.race = readRaceFile(settings.folder);
    if (entry.type === 'ignore') this.#endStop(entry.file);
    if (entry.type === 'checked') {
      // The starts and the reading of any file may have changed.
      Object.assign(settings, { clock: undefined, told: undefined });
      this.#files.forget();
      // Rows before a wrong start are sent again.
      this.#turns.checkMs = 0;
    } else this.#files.forget(this.#stops.keys());
  }

  /** @throws CliError if the file is no longer stopped */
  async #keepReading({ file, point }: Extract<Entry, { type: 'reading' }>): Promise<void> {
    const { folder } = this.#context.settings;
    const reading = this.#stops.get(file)?.reading;
    if (!reading) throw failure(EXIT.usage, 'not_stopped', { file: basename(file) });
    const kept = point ? { ...reading, read: withPoint(reading.read, point) } : reading;
    await writeRaceFile(folder, withReading(readRaceFile(folder), kept));
  }

  async #look(): Promise<void> {
    // The stored results show whether a file belongs to a point, so the first look at the API comes first.
    if (this.#folder.lookedMs === undefined) return;
    const { lists } = this.#context.settings;
    if (lists.some(({ isThere }) => !isThere) && !this.#isRead) return;
    let count = 0;
    for await (const found of this.#files.look(performance.now())) {
      count += 1;
      await this.#take(found, this.#context.signal);
    }
    this.#leaveAbsent();
    if (count > 0) await this.#taken.noticeRejected();
    // The first look does not wait for an unreadable file.
    this.#firstLookMs ??= performance.now();
    const { settleMs } = this.#context.settings.pace;
    const isLate = performance.now() - this.#firstLookMs > PATIENCE * settleMs;
    this.#isRead ||= this.#files.fresh === 0 || isLate;
  }

  /** Drops files moved elsewhere, and ends the stops of targets that came back. */
  #leaveAbsent(): void {
    const { lists } = this.#context.settings;
    const hosts = new Set(lists.map(({ host }) => host));
    for (const file of this.#stops.keys()) {
      const isTarget = this.#targets.includes(file);
      const isOver = isTarget
        ? !this.#files.isAway(file) && this.#stops.get(file)?.answer === 'comes_back'
        : !hosts.has(file) && !existsSync(file);
      if (isOver) this.#endStop(file);
    }
    const isAway = this.#targets.some((target) => this.#files.isAway(target));
    if (!isAway) {
      for (const file of this.#taken.sources.keys()) {
        if (!existsSync(file)) this.#taken.leave(file);
      }
    }
  }

  async #take(found: Version | Problem, signal: AbortSignal): Promise<void> {
    const { file } = found;
    const { offline } = this.#live;
    try {
      if ('problem' in found) throw waitingFor(found);
      const isTaken = await this.#taken.take(found, this.#isRead, offline, signal);
      this.#endStop(file);
      if (!isTaken) return;
    } catch (error) {
      if (!(error instanceof Stopped)) {
        // Ctrl-C or the network ended the reading. The file is read again.
        this.#files.forget([file]);
        throw error;
      }
      this.#noticeStopped(error);
      if (error.stop.answer !== 'added') return;
    }
    this.#changedMs = performance.now();
    this.#turns.isUrgent ||= offline === undefined;
  }

  #endStop(file: string): void {
    if (this.#stops.delete(file)) this.#context.output.forget(`stopped ${file}`);
  }

  #noticeStopped({ file, stop }: Stopped): void {
    const { output } = this.#context;
    const isIgnored = stop.answer === 'no_results' && this.#folder.store.ignored.has(file);
    const { short, text } = stop;
    // The file is read again until the API can be asked.
    if (short === '') this.#files.forget([file]);
    this.#stops.delete(file);
    if (isIgnored) return;
    if (short !== '') this.#stops.set(file, stop);
    output.once(`stopped ${file}`, 'not_read', { file, short }, text);
  }

  /** Sends and asks if due. */
  async #send(): Promise<void> {
    const turn = this.#turns.begin(performance.now(), this.#folder.lookedMs);
    if (!turn) return;
    const [sent, offline] = await unlessOffline(this.#exchange(turn));
    const nowMs = performance.now();
    if (sent) {
      this.#live.isDiskFull = false;
      this.#turns.answered(turn, sent, nowMs);
    } else {
      this.#noticeOffline(offline.why);
      this.#turns.unanswered(waitMs(offline.retryAfterSeconds), nowMs);
    }
  }

  /** Asks for the stored rows, sends the next request, and asks what else is due. */
  async #exchange(turn: Turn): Promise<{ isSent: boolean; isMore: boolean }> {
    const { settings, output, signal } = this.#context;
    const { eventId } = settings;
    const folder = this.#folder;
    if (this.#live.offline !== undefined) {
      // A small request soon shows the return of the network.
      const probe = connect(settings, { timeoutMs: PROBE_TIMEOUT_MS });
      await probe.listResultBatches(eventId, { page_size: 1 }, { signal });
      this.#live.offline = undefined;
      output.forget('offline');
      output.progress('online');
    }
    if (!settings.clock) await this.#followClock(signal);
    if (turn.isLook && !folder.store.request) await folder.look(signal);
    // No row is sent before all files are read: an older file may come first.
    const sent = this.#isRead || folder.store.request ? await folder.sendNext(signal) : undefined;
    if (sent) {
      const { request, landed } = sent;
      const { batch, refused } = landed;
      const { file } = request;
      const rows = request.rows.length;
      output.progress('sent', { rows, file, name: basename(file), batch });
      if (refused.size > 0) await this.#taken.noticeRejected();
      if (refused.size < rows) this.#turns.storedMs = performance.now();
    }
    const isMore = folder.difference.send.size > 0;
    const isSent = sent !== undefined;
    if (turn.isMissing) await this.#askMissing(signal);
    return { isSent, isMore: (turn.isCheck && (await this.#check(signal))) || isMore };
  }

  /**
   * Asks for the starts, the senders, the official version and the clocks. Sends rows again after a late registration of
   * the bib, or after a possible correction of the start.
   * @returns whether rows are sent again
   */
  async #check(signal: AbortSignal): Promise<boolean> {
    const { client, output, settings } = this.#context;
    const { eventId } = settings;
    const folder = this.#folder;
    await this.#followClock(signal);
    const { data } = await client.listResultBatches(eventId, { page_size: 100 }, { signal });
    this.#keys = heard(this.#keys, sendersOf(data));
    const official = await readOfficial(client, eventId, signal);
    this.#live.official = official;
    if (official?.state !== 'changed_since') output.forget('official');
    else output.once('official', 'official_changed', official, officialText(official));
    const { clocks } = await client.getEventWarnings(eventId, { signal });
    for (const clock of clocks) {
      output.once(`clock ${clock.at} ${clock.point}`, 'wrong_clock', clock, clockText(clock));
    }
    const { points } = await client.getEventPoints(eventId, { signal });
    this.#course = courseOf(folder.passings.items.values(), points);
    this.#live.senders = [...pointsOf(this.#course), ...this.#keys];
    const bibs = await folder.retryRegistered(signal);
    if (bibs.length > 0) output.progress('retried', { bibs });
    const early = folder.difference.left.filter(({ code }) => code === 'before_start');
    if (early.length > 0) await folder.retry(early);
    return bibs.length + early.length > 0;
  }

  /** A changed distance or start makes the command read files with times of day again. */
  async #followClock(signal: AbortSignal): Promise<void> {
    if (!needsClock(this.#context.settings)) return;
    const { store } = this.#folder;
    if (await readClock(this.#context, this.#runners, signal, store)) this.#files.forget();
  }

  async #askMissing(signal: AbortSignal): Promise<void> {
    const { settings, client } = this.#context;
    const query = { page_size: 1 };
    const { meta } = await client.listMissingResults(settings.eventId, query, { signal });
    this.#live.missing = meta.total;
  }

  #noticeOffline(why: string): void {
    const { output } = this.#context;
    this.#live.offline = why;
    const queue = this.#folder.difference.send.size;
    if (output.isNew('offline', '')) output.warning('offline', { why, queue });
    sayKept(this.#context);
  }
}
