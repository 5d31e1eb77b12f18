/**
 * What the same version of the data is told as: one more whenever a representation changes, so that
 * no client keeps one of an earlier deployment.
 */
const REPRESENTATION = 1;
const ENTITY_TAG = /"([\x21\x23-\x7e\x80-\xff]*)"/g;
const OWN_TAG = new RegExp(`^${REPRESENTATION}\\.(\\d{1,15}|[1-8]\\d{15})$`);

/** What a client says it has: these versions, or any that there is. */
export type KnownVersions = { any: boolean; versions: readonly number[] };

export const NONE_KNOWN: KnownVersions = { any: false, versions: [] };

/** A strong entity tag (RFC 9110, section 8.8.3). */
export const entityTag = (version: number): string => `"${REPRESENTATION}.${version}"`;

/**
 * The versions of an If-None-Match (RFC 9110, section 13.1.2), weak ones too: it compares weakly.
 * Tags that were never given out match nothing.
 */
export function knownVersions(ifNoneMatch: string | undefined): KnownVersions {
  if (ifNoneMatch?.trim() === '*') return { any: true, versions: [] };
  const tags = Array.from(ifNoneMatch?.matchAll(ENTITY_TAG) ?? [], ([, tag = '']) => tag);
  const versions = tags.flatMap((tag) => OWN_TAG.exec(tag)?.[1] ?? []).map(Number);
  return { any: false, versions };
}
