/** What a preview tells of one reading of a file. */
export type Seen = {
  columns: readonly { meaning: string | null }[];
  counts: { uploaded: number; updated: number; not_found: number; left?: number };
};

/** The share of bibs that must be registered. */
const KNOWN = 0.8;
/** A reading with fewer known bibs is no better reading: most of its rows fail. */
const MANY = 0.5;

/**
 * Whether a person has to confirm a suggestion: fewer than four fifths of its bibs are registered, another reading
 * leaves a smaller share of bibs unknown, or a column gets a meaning that contradicts its header.
 * @param suggested the preview with the suggested parameters
 * @param plain the preview with the parameters that were sent
 * @param answers previews of other answers
 */
export function mustAsk(suggested: Seen, plain: Seen, answers: readonly Seen[] = []): boolean {
  const { known, share } = bibsOf(suggested);
  const isBetter = (other: Seen) => {
    const bibs = bibsOf(other);
    return bibs.known >= known * MANY && bibs.share > share;
  };
  return share < KNOWN || [plain, ...answers].some(isBetter) || contradicts(suggested, plain);
}

function bibsOf({ counts: { uploaded, updated, not_found, left = 0 } }: Seen) {
  const known = uploaded + updated + left;
  return { known, share: known === 0 ? 0 : known / (known + not_found) };
}

const isResult = (meaning: string | null): boolean => meaning !== null && meaning !== 'split';

/**
 * Whether the header says bib or gun time of a column, and the suggestion says something else, or the other way round.
 */
const contradicts = ({ columns }: Seen, plain: Seen): boolean =>
  plain.columns.some(({ meaning }, at) => {
    const other = columns[at]?.meaning ?? null;
    if (!isResult(meaning) || !isResult(other) || meaning === other) return false;
    return meaning === 'bib' || other === 'bib' || meaning === 'gun_time';
  });
