/**
 * Why a row is left to a person:
 * - `decided`: the first four. A person decided the stored result, or removed the sent result.
 * - `impossible`: the reasons from `too_fast` to `passing_of_dns`.
 * - `others` and `many`: the last two.
 */
export const LEFT_REASONS = [
  'decided_by_person',
  'deleted_by_person',
  'disqualified',
  'taken_back',
  'too_fast',
  'too_slow',
  'second_finish',
  'before_start',
  'dns_with_passing',
  'faster_than_point',
  'after_finish',
  'second_passing',
  'passing_of_dns',
  'of_another_sender',
  'too_many_changes',
] as const;

/** The maximum of left rows in a preview. */
export const LEFT_PREVIEWED = 1_000;
