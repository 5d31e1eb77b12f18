import type { ErrorCode } from './errors.ts';

/** A line of the log. The fields are ids, numbers and words of this code, never a client's text. */
export type LogLine = {
  level: 'info' | 'error';
  message?: string;
  /** Of so many reads, this line alone was written: see `sampled`. */
  rate?: number;
  /** The client's name of its request. The name is shorter than a key. */
  request_id?: string;
  /** The deployed version, and Cloudflare's names of the request and the data center. */
  version?: string | undefined;
  ray?: string | undefined;
  colo?: string | undefined;
  method?: string;
  /** The pattern of the path: the path itself may contain personal data. */
  route?: string;
  status?: number;
  /** The code of an error's answer. */
  code?: ErrorCode;
  /** Why a request was refused with 400 or 413, and how many inputs are wrong. */
  refusal?: string;
  count?: number;
  /** The documented names of these inputs. */
  inputs?: readonly string[] | undefined;
  organization_id?: string;
  event_id?: string;
  batch_id?: string;
  key_id?: string;
  /** The first 12 characters of the key, by which its owner recognizes the key. */
  key_prefix?: string;
  /** The id of the operation in the API document. */
  operation?: string;
  /** The operation answers personal data. */
  personal?: true;
  /** The panel's id of the user, and the settings of the board that the user changed. */
  user_id?: string | undefined;
  board_enabled?: boolean | undefined;
  board_names?: string | undefined;
  /** How the event ranks from now on, and which places have a prize. */
  rule?: string | undefined;
  prizes?: string | undefined;
  ms?: number;
  /** The milliseconds of waiting for Postgres and for Redis, which may overlap. */
  postgres_ms?: number;
  redis_ms?: number;
  /** Sequential round trips to the database. */
  trips?: number;
  /** Rows of a read, or rows of an upload. */
  rows?: number;
  /** Rows of an upload that were not stored: without a registration, with an error, or sent again. */
  not_found?: number;
  errors?: number;
  duplicates?: number;
  /** The client left before the answer. */
  client_gone?: true;
  /** Requests without a count in Redis. */
  uncounted?: number;
};

/** The fields that an endpoint adds to the line of its request. */
export type LogFields = Partial<LogLine> & { trips: number };

/** Waits for an answer, and adds the time to the line of the request. */
export async function timed<Answer>(
  fields: Partial<LogLine>,
  name: 'postgres_ms' | 'redis_ms',
  answer: Promise<Answer>,
): Promise<Answer> {
  const startedAt = Date.now();
  try {
    return await answer;
  } finally {
    fields[name] = (fields[name] ?? 0) + Date.now() - startedAt;
  }
}

/** Messages that an alert looks for. */
export const CANNOT_START = 'The Worker cannot start';
export const NOT_PRUNED = 'The history of uploads was not pruned';

/** Writes JSON lines to the console, which the platform collects. */
export type Log = {
  info(line: LogLine): void;
  error(message: string, error: unknown, line?: Partial<LogLine>): void;
};

export const consoleLog: Log = {
  info: (line) => console.log(JSON.stringify(line)),
  error: (message, error, line) =>
    console.error(JSON.stringify({ level: 'error', message, ...line, error: describe(error) })),
};

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** An alert looks for the lines of this route. */
const PROBED = '/readyz';

/** Whether a line may be left out: an answered read without personal data, not refused by the limit. */
const isRoutine = ({ level, method = '', status = 0, route, personal }: LogLine): boolean =>
  level === 'info' &&
  READS.has(method) &&
  status > 0 &&
  status < 500 &&
  status !== 429 &&
  route !== PROBED &&
  !personal;

/**
 * Writes a line for 1 in `rate` reads, with the rate. Lines of writes, of 429, of 5xx, of personal data and of the
 * probe are always written.
 */
export function sampled(log: Log, rate: number, random = Math.random): Log {
  if (rate === 1) return log;
  return {
    ...log,
    info: (line) => {
      if (!isRoutine(line)) log.info(line);
      else if (random() * rate < 1) log.info({ ...line, rate });
    },
  };
}

/** JSON leaves out an undefined error. */
function describe(error: unknown): unknown {
  if (Array.isArray(error)) return error.map(describe);
  if (!(error instanceof Error)) return error === undefined ? undefined : typeof error;
  const { name, message, stack, cause } = error;
  return { name, message, stack, cause: describe(cause) };
}
