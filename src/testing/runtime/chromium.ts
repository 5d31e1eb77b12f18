import type { LaunchOptions, Page } from 'playwright-core';

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Playwright makes a new profile for each run and removes the profile. */
export const CHROMIUM: LaunchOptions = { executablePath: '/usr/bin/chromium', args: ARGUMENTS };

/** Waits for an address. Playwright learns of a script's new address a moment after the page. */
export const waitForAddress = (page: Page, href: string): Promise<void> =>
  page.waitForURL((url) => url.href === href);
