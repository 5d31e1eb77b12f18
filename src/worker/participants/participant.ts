import type { Participant, ParticipantLookup } from './answer-schemas.ts';

const VISIBLE_CHARACTERS = 4;

export const toParticipantLookup = (row: Participant): ParticipantLookup => ({
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

/** Shows the last 4 characters, but at most half of them. Asterisks replace the rest. */
export function maskDocument(document: string): string {
  const characters = Array.from(document);
  const visible = Math.min(VISIBLE_CHARACTERS, Math.floor(characters.length / 2));
  const hidden = characters.length - visible;
  return '*'.repeat(hidden) + characters.slice(hidden).join('');
}
