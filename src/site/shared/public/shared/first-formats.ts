/**
 * Lets the browser prepare for numbers and dates, a kind in each task: the first of each takes a slow phone 50 ms and
 * more. The browser has time for this work until the scripts of a page arrive.
 */
export function prepareFormats(): void {
  const { language } = navigator;
  const time = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;
  setTimeout(() => (0).toLocaleString(language));
  setTimeout(() =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(),
  );
  setTimeout(() => new Intl.DateTimeFormat(language, time).format());
}
