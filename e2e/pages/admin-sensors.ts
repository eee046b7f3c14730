import type { Stack } from "@mulkko/testing/stack/start-stack";
import type { Page } from "playwright-core";
import type { Say } from "./words.ts";

/** A sensor of the demo's farmer. */
export const SOIL_SERIAL = 24_110_101;

/**
 * Open a sensor of any account, found by its serial in the list of all; the page is already signed in as an
 * administrator.
 */
export async function openSensor(page: Page, stack: Stack, serial: number): Promise<void> {
  await page.goto(`${stack.url}/adminpage/sensors?q=${serial}`);
  await page.getByTestId("sensor-link").first().click();
  await page.locator("[name=serial]").waitFor();
}

/** Open the farm of the account that a sensor belongs to, as its administrator; wait for its dashboard. */
export async function readFarmOf(page: Page, stack: Stack, serial: number, say: Say): Promise<void> {
  await openSensor(page, stack, serial);
  await page.getByTestId("read-as").click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("region", { name: say("shell:reading.label") }).waitFor();
}
