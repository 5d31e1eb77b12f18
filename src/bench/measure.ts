/** One line of the report: what was measured, beside the floor it is held against and its goal. */
export type Line = {
  operation: string;
  floor?: string;
  measured: string;
  ratio?: string;
  goal?: string;
  /** For a goal that is a ratio: what it would be above a floor of the added delay alone. */
  goalMs?: string;
  /** Absent where nothing is demanded. */
  met?: boolean;
};

export type Report = {
  lines: Line[];
  /** How it was measured, and tables of its own, in Markdown. */
  notes: string[];
};

export type Operation<Name extends string = string> = {
  name: Name;
  /** Not measured. */
  prepare?: () => void;
  run: () => Promise<unknown>;
  /** Undoes what it did; not measured. */
  undo?: () => Promise<unknown>;
  /** Reads a clock, in ms. The default clock shows elapsed time. */
  clock?: () => number;
};

export type Turns = { warmUps: number; samples: number };

/**
 * Runs each operation once a round, one after the other, so that a busy moment of the machine falls
 * on the floor and on what is held against it alike.
 * @returns the median duration of each in ms, warm-up rounds left out
 */
export async function measureInTurns<Name extends string>(
  operations: readonly Operation<Name>[],
  { warmUps, samples }: Turns,
): Promise<Map<Name, number>> {
  const durations = new Map<Name, number[]>();
  for (let round = 0; round < warmUps + samples; round++) {
    for (const { name, prepare, run, undo, clock = () => performance.now() } of operations) {
      prepare?.();
      const startedAt = clock();
      await run();
      const took = clock() - startedAt;
      await undo?.();
      if (round >= warmUps) durations.set(name, [...(durations.get(name) ?? []), took]);
    }
  }
  return new Map(Array.from(durations, ([name, all]) => [name, median(all)]));
}

/** What each run is given anew, and what is measured of it. */
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

/** @throws when there is no value */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  if (middle.length === 0) throw new Error('No median of nothing.');
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

/** A figure held against its floor or peer of the same run. Without `most` nothing is demanded. */
export function ratioLine(
  operation: string,
  { ms, floorMs, most }: { ms: number; floorMs: number; most?: number },
): Line {
  return {
    operation,
    floor: formatMs(floorMs),
    measured: formatMs(ms),
    ratio: (ms / floorMs).toFixed(2),
    ...(most !== undefined && { goal: `≤ ${most} ×`, met: ms <= most * floorMs }),
  };
}

/** @throws when nothing was measured under the name */
export function medianOf<Name extends string>(
  medians: ReadonlyMap<Name, number>,
  name: Name,
): number {
  const ms = medians.get(name);
  if (ms === undefined) throw new Error(`${name} was not measured.`);
  return ms;
}

export const formatMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;

/** A column that no line has anything for is left out. */
export function linesTable(lines: readonly Line[]): string {
  const header = ['operation', 'floor', 'measured', 'ratio', 'goal', 'goal in ms', 'met'];
  const rows = lines.map(({ operation, floor, measured, ratio, goal, goalMs, met }) => [
    operation,
    ...[floor, measured, ratio, goal, goalMs].map((cell) => cell ?? '–'),
    met === undefined ? '–' : met ? 'yes' : 'NO',
  ]);
  const isKept = (_: unknown, column: number) => rows.some((row) => row[column] !== '–');
  return markdownTable(
    header.filter(isKept),
    rows.map((row) => row.filter(isKept)),
  );
}

/** The first column is text, the others are figures. */
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
