import { type FaultValues, FILE_FAULTS, type FileFault, type PlainFault } from './file-faults.ts';

/** The fault of a file, as a word for programs. */
type FileErrorCode =
  | 'unreadable_file'
  | 'no_bib_column'
  | 'no_time_column'
  | 'unknown_column'
  | 'too_many_rows';

const CODES: Partial<Record<FileFault, FileErrorCode>> = {
  no_bib_column: 'no_bib_column',
  no_bib_number: 'no_bib_column',
  no_time_column: 'no_time_column',
  no_time_number: 'no_time_column',
  no_point_column: 'no_time_column',
  no_point_number: 'no_time_column',
  unknown_column: 'unknown_column',
  too_many_rows: 'too_many_rows',
};

/** Other parameters could make the file readable. */
const MENDABLE: ReadonlySet<FileFault> = new Set([
  'no_bib_column',
  'no_bib_number',
  'no_time_column',
  'no_time_number',
  'no_point_column',
  'no_point_number',
  'nul_in_header',
  'controls_in_header',
  'twins_differ',
]);

type Values = Readonly<Record<string, string | number>>;

/** What a sentence in another language needs. `case` is the fault, and `why` has sentences in English alone. */
type Said = Readonly<{ case: FileFault; why?: string }> & Values;

/** A file that is unreadable as results. The message says what was found and what is accepted. */
export class FileError extends Error {
  readonly fault: FileFault;
  readonly values: Values;
  readonly code: FileErrorCode;
  readonly said: Said;
  /** Whether further parameters, not yet in the message, could make the file readable. */
  readonly isMendable: boolean;

  private constructor(fault: FileFault, values: Values, remedy: readonly string[] = []) {
    super([filled(FILE_FAULTS[fault], values), ...remedy].join(' '));
    this.fault = fault;
    this.values = values;
    this.code = CODES[fault] ?? 'unreadable_file';
    this.said = { case: fault, ...values, ...(remedy.length > 0 && { why: remedy.join(' ') }) };
    this.isMendable = remedy.length === 0 && MENDABLE.has(fault);
  }

  static of(fault: PlainFault): FileError;
  static of<Fault extends FileFault>(fault: Fault, values: FaultValues<Fault>): FileError;
  static of(fault: FileFault, values: Values = {}): FileError {
    return new FileError(fault, values);
  }

  /** The error with sentences about ways to read the file. */
  with(remedy: readonly string[]): FileError {
    return new FileError(this.fault, this.values, remedy);
  }
}

function filled(text: string, values: Values): string {
  const [start = '', ...parts] = text.split('{');
  const rest = parts.map((part) => {
    const end = part.indexOf('}');
    return `${values[part.slice(0, end)]}${part.slice(end + 1)}`;
  });
  return start + rest.join('');
}

/** The answer of a reading, or the reason for refusing the file. */
export function orRefusal<Read>(read: () => Read): Read | FileError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}
