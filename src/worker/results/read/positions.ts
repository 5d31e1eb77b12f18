import type { ResultRow } from './queries.ts';

/** Null where the runner did not finish, or has not what the position is counted by. */
export type Positions = Record<
  | 'position_overall'
  | 'position_gender'
  | 'position_category'
  | 'position_distance'
  | 'position_distance_gender'
  | 'position_distance_category',
  number | null
>;

/**
 * How many finishers of each gender, category and distance are faster than the last of a page, in the
 * order of their steps: those on a step beat the page's rows on all later ones.
 */
export type Crowd = [
  step: number,
  gender: string | null,
  category: string | null,
  distance: string | null,
  entries: number,
][];

type Runner = Pick<ResultRow, 'gender' | 'category' | 'distance'>;

/** Adds the positions of each row. The rows stand in the order of their steps. */
export function withPositions(rows: readonly ResultRow[], crowd: Crowd): (ResultRow & Positions)[] {
  const overall = createRanking();
  const gender = createRanking('gender');
  const category = createRanking('category');
  const distance = createRanking('distance');
  const distanceGender = createRanking('distance', 'gender');
  const distanceCategory = createRanking('distance', 'category');
  const rankings = [overall, gender, category, distance, distanceGender, distanceCategory];

  let next = 0;
  const addFasterThan = (step: number) => {
    for (let cell = crowd[next]; cell && cell[0] < step; cell = crowd[++next]) {
      const [, gender, category, distance, entries] = cell;
      for (const ranking of rankings) ranking.add({ gender, category, distance }, entries);
    }
  };

  return rows.map((row) => {
    if (row.step !== null) addFasterThan(row.step);
    const placeIn = (ranking: Ranking) => (row.step === null ? null : ranking.placeOf(row));
    return {
      ...row,
      position_overall: placeIn(overall),
      position_gender: placeIn(gender),
      position_category: placeIn(category),
      position_distance: placeIn(distance),
      position_distance_gender: placeIn(distanceGender),
      position_distance_category: placeIn(distanceCategory),
    };
  });
}

type Ranking = ReturnType<typeof createRanking>;

/** Counts finishers, fastest first, apart by what they have in these columns. */
function createRanking(...columns: (keyof Runner)[]) {
  const finishers = new Map<string, number>();
  function keyOf(runner: Runner): string | undefined {
    const values = columns.map((column) => runner[column]);
    // Postgres stores no NUL, so no two groups have the same key.
    return values.includes(null) ? undefined : values.join('\0');
  }
  return {
    add(runner: Runner, entries: number): void {
      const key = keyOf(runner);
      if (key !== undefined) finishers.set(key, (finishers.get(key) ?? 0) + entries);
    },
    placeOf(runner: Runner): number | null {
      const key = keyOf(runner);
      return key === undefined ? null : 1 + (finishers.get(key) ?? 0);
    },
  };
}
