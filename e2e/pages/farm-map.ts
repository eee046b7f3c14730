import type { Page } from "playwright-core";

/** Maximum ms for the first map with software rendering on a busy machine. */
const DRAWN_WITHIN_MS = 90_000;

/** Go to a page with a map, and wait until the map has drawn its ground. */
export async function openMap(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByTestId("farm-map").locator("canvas").first().waitFor({ timeout: DRAWN_WITHIN_MS });
  await page
    .locator("[data-testid=map-note]:not([data-quiet])")
    .waitFor({ state: "detached", timeout: DRAWN_WITHIN_MS });
}
