import {
  DEFAULT_RULE,
  RANKING_RULES,
  RANKS,
  type RankTime,
} from '../../timing-files/read/ranking-rule.ts';
import { markdownTable } from '../markdown-table.ts';

const TIMES: Readonly<Record<RankTime, string>> = { chip: 'chip time', gun: 'gun time' };

/** The rules of ranking, and the time that each kind of place within a distance counts by. */
export const rankingTable = (): string =>
  markdownTable(
    ['`rank_by`', 'Overall and by gender', 'By category'],
    RANKING_RULES.map((rule) => [
      rule === DEFAULT_RULE ? `\`${rule}\`, the default` : `\`${rule}\``,
      TIMES[RANKS[rule].overall],
      TIMES[RANKS[rule].category],
    ]),
  );
