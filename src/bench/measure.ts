/** A line of the report: a figure, its floor and its goal. */
export type Line = {
  operation: string;
  floor?: string;
  measured: string;
  ratio?: string;
  goal: string;
  /** For a goal in trips: the goal in milliseconds. */
  goalMs?: string;
  met: boolean;
  /** Whether a figure without a clock is so far from its goal that no busy machine explains the distance. */
  isBroken?: boolean;
};

/** Ratios of processor time differ by some per cent from run to run. */
export const ROOM = 1.15;

export type Report = {
  lines: Line[];
  /** The method, and further tables, in Markdown. */
  notes: string[];
};

export type Operation<Name extends string = string> = {
  name: Name;
  /** Runs before each measurement. */
  prepare?: () => void;
  run: () => Promise<unknown>;
  /** Restores the state after each measurement. */
  undo?: () => Promise<unknown>;
  /** Reads a clock in ms. The default clock measures elapsed time. */
  clock?: () => number;
};

type Turns = { warmUps: number; samples: number };

/**
 * Measures operations in turns, each operation once in a round, so that a busy moment of the machine affects the floor
 * and the figure alike.
 * @returns the median duration of each operation in ms, without the warm-up rounds
 */
export async function measureInTurns<Name extends string>(
  operations: readonly Operation<Name>[],
  turns: Turns,
): Promise<Map<Name, number>> {
  const durations = await durationsInTurns(operations, turns);
  return new Map(Array.from(durations, ([name, all]) => [name, median(all)]));
}

/**
 * Measures operations in turns. Further machines of the host only add to the time, by half and more. The best run
 * therefore says the most about the code.
 * @returns the duration of the best run of each operation in ms, without the warm-up rounds
 */
export async function bestInTurns<Name extends string>(
  operations: readonly Operation<Name>[],
  turns: Turns,
): Promise<Map<Name, number>> {
  const durations = await durationsInTurns(operations, turns);
  return new Map(Array.from(durations, ([name, all]) => [name, Math.min(...all)]));
}

async function durationsInTurns<Name extends string>(
  operations: readonly Operation<Name>[],
  { warmUps, samples }: Turns,
): Promise<Map<Name, number[]>> {
  const durations = new Map<Name, number[]>();
  for (let round = 0; round < warmUps + samples; round++) {
    for (const { name, prepare, run, undo, clock = () => performance.now() } of operations) {
      prepare?.();
      const startedAt = clock();
      await run();
      const durationMs = clock() - startedAt;
      await undo?.();
      if (round >= warmUps) durations.set(name, [...(durations.get(name) ?? []), durationMs]);
    }
  }
  return durations;
}

/**
 * A clock of elapsed time without the processor time of this process: the client and the gateways run in this process,
 * and production has no gateways.
 */
export function outsideMs(): number {
  const { user, system } = process.cpuUsage();
  return performance.now() - (user + system) / 1_000;
}

/** An operation with a new value before each run. The preparation is not measured. */
export function prepared<T>(
  prepare: () => T,
  run: (ready: T) => Promise<unknown>,
): Pick<Operation, 'prepare' | 'run'> {
  let ready: T | undefined;
  return {
    prepare() {
      ready = prepare();
    },
    run: async () => ready !== undefined && (await run(ready)),
  };
}

/** @throws without values */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  if (middle.length === 0) throw new Error('The median needs a value.');
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

type Ratio = {
  ms: number;
  floorMs: number;
  most: number;
  /** The clock of both figures. A wait for a busy machine adds no processor time. */
  clock?: 'elapsed' | 'processor';
};

/** Compares a figure with its floor in the run. */
export function ratioLine(
  operation: string,
  { ms, floorMs, most, clock = 'elapsed' }: Ratio,
): Line {
  return {
    operation,
    floor: formatMs(floorMs),
    measured: formatMs(ms),
    ratio: (ms / floorMs).toFixed(2),
    goal: `≤ ${most} ×`,
    met: ms <= most * floorMs,
    isBroken: clock === 'processor' && ms > ROOM * most * floorMs,
  };
}

/** @throws if no operation has this name */
export function figureOf<Name extends string>(
  figures: ReadonlyMap<Name, number>,
  name: Name,
): number {
  const ms = figures.get(name);
  if (ms === undefined) throw new Error(`${name} was not measured.`);
  return ms;
}

export const formatMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;

/** The figures of a report as a table, and its notes. */
export const textOf = ({ lines, notes }: Report): string =>
  [...(lines.length > 0 ? [linesTable(lines)] : []), ...notes].join('\n\n');

/** A table of lines, without empty columns. */
function linesTable(lines: readonly Line[]): string {
  const header = ['operation', 'floor', 'measured', 'ratio', 'goal', 'goal in ms', 'met'];
  const rows = lines.map(({ operation, floor, measured, ratio, goal, goalMs, met }) => [
    operation,
    ...[floor, measured, ratio, goal, goalMs].map((cell) => cell ?? '–'),
    met ? 'yes' : 'NO',
  ]);
  const isKept = (_: unknown, column: number) => rows.some((row) => row[column] !== '–');
  return markdownTable(
    header.filter(isKept),
    rows.map((row) => row.filter(isKept)),
  );
}

/** A Markdown table. The first column is text, further columns are figures. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
