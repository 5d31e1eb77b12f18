/**
 * The longest text for a regular expression of this wing. No time, status or column name is longer. Without this limit,
 * a long cell could keep the isolate from answering further requests.
 */
export const PATTERN_TEXT_MAX = 100;

/** A regular expression for short texts. A longer text does not match and is not changed. */
export class Pattern {
  readonly #expression: RegExp;

  constructor(expression: RegExp) {
    this.#expression = expression;
  }

  test(text: string): boolean {
    return isShort(text) && this.#expression.test(text);
  }

  /** The matched text and its groups; empty if the text does not match. */
  groups(text: string): readonly (string | undefined)[] {
    return (isShort(text) && this.#expression.exec(text)) || [];
  }

  /** The groups of each match. The expression needs the flag `g`. */
  allGroups(text: string): readonly (string | undefined)[][] {
    return isShort(text) ? [...text.matchAll(this.#expression)] : [];
  }

  replace(text: string, replacement: string | ((match: string) => string)): string {
    // Both kinds of replacement are accepted, but only by different signatures.
    if (!isShort(text)) return text;
    return typeof replacement === 'string'
      ? text.replace(this.#expression, replacement)
      : text.replace(this.#expression, replacement);
  }
}

const isShort = (text: string): boolean => text.length <= PATTERN_TEXT_MAX;
