import type { Start } from '../../../../../timing-files/read/starts.ts';

/** A start as the form has it. `at` is what clocks show there; `told` is the start as it was read. */
export type Row = {
  name: string;
  distance: string;
  /** `500-599`, or blank. */
  bibs: string;
  at: string;
  told: Start | undefined;
};

const wallOf = (instant: string): string => instant.slice(0, 19);

export const rowOf = (told: Start): Row => ({
  name: told.name,
  distance: told.distance ?? '',
  bibs: told.bib_from === null ? '' : `${told.bib_from}-${told.bib_to}`,
  at: wallOf(told.starts_at),
  told,
});

const BIBS = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/;

export const isReadable = ({ name, bibs, at }: Row): boolean =>
  name.trim() !== '' && at !== '' && (bibs.trim() === '' || BIBS.test(bibs));

/** @param instantAt the instant at which the clocks there show a date and time */
export function startOfRow(
  { name, distance, bibs, at, told }: Row,
  instantAt: (wall: string) => number | undefined,
): Start {
  const [, from, to] = BIBS.exec(bibs) ?? [];
  const isKept = told !== undefined && wallOf(told.starts_at).startsWith(at);
  return {
    name: name.trim(),
    distance: distance.trim() || null,
    bib_from: from === undefined ? null : Number(from),
    bib_to: to === undefined ? null : Number(to),
    starts_at: isKept ? told.starts_at : withOffset(at, instantAt(at)),
  };
}

/** RFC 3339, with the offset of the clocks there. */
export function withOffset(wall: string, instantMs: number | undefined): string {
  const wallMs = Date.parse(`${wall}Z`);
  const minutes = Math.round((wallMs - (instantMs ?? wallMs)) / 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const offset = `${minutes < 0 ? '-' : '+'}${two(hours)}:${two(rest)}`;
  return `${new Date(wallMs).toISOString().slice(0, 19)}${offset}`;
}
