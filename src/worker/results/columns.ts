import type { replacedResults, results } from '../db/schema.ts';

/** The written columns of a table: Postgres computes the rest. */
type Written<Table extends { $inferInsert: object }> = keyof Table['$inferInsert'] & string;

type OfResult = Exclude<Written<typeof results>, 'registration_id' | 'event_id'>;
type OfHistory = Exclude<Written<typeof replacedResults>, 'registration_id' | 'replaced_by'>;

/** A column of a result. The history of a result has exactly the columns of the result. */
export type ResultColumn = [OfResult, OfHistory] extends [OfHistory, OfResult] ? OfResult : never;

/**
 * The columns of a result beside its registration and its event. Each statement that writes results, keeps replaced
 * results or reads history is built from this list. A column missing in `results`, in `replaced_results` or in the list
 * is a compile error.
 */
export const RESULT_COLUMNS: readonly string[] = Object.keys({
  /** The upload behind the result. */
  batch_id: true,
  /** The revert that restored the result. */
  restored_by: true,
  status: true,
  chip_time_ms: true,
  gun_time_ms: true,
  splits: true,
  first_finished_at: true,
  decided_by_person: true,
  updated_at: true,
} satisfies Record<ResultColumn, true>);
