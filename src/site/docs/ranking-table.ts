import {
  DEFAULT_RULE,
  RANKING_RULES,
  RANKS,
  type RankTime,
} from '../../timing-files/read/ranking-rule.ts';
import { markdownTable } from '../markdown-table.ts';

type Words = Readonly<Record<RankTime | 'overall' | 'category' | 'byDefault', string>>;

const WORDS = {
  en: {
    chip: 'chip time',
    gun: 'gun time',
    overall: 'Overall and by gender',
    category: 'By category',
    byDefault: 'the default',
  },
  es: {
    chip: 'tiempo de chip',
    gun: 'tiempo de pistola',
    overall: 'General y por género',
    category: 'Por categoría',
    byDefault: 'si nadie elige otra',
  },
} satisfies Record<string, Words>;

/** The rules of ranking, and the time behind each kind of place within a distance. */
export function rankingTable(language: keyof typeof WORDS): string {
  const words: Words = WORDS[language];
  return markdownTable(
    ['`rank_by`', words.overall, words.category],
    RANKING_RULES.map((rule) => [
      rule === DEFAULT_RULE ? `\`${rule}\`, ${words.byDefault}` : `\`${rule}\``,
      words[RANKS[rule].overall],
      words[RANKS[rule].category],
    ]),
  );
}
