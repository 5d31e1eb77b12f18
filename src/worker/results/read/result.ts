import { toResultContent } from '../result-content.ts';
import type { Result } from './answer-schemas.ts';
import type { Positions } from './positions.ts';
import type { ListedResult } from './queries.ts';

export const toResult = (row: Omit<ListedResult, 'time_place'> & Positions): Result => ({
  inscription_id: row.registration_id,
  bib_number: row.bib_number,
  ...toResultContent(row),
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  position_overall: row.position_overall,
  position_gender: row.position_gender,
  position_category: row.position_category,
  position_distance: row.position_distance,
  position_distance_gender: row.position_distance_gender,
  position_distance_category: row.position_distance_category,
  updated_at: new Date(row.updated_at_ms).toISOString(),
});
