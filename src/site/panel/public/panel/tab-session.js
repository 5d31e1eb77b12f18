const PLACE = 'session';

/**
 * Works with the storage of this tab, which ends with the tab. A browser may forbid it: then a reload signs out.
 * @param {(tab: Storage) => void} work
 */
export function inTab(work) {
  try {
    work(sessionStorage);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Keeps an accepted session for reloads of this tab. @param {string} organization @param {string} token */
export const keepSession = (organization, token) =>
  inTab((tab) => tab.setItem(PLACE, JSON.stringify({ organization, token })));

export const forgetSession = () => inTab((tab) => tab.removeItem(PLACE));

/** @returns {{ organization: string, token: string } | undefined} */
export function keptSession() {
  /** @type {string | null} */
  let kept = null;
  inTab((tab) => {
    kept = tab.getItem(PLACE);
  });
  return kept === null ? undefined : JSON.parse(kept);
}
