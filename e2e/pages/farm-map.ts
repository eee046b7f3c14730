import type { Page } from "playwright-core";

/** Software rendering on a busy machine draws the first map in so many ms at most. */
const DRAWN_WITHIN_MS = 90_000;

/** Goes to a page with a map, and waits until the map has drawn its ground. */
export async function openMap(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator(".farm-map canvas").first().waitFor({ timeout: DRAWN_WITHIN_MS });
  await page
    .locator(".map-note:not(.map-note--quiet)")
    .waitFor({ state: "detached", timeout: DRAWN_WITHIN_MS });
}
