import { existsSync } from 'node:fs';
import type { LaunchOptions, Page } from 'playwright-core';

/** Chromium without a window takes a third of the processor time of the whole browser, whose windows nobody sees. */
const WITHOUT_WINDOW = '/usr/bin/chromium-headless-shell';

/** Playwright makes a new profile for each run and removes the profile. */
export const CHROMIUM: LaunchOptions = {
  executablePath: existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : '/usr/bin/chromium',
};

/** Waits for an address. Playwright learns of a script's new address a moment after the page. */
export const waitForAddress = (page: Page, href: string): Promise<void> =>
  page.waitForURL((url) => url.href === href);
