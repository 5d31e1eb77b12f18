import { instantIn } from '../../../../../timing-files/read/race-clock.ts';
import type { Start } from '../../../../../timing-files/read/starts.ts';

/** A start as the form has it. `at` is what the clocks of the race show; `told` is the start as it was read. */
export type Row = {
  name: string;
  distance: string;
  /** `500-599`, or blank. */
  bibs: string;
  at: string;
  told: Start | undefined;
};

/** What the clocks of a zone show at an instant, as `2027-05-09T09:00:00`. Sweden writes dates so. */
export const wallIn = (instant: string, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    .format(new Date(instant))
    .replace(' ', 'T');

/** A start may be told with the offset of another zone. */
export const rowOf = (told: Start, zone: string): Row => ({
  name: told.name,
  distance: told.distance ?? '',
  bibs: told.bib_from === null ? '' : `${told.bib_from}-${told.bib_to}`,
  at: wallIn(told.starts_at, zone),
  told,
});

const WITHOUT_SECONDS = '2027-05-09T09:00'.length;
const BIBS = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/;

export const isReadable = ({ name, bibs, at }: Row): boolean =>
  name.trim() !== '' && at !== '' && (bibs.trim() === '' || BIBS.test(bibs));

/** @param zone of the clocks of the race */
export function startOfRow({ name, distance, bibs, at, told }: Row, zone: string): Start {
  const [, from, to] = BIBS.exec(bibs) ?? [];
  // A browser leaves out seconds that are 0.
  const wall = at.length === WITHOUT_SECONDS ? `${at}:00` : at;
  const isKept = told !== undefined && wallIn(told.starts_at, zone) === wall;
  return {
    name: name.trim(),
    distance: distance.trim() || null,
    bib_from: from === undefined ? null : Number(from),
    bib_to: to === undefined ? null : Number(to),
    starts_at: isKept ? told.starts_at : withOffset(wall, zone),
  };
}

/** RFC 3339, with the offset of the clocks there. */
export function withOffset(wall: string, zone: string): string {
  const wallMs = Date.parse(`${wall}Z`);
  const minutes = Math.round((wallMs - (instantIn(zone, wall) ?? wallMs)) / 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
  return `${new Date(wallMs).toISOString().slice(0, 19)}${offset}`;
}
