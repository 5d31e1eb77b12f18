import type { Prose } from '../http/documentation.ts';
import type { Pair, PairIdOf } from './pair.ts';

/** Makes the prose of the panel's operation from the prose of the operation for keys. */
export type PanelProse = (pair: Pair, ofKeys: Prose) => Prose;

/** The prose of these pairs: of the operations for keys, or of the panel's. */
export type KeyProseOf<Pairs extends readonly Pair[]> = Record<PairIdOf<Pairs, 'key'>, Prose>;
export type PanelProseOf<Pairs extends readonly Pair[]> = Record<
  PairIdOf<Pairs, 'member'>,
  PanelProse
>;

/**
 * Describes the differences between the panel's operation and the operation for keys. `more` follows the sentence with
 * the reference.
 */
export const inPanel =
  ({
    more = '',
    answer,
    ...words
  }: Pick<Prose, 'tag'> &
    Partial<Pick<Prose, 'summary' | 'description' | 'errors'>> & {
      more?: string;
      answer?: Partial<Prose['answer']>;
    }): PanelProse =>
  ({ method, ids: { key } }, ofKeys) => ({
    ...ofKeys,
    summary: `${ofKeys.summary} in the panel`,
    description:
      (method === 'get' ? `Answers what \`${key}\` answers.` : `Does what \`${key}\` does.`) + more,
    ...words,
    answer: { ...ofKeys.answer, ...answer },
  });
