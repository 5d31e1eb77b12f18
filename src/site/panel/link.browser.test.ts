import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { LONG, setUpBrowser } from '../../testing/runtime/browser-suite.ts';
import { type DevServer, type Session, signToken } from '../../testing/runtime/dev-server.ts';

let panel: DevServer;
const { newPage } = setUpBrowser((started) => {
  panel = started;
});

const organizationIn = (page: Page) => page.locator('#organization-name');

/** The organization of the session that a reload of the tab would open. */
const keptIn = (page: Page): Promise<string> =>
  page.evaluate(`JSON.parse(sessionStorage.getItem('session') ?? '{}').organization`);

/** A page of the demo organization, in which a link of another session opens. */
async function openOver(session: Session, at = ''): Promise<Page> {
  const page = await newPage();
  await page.goto(panel.linkOf(panel.demo));
  await organizationIn(page).waitFor();
  await page.goto(panel.linkOf(session).replace('#', `${at}#`));
  return page;
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Open another organization?' });

describe('a link into another organization', () => {
  test('asks first, names both, and leaves the session of who declines', async () => {
    const stranger = await panel.newOrganization();
    const page = await openOver(stranger);
    const present = await organizationIn(page).textContent();
    await question(page).getByText(`You are signed in to ${present}.`).waitFor();
    expect(await keptIn(page)).toBe(panel.demo.organizationId);
    expect(page.url()).not.toContain(stranger.token);
    await question(page).getByRole('button', { name: 'Cancel' }).click();
    await question(page).waitFor({ state: 'hidden' });
    expect(await keptIn(page)).toBe(panel.demo.organizationId);
    expect(await organizationIn(page).textContent()).toBe(present);
  });

  test('asks also in a page that loads anew, and opens the organization of who accepts', async () => {
    const other = await panel.newOrganization();
    const page = await openOver(other, '?view=keys');
    await question(page)
      .getByRole('button', { name: /^Open / })
      .click();
    await question(page).waitFor({ state: 'hidden' });
    await vi.waitFor(async () => expect(await keptIn(page)).toBe(other.organizationId), LONG);
  });

  test('leaves the session if the link does not work', async () => {
    const { organizationId } = await panel.newOrganization();
    const page = await openOver({ organizationId, token: await signToken('nobody') });
    await page.getByText('The link that you opened does not work.').waitFor();
    expect(await keptIn(page)).toBe(panel.demo.organizationId);
  });
});
