import type { Page } from "playwright-core";
import { type SimulatedFleetDoor, simulateFleet } from "../../src/stack/simulated-fleet-door.ts";
import { enterAsAdmin } from "../admin.ts";
import type { Scene, Screen } from "./screen.ts";

/** As many as the board is to show without scrolling, over as many accounts as a dealer has. */
const SIZE = { devices: 300, accounts: 20 };

const doors = new WeakMap<Page, Promise<SimulatedFleetDoor>>();

/** Signs the administrator in, with a fleet that is worth looking at: the demo's own farms are two. */
async function enter(scene: Scene): Promise<SimulatedFleetDoor> {
  const door = doors.get(scene.page) ?? simulateFleet(scene.page, SIZE);
  doors.set(scene.page, door);
  await enterAsAdmin(scene);
  return await door;
}

const board = (name: string, search: string, fullPage = false): Screen => ({
  name,
  fullPage,
  signedOut: true,
  async go(scene) {
    await enter(scene);
    await scene.page.goto(`${scene.stack.url}/adminpage/status${search}`);
    await scene.page.locator("[data-device], .farm-map, .fleet__nothing").first().waitFor();
  },
});

/** What an administrator sees of all accounts. */
export const adminFleetScreens: readonly Screen[] = [
  {
    name: "admin-morning",
    fullPage: true,
    signedOut: true,
    async go(scene) {
      const { fleet, say } = await enter(scene);
      await scene.page.goto(`${scene.stack.url}/adminpage`);
      await scene.page.locator(".morning-line").first().waitFor();
      say(fleet.flip(5));
    },
  },
  board("admin-status", ""),
  board("admin-status-tight", "?view=tight"),
  board("admin-status-map", "?view=map"),
  board("admin-status-filtered", "?state=offline&state=late&type=SMS&q=haneul"),
  board("admin-status-nothing", "?q=nobody"),
  {
    name: "admin-status-facets",
    fullPage: false,
    signedOut: true,
    async go(scene) {
      await board("", "").go(scene);
      await scene.page.locator(".filter-bar [aria-expanded]").nth(1).click();
      await scene.page.locator(".filter-bar__panel").waitFor();
    },
  },
  {
    name: "admin-status-device",
    fullPage: false,
    signedOut: true,
    async go(scene) {
      await board("", "").go(scene);
      await scene.page.locator("[data-device]").first().click();
      await scene.page.getByRole("dialog").waitFor();
    },
  },
];
