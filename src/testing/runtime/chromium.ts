import type { LaunchOptions, Page } from 'playwright-core';

/**
 * Chromium fills a popup of its address bar for each new context, which takes more processor time than a page of ours.
 * Only the last list of features counts, so Playwright's features that ask the network or hold a page back are here too.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES}`,
];

/** Playwright makes a new profile for each run and removes the profile. */
export const CHROMIUM: LaunchOptions = { executablePath: '/usr/bin/chromium', args: ARGUMENTS };

/** Waits for an address. Playwright learns of a script's new address a moment after the page. */
export const waitForAddress = (page: Page, href: string): Promise<void> =>
  page.waitForURL((url) => url.href === href);
