import type { Participant, ParticipantLookup } from './answer-schemas.ts';
import type { Registration } from './queries.ts';

const VISIBLE_CHARACTERS = 4;

export const toParticipant = (row: Registration): Participant => ({
  ...row,
  registered_at: instantOrNull(row.registered_at),
});

export const toParticipantLookup = (row: Registration): ParticipantLookup => ({
  inscription_id: row.inscription_id,
  bib_number: row.bib_number,
  chip: row.chip,
  full_name: [row.given_names, row.surnames].filter(Boolean).join(' ') || null,
  gender: row.gender,
  category: row.category,
  distance: row.distance,
  kit_status: row.kit_status,
  document: row.document === null ? null : maskDocument(row.document),
});

/** Other systems may write a time that ISO 8601 cannot express in four digits of a year, such as infinity. */
function instantOrNull(instant: Date): string | null {
  const year = instant.getUTCFullYear();
  return year >= 1 && year <= 9999 ? instant.toISOString() : null;
}

/** Shows the last 4 characters, but at most half of them. Asterisks replace the rest. */
export function maskDocument(document: string): string {
  const characters = Array.from(document);
  const visible = Math.min(VISIBLE_CHARACTERS, Math.floor(characters.length / 2));
  const hidden = characters.length - visible;
  return '*'.repeat(hidden) + characters.slice(hidden).join('');
}
