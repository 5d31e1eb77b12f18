/** Works with the storage of this tab, which ends with the tab. If a browser forbids the storage, nothing is kept. */
export function inTab<Answer>(work: (tab: Storage) => Answer): Answer | undefined {
  try {
    return work(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
