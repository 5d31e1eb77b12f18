import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Copy, FollowedLists } from '../../../client/index.ts';
import { sleep } from '../../../client/waiting.ts';
import { CliError, EXIT, type ExitCode, failure } from '../../exit-codes.ts';
import type { PublishedList } from '../../files/published-list.ts';
import { readRaceFile, withPoint, withReading, writeRaceFile } from '../../files/race-file.ts';
import { type Problem, type Version, WatchedFiles } from '../../files/watched-files.ts';
import { replaceOwn } from '../../own-files.ts';
import { connect, explainError, unlessOffline, waitMs } from '../../queue/api.ts';
import { DiskError, type Entry, Queue } from '../../queue/queue.ts';
import { knownOf, NO_CAUSE } from '../../queue/state.ts';
import { localTime, say } from '../../words.ts';
import { needsClock, setClock } from '../clock.ts';
import type { Context } from '../context.ts';
import { courseOf, type OnCourse, onCourse } from '../course.ts';
import { sayRejected } from '../notices.ts';
import { officialText, readOfficial } from '../official.ts';
import { pageOf, viewHtml } from '../page.ts';
import { heard, pointsOf, type Sender, sendersOf } from '../senders.ts';
import { ALONE, exitCodeOf, type Live, type View, viewOf } from '../view.ts';
import { requireSending } from './setup.ts';
import { StartListFile, startListText } from './start-list.ts';
import { readingMark, Stopped, takeVersion, waitingFor } from './take-version.ts';

const LOOK_EVERY_MS = 250;
/** A server that publishes lists takes one request a second. */
const LIST_EVERY_MS = 1_000;
const CHECK_EVERY_MS = 60_000;
/** The start list is asked for after so many pauses between two uploads. */
const START_LIST_PAUSES = 3;
const PROBE_TIMEOUT_MS = 3_000;
/** After an outage, the rows of several files wait. */
const NEXT_UPLOAD_MS = 500;
/** The last comparison with the API, after Ctrl-C. */
const LAST_LOOK_MS = 10_000;

/** Sends what changes in a file or a folder, until Ctrl-C. It asks nobody, and goes on where it stopped. */
export async function watch(context: Context): Promise<ExitCode> {
  const { settings, output } = context;
  const { operand, stateDir } = settings;
  const [list] = settings.lists;
  const target = resolve(settings.folder, operand);
  // The loop has its own idea of when to try again.
  const once = { ...context, client: connect(settings) };
  await unlessOffline(requireSending(once, settings.eventId));
  const startListName = settings.text('start-list');
  const startList = startListName ? new StartListFile(once, startListName) : undefined;
  const queue = await Queue.open(once, target);
  if (queue === 'silent') throw failure(EXIT.running, 'already_running_silent');
  if (!(queue instanceof Queue)) {
    const startedAt = localTime(queue.startedAt);
    throw failure(EXIT.running, 'already_running', { ...queue, startedAt });
  }
  const page = join(stateDir, 'watch.html');
  try {
    const { port, token } = queue.local;
    const url = JSON.stringify(`http://127.0.0.1:${port}/#${token}`);
    await replaceOwn(page, `<script>location.replace(${url})</script>\n`);
    if (settings.has('open')) openInBrowser(page);
    return await new Watch(once, queue, { target, list, startList }).run(page);
  } finally {
    output.end();
    await rm(page, { force: true });
    await queue.close();
  }
}

/** A file in the folder of the state leads to the page: other users could read the token in a command line. */
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

type Watched = {
  target: string;
  list: PublishedList | undefined;
  startList: StartListFile | undefined;
};

/** Looks at the files and sends, beside each other: an upload may hang. */
class Watch {
  readonly #context: Context;
  readonly #queue: Queue;
  readonly #target: string;
  readonly #files: WatchedFiles;
  readonly #list: PublishedList | undefined;
  readonly #startList: StartListFile | undefined;
  /** All passings of the event, and what they say. */
  readonly #passings: Copy<'passings'>;
  #course = courseOf([]);
  /** Everybody who may start. Read if a file has times of day. */
  readonly #runners: Copy<'start-list'>;
  /** The newest batch when the API was asked for the official version; null before that. */
  #officialAt: string | undefined | null = null;
  /** Ends all: at Ctrl-C, or when the key is refused. */
  readonly #stop = new AbortController();
  /** The state that no file keeps. */
  readonly #live: Live = { ...ALONE };
  #keys: readonly Sender[] = [];
  /** When a file has changed last. Times are of a clock that never jumps. */
  #changedMs = performance.now();
  /** Whether something new is to be sent at once. */
  #isUrgent = true;
  #sendMs = 0;
  /** Whether results were stored since the API was asked who has none. */
  #isMissingOld = false;
  /** When the API is asked next what it holds. */
  #checkMs = 0;

  constructor(context: Context, queue: Queue, { target, list, startList }: Watched) {
    const { settings, output, signal } = context;
    this.#context = { ...context, signal: AbortSignal.any([signal, this.#stop.signal]) };
    this.#queue = queue;
    this.#target = target;
    this.#list = list;
    this.#startList = startList;
    this.#passings = context.client.follow('passings', settings.eventId);
    this.#runners = context.client.follow('start-list', settings.eventId);
    // Files that were read in the same way before the start need not be read again.
    const reading = readingMark(settings);
    const knownMark = (file: string) => {
      const [mark, read] = queue.state.sources.get(file)?.mark.split('\n') ?? [];
      return read === reading ? mark : undefined;
    };
    const { settleMs } = settings.pace;
    this.#files = new WatchedFiles(target, settleMs, knownMark, startList?.path);
    queue.onEntry = (entry) => this.#noticeEntry(entry);
    queue.onLost = (bibs) => output.error('lost', { count: bibs.length, bibs });
    queue.pages = {
      live: () => this.#told(),
      page: pageOf,
      view: () => viewHtml(this.#view(), this.#onCourse()),
    };
  }

  /** Other commands and the page show this. */
  #told(): Live {
    const unchangedMinutes = Math.floor((performance.now() - this.#changedMs) / 60_000);
    return { ...this.#live, unchangedMinutes };
  }

  #view(): View {
    return viewOf(this.#queue.state, this.#queue.tally, this.#told());
  }

  /** Runners with a passing and without a result. */
  #onCourse(): OnCourse[] {
    const runners = new Map<string, FollowedLists['passings'] & { bib_number: string }>();
    for (const one of this.#passings.items.values()) {
      const { bib_number } = one;
      const isOut = bib_number !== null && knownOf(this.#queue.state, bib_number).stored === null;
      if (isOut) runners.set(bib_number, { ...one, bib_number });
    }
    return onCourse(runners.values(), this.#course);
  }

  async run(page: string): Promise<ExitCode> {
    const { settings, output, signal } = this.#context;
    const { settleMs, everyMs } = settings.pace;
    const lookMs = Math.min(LOOK_EVERY_MS, settleMs / 4);
    output.progress('watching', { name: basename(this.#target), target: this.#target, page });
    for (const text of this.#queue.lost) output.error('damaged', {}, text);
    const ports = this.#queue.local.taken.join(', ');
    if (ports !== '') output.warning('port_taken', { ports });
    // Somebody else may have written to the event since this folder was watched. What was stopped is read again.
    this.#queue.state.compare ??= NO_CAUSE;
    this.#queue.state.stops.clear();
    await Promise.all([
      this.#repeat(() => this.#look(), lookMs),
      this.#repeat(() => this.#send(), lookMs),
      this.#repeat(() => this.#followStartList(), START_LIST_PAUSES * everyMs),
      this.#repeat(() => this.#askList(this.#context.signal), Math.max(LIST_EVERY_MS, everyMs)),
    ]);
    const { reason } = signal;
    if (!(reason instanceof CliError) || reason.exitCode !== EXIT.interrupted) throw reason;
    return this.#end();
  }

  /** Ends with the signal. While the disk takes no more, the files are looked at again and again. */
  async #repeat(effect: () => Promise<void>, pauseMs: number): Promise<void> {
    const { output, signal } = this.#context;
    try {
      for (;;) {
        await effect().catch((error: unknown) => {
          if (!(error instanceof DiskError)) throw error;
          this.#live.isDiskFull = true;
          this.#files.forget();
          output.once('disk', 'disk', {}, error.message);
        });
        output.status(this.#view(), new Date());
        await sleep(pauseMs, signal);
      }
    } catch (error) {
      this.#stop.abort(error);
    }
  }

  /** Asks for the list of an address. What is wrong with it removes nothing. */
  async #askList(signal: AbortSignal): Promise<void> {
    const { state } = this.#queue;
    if (!this.#list) return;
    const { host } = this.#list;
    const problem = await this.#list.update(signal, state.ignored.includes(host));
    if (problem) {
      const { message: text, isShorter } = problem;
      const answer = isShorter ? 'list_shorter' : 'list';
      return this.#noticeStopped(new Stopped(host, { short: text, text, answer }));
    }
    // The next shorter list is asked about again.
    state.ignored = state.ignored.filter((file) => file !== host);
    await this.#endStop(host);
  }

  /** Keeps the start list in its file. What is wrong with it never stops the results. */
  async #followStartList(): Promise<void> {
    const { output, signal } = this.#context;
    if (!this.#startList) return;
    try {
      const [found] = await unlessOffline(this.#startList.update(signal));
      if (!found) return;
      output.forget('start_list');
      const { isChanged, written } = found;
      if (written) output.progress('start_list', written, startListText(written));
      if (isChanged) await unlessOffline(this.#retryRegistered(signal));
    } catch (error) {
      const known = signal.aborted || error instanceof DiskError ? undefined : explainError(error);
      if (!known) throw error;
      const why = known.message;
      output.once(
        'start_list',
        'start_list_not_kept',
        { why },
        say('start_list_not_kept', { why }),
      );
    }
  }

  /** @throws RaceResultsError, DiskError, or the signal's reason */
  async #compare(signal: AbortSignal): Promise<void> {
    this.#queue.state.compare ??= NO_CAUSE;
    await this.#queue.compare(signal);
    this.#live.offline = null;
  }

  /** Reads and sends every file once more as it is now, and compares with the API. @throws like `#compare` */
  async #sendLast(signal: AbortSignal): Promise<void> {
    const [, offline] = await unlessOffline(this.#compare(signal));
    if (offline) this.#live.offline = offline.why;
    const context = { ...this.#context, signal };
    await this.#askList(signal);
    for await (const found of this.#files.again()) await this.#take(found, context);
    await this.#queue.sendAll(signal);
    await this.#compare(signal);
    await this.#askMissing(signal);
  }

  /** Sends what is left, and says which rows of the files are stored and what became of the others. */
  async #end(): Promise<ExitCode> {
    const { output } = this.#context;
    output.end();
    const isCompared = await this.#sendLast(AbortSignal.timeout(LAST_LOOK_MS)).then(
      () => true,
      () => false,
    );
    const { results, stored, decided, queue, rejected, heldBack, unfiled, disputed } =
      this.#queue.tally;
    const unread = (await this.#files.unread()).map((file) => basename(file));
    const view = this.#view();
    const counts = {
      missing: view.facts.missing,
      results,
      stored,
      not_stored: results - stored,
      queue,
      rejected: rejected.length,
      held_back: heldBack.length,
      decided,
      disputed: disputed.length,
      unfiled: unfiled.length,
      unread,
      is_compared: isCompared,
    };
    const exitCode = exitCodeOf(view);
    const isAll = exitCode === EXIT.done && stored === results && unread.length === 0;
    const end = isCompared ? (isAll ? 'stopped_all_stored' : 'stopped') : 'stopped_not_compared';
    output.answer('stopped', counts, say(end, counts));
    if (unread.length > 0) output.error('not_read', {}, say('stopped_unread', { unread }));
    for (const { text } of this.#queue.state.stops.values()) output.error('not_read', {}, text);
    const isWaiting = queue > 0 || !isCompared || unread.length > 0;
    return exitCode === EXIT.done && isWaiting ? EXIT.offline : exitCode;
  }

  /** A decision in another terminal or on the page may let a stopped version pass. */
  async #noticeEntry(entry: Entry): Promise<void> {
    const { settings } = this.#context;
    if (entry.type === 'reading') await this.#keepReading(entry);
    settings.race = readRaceFile(settings.folder);
    // The starts may have changed.
    settings.clock = undefined;
    // Any file may be read in another way now.
    this.#files.forget(entry.type === 'checked' ? undefined : this.#queue.state.stops.keys());
    this.#isUrgent = true;
  }

  /** @throws CliError if the file is not stopped any more */
  async #keepReading({ file, point }: Extract<Entry, { type: 'reading' }>): Promise<void> {
    const { folder } = this.#context.settings;
    const reading = this.#queue.state.stops.get(file)?.reading;
    if (!reading) throw failure(EXIT.usage, 'not_stopped', { file: basename(file) });
    const kept = point ? { ...reading, read: withPoint(reading.read, point) } : reading;
    await writeRaceFile(folder, withReading(readRaceFile(folder), kept));
  }

  async #look(): Promise<void> {
    const { count, compare } = this.#queue.state;
    // What would change is not known before the API has said what it holds.
    if (count === null || (compare && this.#live.offline === null)) return;
    if (this.#list && !this.#list.isThere) return;
    for await (const found of this.#files.look(performance.now())) {
      await this.#take(found, this.#context);
    }
    // A file that was stopped may have been put elsewhere, and a folder that was away is back.
    for (const file of this.#queue.state.stops.keys()) {
      if (file === this.#list?.host) continue;
      const isOver = file === this.#target ? this.#files.isFolder : !existsSync(file);
      if (isOver) await this.#endStop(file);
    }
    this.#live.isDiskFull = false;
  }

  async #take(found: Version | Problem, context: Context): Promise<void> {
    const { file } = found;
    try {
      if ('problem' in found) throw waitingFor(found);
      const { offline } = this.#live;
      const watch = { context, queue: this.#queue, target: this.#target, offline };
      const isTaken = await takeVersion(watch, found);
      await this.#endStop(file);
      if (!isTaken) return;
      this.#changedMs = performance.now();
      this.#isUrgent ||= offline === null;
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      await this.#noticeStopped(error);
    }
  }

  async #endStop(file: string): Promise<void> {
    if (!this.#queue.state.stops.delete(file)) return;
    this.#context.output.forget(`stopped ${file}`);
    await this.#queue.save();
  }

  async #noticeStopped({ file, stop }: Stopped): Promise<void> {
    const { output } = this.#context;
    const { state } = this.#queue;
    const isIgnored = stop.answer === 'no_results' && state.ignored.includes(file);
    const { short, text } = stop;
    // It is looked at again until the API can be asked.
    if (short === '') this.#files.forget([file]);
    if (isIgnored || short === '') await this.#endStop(file);
    if (isIgnored) return;
    if (short !== '') {
      state.stops.delete(file);
      state.stops.set(file, stop);
      await this.#queue.save();
    }
    output.once(`stopped ${file}`, 'not_read', { file, short }, text);
  }

  /** Sends one upload if it is time, and decides when the next one is due. */
  async #send(): Promise<void> {
    if (!this.#isUrgent && performance.now() < this.#sendMs) return;
    const { everyMs } = this.#context.settings.pace;
    this.#isUrgent = false;
    const [isMore, offline] = await unlessOffline(this.#exchange());
    if (offline) this.#noticeOffline(offline.why);
    const calmMs = isMore ? Math.min(everyMs, NEXT_UPLOAD_MS) : everyMs;
    const pauseMs = offline ? waitMs(offline.retryAfterSeconds) : calmMs;
    this.#sendMs = performance.now() + pauseMs;
  }

  /** Sends what is next, and asks now and then what the API holds. @returns whether more is to be sent */
  async #exchange(): Promise<boolean> {
    const { settings, output, signal } = this.#context;
    const { eventId } = settings;
    if (this.#live.offline !== null) {
      // A small request tells soon when the network is back.
      const probe = connect(settings, { timeoutMs: PROBE_TIMEOUT_MS });
      await probe.listResultBatches(eventId, { page_size: 1 }, { signal });
      this.#live.offline = null;
      output.forget('offline');
      output.progress('online');
    }
    if (!settings.clock) await this.#followClock(signal);
    const sent = await this.#queue.sendNext(signal);
    if (sent) {
      const { file, rows, batch, failed, uploaded } = sent;
      output.progress('sent', { rows, file, name: basename(file), batch });
      // Its rejected rows are written down when the file is looked at again.
      if (failed > 0) this.#files.forget([file]);
      if (failed > 0) sayRejected(output, this.#queue.tally.rejected, settings);
      // Runners have results who had none. While more waits, uploads go first.
      this.#isMissingOld ||= uploaded > 0;
      if (this.#isMissingOld && this.#queue.tally.queue === 0) await this.#askMissing(signal);
    }
    if (performance.now() < this.#checkMs) return sent !== undefined;
    await this.#followClock(signal);
    const batches = await this.#queue.check(signal);
    this.#keys = heard(this.#keys, sendersOf(batches));
    await this.#checkOfficial(batches[0]?.id, signal);
    await this.#passings.update({ signal });
    this.#course = courseOf(this.#passings.items.values());
    this.#live.senders = [...pointsOf(this.#course), ...this.#keys];
    await this.#askMissing(signal);
    this.#checkMs = performance.now() + CHECK_EVERY_MS;
    const isRetried = await this.#retryRegistered(signal);
    return sent !== undefined || isRetried || this.#queue.state.compare !== null;
  }

  async #retryRegistered(signal: AbortSignal): Promise<boolean> {
    const bibs = await this.#queue.retryRegistered(signal);
    if (bibs.length > 0) this.#context.output.progress('retried', { bibs });
    return bibs.length > 0;
  }

  /** Files with times of day are read again when a distance has changed. */
  async #followClock(signal: AbortSignal): Promise<void> {
    const { settings } = this.#context;
    if (!needsClock(settings)) return;
    const { changed, removed } = await this.#runners.update({ signal });
    if (settings.clock && changed.length + removed.length === 0) return;
    setClock(settings, this.#runners.items.values());
    this.#files.forget();
  }

  async #askMissing(signal: AbortSignal): Promise<void> {
    const { settings, client } = this.#context;
    const query = { page_size: 1 };
    const { meta } = await client.listMissingResults(settings.eventId, query, { signal });
    this.#live.missing = meta.total;
    this.#isMissingOld = false;
  }

  /** Asks after each batch whether the results are still the official ones, and again while they are not. */
  async #checkOfficial(batch: string | undefined, signal: AbortSignal): Promise<void> {
    const { settings, client, output } = this.#context;
    const isSame = this.#live.official?.state !== 'changed_since' && batch === this.#officialAt;
    if (isSame) return;
    const official = await readOfficial(client, settings.eventId, signal);
    this.#officialAt = batch;
    this.#live.official = official;
    if (official?.state !== 'changed_since') return output.forget('official');
    output.once('official', 'official_changed', official, officialText(official));
  }

  #noticeOffline(why: string): void {
    const { output } = this.#context;
    this.#live.offline = why;
    const queue = this.#queue.tally.queue;
    if (output.isNew('offline', '')) output.warning('offline', { why, queue });
  }
}
