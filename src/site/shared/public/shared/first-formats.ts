/**
 * Lets the browser prepare for its first date and number, which take a slow phone 100 ms. The browser has time for this
 * work until the scripts of a page arrive.
 */
export function prepareFormats(): void {
  setTimeout(() => new Date().toLocaleString(navigator.language));
}
