import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as z from 'zod';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const Report = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string() })),
    }),
  ),
});

/**
 * Finds the violations of accessibility rules in the present state of a page.
 * @param parts selectors of the part to check and of the parts to leave out
 */
export async function violationsOf(
  page: Page,
  parts: { include?: string; exclude?: readonly string[] } = {},
): Promise<string[]> {
  const { include = 'html', exclude = [] } = parts;
  // The debugger evaluates the text, so the page's policy does not apply to axe.
  await page.evaluate(AXE);
  const context = JSON.stringify({ include: [[include]], exclude: exclude.map((one) => [one]) });
  const { violations } = Report.parse(await page.evaluate(`axe.run(${context})`));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** Expects no violation in the light and the dark form of a page. @param state where the test stands */
export async function expectNoViolations(page: Page, state = ''): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), `${state}, ${colorScheme}`).toEqual([]);
  }
}
