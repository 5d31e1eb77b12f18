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

/** Playwright makes a new profile for each run and removes it. */
export const CHROMIUM: LaunchOptions = { executablePath: '/usr/bin/chromium', args: ARGUMENTS };

/** Waits for an address. Playwright learns of an address that a script changed a moment after the page does. */
export const waitForAddress = (page: Page, href: string): Promise<void> =>
  page.waitForURL((url) => url.href === href);
