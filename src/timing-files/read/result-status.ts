export const RESULT_STATUSES = ['FINISHED', 'DNS', 'DNF', 'DSQ'] as const;

export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The status of a word of the contract, in any case. */
export function parseStatus(text: string): ResultStatus | undefined {
  const wanted = text.trim().toUpperCase();
  return RESULT_STATUSES.find((status) => status === wanted);
}
