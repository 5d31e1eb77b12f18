import type { FinisherCount, ListedResult } from './queries.ts';

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

type Runner = Pick<ListedResult, 'gender' | 'category' | 'distance'>;

/**
 * Adds the positions of each row.
 * @param rows in the order of their `time_place`
 * @param fasterThanPage in the same order
 */
export function withPositions(
  rows: readonly ListedResult[],
  fasterThanPage: readonly FinisherCount[],
): (ListedResult & Positions)[] {
  const overall = createRanking();
  const gender = createRanking('gender');
  const category = createRanking('category');
  const distance = createRanking('distance');
  const distanceGender = createRanking('distance', 'gender');
  const distanceCategory = createRanking('distance', 'category');
  const rankings = [overall, gender, category, distance, distanceGender, distanceCategory];

  let next = 0;
  const addFasterThan = (timePlace: number) => {
    for (
      let counted = fasterThanPage[next];
      counted && counted[0] < timePlace;
      counted = fasterThanPage[++next]
    ) {
      const [, gender, category, distance, finishers] = counted;
      for (const ranking of rankings) ranking.add({ gender, category, distance }, finishers);
    }
  };

  return rows.map((row) => {
    const { time_place } = row;
    if (time_place !== null) addFasterThan(time_place);
    const placeIn = (ranking: Ranking) => (time_place === null ? null : ranking.placeOf(row));
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

/** Counts finishers, fastest first, for each combination of values in these columns. */
function createRanking(...columns: (keyof Runner)[]) {
  const finishers = new Map<string, number>();
  function keyOf(runner: Runner): string | undefined {
    const values = columns.map((column) => runner[column]);
    // Postgres stores no NUL, so no two groups have the same key.
    return values.includes(null) ? undefined : values.join('\0');
  }
  return {
    add(runner: Runner, added: number): void {
      const key = keyOf(runner);
      if (key !== undefined) finishers.set(key, (finishers.get(key) ?? 0) + added);
    },
    placeOf(runner: Runner): number | null {
      const key = keyOf(runner);
      return key === undefined ? null : 1 + (finishers.get(key) ?? 0);
    },
  };
}
