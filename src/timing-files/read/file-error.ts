/** A file that cannot be read as results. The message says what was found and what is accepted. */
export class FileError extends Error {
  /** Whether other parameters could make the file readable. */
  readonly isMendable: boolean;

  constructor(message: string, isMendable = false) {
    super(message);
    this.isMendable = isMendable;
  }
}
