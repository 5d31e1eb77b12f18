type Line = Record<string, unknown>;

/** JSON lines on the console, where the platform collects them: no key, no personal data, ever. */
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
