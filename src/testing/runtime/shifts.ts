import type { Page } from 'playwright-core';

const LATE_MS = 1_000;

/** Adds up how far things moved by themselves, as the browser's layout shift score does. */
const MEASURE = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Measures the next pages of this tab. What these addresses answer comes late. */
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
