import type { registrations } from '../db/schema.ts';
import type { Participant, ParticipantLookup } from './answer-schemas.ts';

type Registration = Omit<typeof registrations.$inferSelect, 'event_id' | 'person_id'>;

const VISIBLE_CHARACTERS = 4;

export const toParticipant = (row: Registration): Participant => ({
  inscription_id: row.id,
  given_names: row.given_names,
  surnames: row.surnames,
  document: row.document,
  email: row.email,
  mobile_phone: row.mobile_phone,
  bib_number: row.bib_number,
  distance: row.distance,
  category: row.category,
  kit_status: row.kit_status,
  gender: row.gender,
  status: row.status,
  registered_at: instantOrNull(row.registered_at),
  chip: row.chip,
});

export const toParticipantLookup = (row: Registration): ParticipantLookup => ({
  inscription_id: row.id,
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
