/** The times behind a ranking. Without a chip time, a runner is ranked by gun time, and vice versa. */
export type RankTime = 'chip' | 'gun';

export type Ranks = {
  /** Places within the distance, also by gender, and the order of lists. */
  overall: RankTime;
  /** Places by category within the distance. */
  category: RankTime;
};

/** Every rule by which an event can rank. All facts of a rule are derived from here. */
const RULES = {
  chip: { overall: 'chip', category: 'chip' },
  gun: { overall: 'gun', category: 'gun' },
  gun_overall: { overall: 'gun', category: 'chip' },
} satisfies Record<string, Ranks>;

export type RankingRule = keyof typeof RULES;

export const RANKS: Readonly<Record<RankingRule, Ranks>> = RULES;

export const RANKING_RULES = Object.keys(RULES) as [RankingRule, ...RankingRule[]];

export const isRankingRule = (text: string): text is RankingRule => Object.hasOwn(RULES, text);

/** The rule of an event without a rule, and of an event with an unknown rule. */
export const DEFAULT_RULE = 'chip' satisfies RankingRule;

export const rulesWhere = (hold: (ranks: Ranks) => boolean): readonly RankingRule[] =>
  RANKING_RULES.filter((rule) => hold(RANKS[rule]));
