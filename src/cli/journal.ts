import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { ResultRow } from './result-row.ts';

const instant = z.string();

/** What the API counted of a batch. */
const BatchCounts = z.object({
  total_processed: z.int(),
  uploaded: z.int(),
  updated: z.int(),
  not_found: z.int(),
  errors: z.int(),
  duplicates: z.int(),
});

const RejectedRow = z.object({ bib: z.string(), reason: z.string(), code: z.string() });

/** A row of a file that makes no result, whatever the API holds. */
const UnreadableRow = z.object({
  line: z.int(),
  bib: z.string().nullable(),
  reason: z.string(),
  code: z.string(),
});
export type UnreadableRow = z.infer<typeof UnreadableRow>;

/** A decision of a person. The id says whether the journal has it already. */
export const Decision = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('set'),
    id: z.string(),
    at: instant,
    row: ResultRow,
    isHeld: z.boolean(),
  }),
  z.object({ type: z.literal('released'), id: z.string(), at: instant, bib: z.string() }),
  /** The results of a batch were taken back, so the API holds no longer what was sent. */
  z.object({
    type: z.literal('undone'),
    id: z.string(),
    at: instant,
    batch: z.string(),
    bibs: z.array(z.string()),
  }),
]);
export type Decision = z.infer<typeof Decision>;

/** A line of the journal. `source` is the file or folder that the command was started for. */
export const Entry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('opened'), at: instant, event: z.string() }),
  /** A file was read. */
  z.object({
    type: z.literal('read'),
    at: instant,
    source: z.string(),
    file: z.string(),
    header: z.array(z.string()),
    rows: z.int(),
  }),
  /** All the rows of a source that cannot be read, in place of those before. */
  z.object({ type: z.literal('unreadable'), source: z.string(), rows: z.array(UnreadableRow) }),
  /** A person, or `--force`, let a file pass the guards. */
  z.object({
    type: z.literal('accepted'),
    at: instant,
    source: z.string(),
    read: z.string(),
    codes: z.array(z.string()),
    reason: z.string(),
  }),
  z.object({ type: z.literal('queued'), source: z.string(), rows: z.array(ResultRow) }),
  ...Decision.options,
  z.object({
    type: z.literal('sent'),
    at: instant,
    key: z.string(),
    bibs: z.array(z.string()),
  }),
  z.object({
    type: z.literal('answered'),
    at: instant,
    key: z.string(),
    /** Absent where the API refused the batch as a whole. */
    batch: z.string().optional(),
    counts: BatchCounts.optional(),
    failed: z.array(RejectedRow),
  }),
  /** The API does not take the batch under its key again: its rows are queued once more. */
  z.object({ type: z.literal('withdrawn'), key: z.string() }),
  /** Rejected rows whose registration has changed are queued once more. */
  z.object({ type: z.literal('retried'), bibs: z.array(z.string()) }),
]);
export type Entry = z.infer<typeof Entry>;

/** The disk does not take the journal: nothing may be sent until it does. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

const BLOCK_BYTES = 1 << 16;
const NEWLINE = 0x0a;

/**
 * A file of lines that is only appended to. A line counts once its newline is on the disk: a torn last
 * line never happened, and what follows from an entry is done only after `append`.
 */
export class LineFile {
  readonly #handle: FileHandle;
  /** Where the last whole line ends. */
  #end: number;
  #isTorn = false;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(handle: FileHandle, end: number) {
    this.#handle = handle;
    this.#end = end;
  }

  /** Opens a file for one writer, creates it if need be, and removes a torn last line. */
  static async open(path: string, take: (line: string) => void): Promise<LineFile> {
    await mkdir(dirname(path), { recursive: true });
    const { handle, isNew } = await openOrCreate(path);
    try {
      const { end, size } = await readLinesOf(handle, take);
      if (end < size) await handle.truncate(end);
      if (isNew || end < size) await handle.sync();
      if (isNew) await syncFolder(dirname(path));
      return new LineFile(handle, end);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /**
   * Writes lines to the disk, all of them or none.
   * @throws JournalError if the disk does not take them
   */
  append(lines: readonly string[]): Promise<void> {
    const written = this.#last.then(() => this.#write(lines));
    this.#last = written.catch(() => {});
    return written;
  }

  async #write(lines: readonly string[]): Promise<void> {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    try {
      if (this.#isTorn) await this.#handle.truncate(this.#end);
      this.#isTorn = true;
      let written = 0;
      while (written < bytes.length) {
        const at = this.#end + written;
        const { bytesWritten } = await this.#handle.write(bytes, written, undefined, at);
        if (bytesWritten === 0) throw new Error('The disk takes no more bytes');
        written += bytesWritten;
      }
      await this.#handle.datasync();
    } catch (cause) {
      // What part of it arrived must not be taken for a line by the next start.
      await this.#handle.truncate(this.#end).catch(() => {});
      throw new JournalError(String(cause instanceof Error ? cause.message : cause), { cause });
    }
    this.#isTorn = false;
    this.#end += bytes.length;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#handle.close();
  }
}

async function openOrCreate(path: string): Promise<{ handle: FileHandle; isNew: boolean }> {
  try {
    return { handle: await open(path, 'r+'), isNew: false };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return { handle: await open(path, 'wx+', 0o600), isNew: true };
  }
}

/** The whole lines of a file that another process may be writing. None where there is no file. */
export async function readLines(path: string, take: (line: string) => void): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  try {
    await readLinesOf(handle, take);
  } finally {
    await handle.close();
  }
}

/** @returns the size, and where the last whole line ends */
async function readLinesOf(
  handle: FileHandle,
  take: (line: string) => void,
): Promise<{ end: number; size: number }> {
  let rest = Buffer.alloc(0);
  let size = 0;
  let end = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(
      Buffer.alloc(BLOCK_BYTES),
      0,
      BLOCK_BYTES,
      size,
    );
    if (bytesRead === 0) return { end, size };
    size += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let from = 0;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE, from)) {
      take(rest.toString('utf8', from, at));
      end += at + 1 - from;
      from = at + 1;
    }
    rest = rest.subarray(from);
  }
}

/** A new file is on the disk only when its folder is. Windows has no such call, and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

/** @returns undefined for a line that a failing disk has damaged */
export function parseLine<T>(schema: z.ZodType<T>, line: string): T | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
