type StatusRules = {
  /** The chip time and the gun time are stored. */
  keepsTimes: boolean;
  /** The status needs a time, and counts in positions. */
  hasPosition: boolean;
  /** The runner was in the race. */
  hasStarted: boolean;
  /** The ordinal of the status in a full list. */
  listedAs: number;
};

/** Every status of a result. All facts of a status are derived from here. */
const STATUSES = {
  FINISHED: { keepsTimes: true, hasPosition: true, hasStarted: true, listedAs: 1 },
  DNS: { keepsTimes: false, hasPosition: false, hasStarted: false, listedAs: 4 },
  DNF: { keepsTimes: false, hasPosition: false, hasStarted: true, listedAs: 2 },
  DSQ: { keepsTimes: false, hasPosition: false, hasStarted: true, listedAs: 3 },
} satisfies Record<string, StatusRules>;

export type ResultStatus = keyof typeof STATUSES;

export const STATUS_RULES: Readonly<Record<ResultStatus, StatusRules>> = STATUSES;

export const RESULT_STATUSES = Object.keys(STATUSES) as [ResultStatus, ...ResultStatus[]];

/** In the order of a full list. */
export const LISTED_STATUSES: readonly ResultStatus[] = RESULT_STATUSES.toSorted(
  (one, other) => STATUS_RULES[one].listedAs - STATUS_RULES[other].listedAs,
);

export const statusesWhere = (hold: (rules: StatusRules) => boolean): readonly ResultStatus[] =>
  RESULT_STATUSES.filter((status) => hold(STATUS_RULES[status]));

/** The statuses whose every result has a time and positions. */
export const RANKED_STATUSES = statusesWhere(({ hasPosition }) => hasPosition);

/** A value for each status, in the order of a full list. */
export function byStatus<T>(of: (status: ResultStatus) => T): Record<ResultStatus, T> {
  const entries = LISTED_STATUSES.map((status) => [status, of(status)] as const);
  return Object.fromEntries(entries) as Record<ResultStatus, T>;
}

/** The status of a word of the contract, in any case. */
export function parseStatus(text: string): ResultStatus | undefined {
  const wanted = text.trim().toUpperCase();
  return RESULT_STATUSES.find((status) => status === wanted);
}
