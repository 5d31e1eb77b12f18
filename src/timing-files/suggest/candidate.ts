/** A possible answer to one question about a file. */
export type Candidate<Value> = {
  value: Value;
  /** How far from the likeliest: 0 for the first choice. */
  penalty: number;
  /** Whether nothing but the lack of a better one speaks for it. A person then decides. */
  isGuess?: boolean;
};

export const sure = <Value>(value: Value): Candidate<Value> => ({ value, penalty: 0 });
