/**
 * Works with the storage of this tab, which ends with the tab. A browser may forbid it: then nothing is kept.
 * @template Answer
 * @param {(tab: Storage) => Answer} work
 * @returns {Answer | undefined}
 */
export function inTab(work) {
  try {
    return work(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
