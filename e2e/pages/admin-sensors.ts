import type { Page } from "playwright-core";
import { adminSensorId } from "../src/stack/admin-sensor.ts";
import type { Stack } from "../src/stack/start-stack.ts";

/** A sensor of the demo's farmer. */
export const SOIL_SERIAL = 24_110_101;

/** Opens the farm of the account that a sensor belongs to, as its administrator; waits for its dashboard. */
export async function readFarmOf(page: Page, stack: Stack, serial: number): Promise<void> {
  await page.goto(`${stack.url}/adminpage/sensor?id=${await adminSensorId(stack, serial)}`);
  await page.locator(".read-as").click();
  await page.waitForURL("**/dashboard");
  await page.locator(".reading-banner").waitFor();
}
