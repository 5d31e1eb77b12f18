/** The bibs followed by the reader on this board, the latest first. The browser keeps bibs, and no names. */

const KEY = `followed ${location.pathname.replace(/\/+$/, '')}`;
const FOLLOWED_MAX = 7;

export function followed(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((bib) => typeof bib === 'string') : [];
  } catch {
    // The reader's browser keeps nothing for pages, or another page has written a foreign value.
    return [];
  }
}

export const isFollowed = (bib: string) => followed().includes(bib);

export function follow(bib: string, isWanted: boolean): void {
  const others = followed().filter((one) => one !== bib);
  const kept = isWanted ? [bib, ...others].slice(0, FOLLOWED_MAX) : others;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage, the address keeps the runners while the page is open.
  }
}
