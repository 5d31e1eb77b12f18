type Line = Record<string, unknown>;

/** Writes JSON lines to the console, which the platform collects. Never log a key or personal data. */
export type Log = {
  info(line: Line): void;
  error(message: string, error: unknown, line?: Line): void;
};

export const consoleLog: Log = {
  info: (line) => console.log(JSON.stringify(line)),
  error: (message, error, line) =>
    console.error(JSON.stringify({ level: 'error', message, ...line, error: describe(error) })),
};

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) };
}
