export const RESULT_STATUSES = ['FINISHED', 'DNS', 'DNF', 'DSQ'] as const;

export type ResultStatus = (typeof RESULT_STATUSES)[number];

/** The status that a text names as the contract writes it, in any case. */
export function parseStatus(text: string): ResultStatus | undefined {
  const wanted = text.trim().toUpperCase();
  return RESULT_STATUSES.find((status) => status === wanted);
}
