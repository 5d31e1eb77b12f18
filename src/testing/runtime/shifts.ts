import type { Page } from 'playwright-core';

const LATE_MS = 1_000;

/** The browser's layout shift score: the largest sum of shifts in 5 s, with pauses of less than 1 s. */
const MEASURE = `
  window.shifted = 0;
  let [sum, start, last] = [0, 0, 0];
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput } of list.getEntries()) {
      if (hadRecentInput) continue;
      if (startTime - last > 1_000 || startTime - start > 5_000) [sum, start] = [0, startTime];
      sum += value;
      last = startTime;
      window.shifted = Math.max(window.shifted, sum);
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Measures the next pages of this tab. The answers of these addresses come late. */
export async function measureShifts(page: Page, ...late: string[]): Promise<void> {
  await page.addInitScript(MEASURE);
  for (const address of late) {
    await page.route(address, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      await route.continue();
    });
  }
}

/** The layout shift score since the page began. A good page has less than 0.1. */
export const shiftsOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate('window.shifted'));
