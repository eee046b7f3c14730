import { type SimulatedFleetEndpoint, simulateFleet } from "@mulkko/testing/stack/simulated-fleet-endpoint";
import type { Page } from "playwright-core";
import { enterAsAdmin } from "../admin.ts";
import { type Scene, type Screen, underTopMenu } from "./screen.ts";

/** As many as the board shows without scrolling, over as many accounts as a dealer has. */
const SIZE = { devices: 300, accounts: 20, urgent: 3 };

const endpoints = new WeakMap<Page, Promise<SimulatedFleetEndpoint>>();

/** Sign the administrator in, with a larger simulated fleet: the demo has only two farms. */
async function enter(scene: Scene): Promise<SimulatedFleetEndpoint> {
  const endpoint = endpoints.get(scene.page) ?? simulateFleet(scene.page, SIZE);
  endpoints.set(scene.page, endpoint);
  await enterAsAdmin(scene);
  return await endpoint;
}

const board = (name: string, search: string, fullPage = false): Screen => ({
  name,
  fullPage,
  signedOut: true,
  async go(scene) {
    await enter(scene);
    await scene.page.goto(`${scene.stack.url}/adminpage/status${search}`);
    await scene.page
      .locator("[data-device], [data-testid=farm-map], [data-testid=none-found]")
      .first()
      .waitFor();
  },
});

/** An administrator's pages about all accounts. */
export const adminFleetScreens: readonly Screen[] = [
  {
    name: "admin-morning",
    fullPage: true,
    signedOut: true,
    async go(scene) {
      const { fleet, say } = await enter(scene);
      await scene.page.goto(`${scene.stack.url}/adminpage`);
      await scene.page.getByTestId("morning-line").first().waitFor();
      say(fleet.flip(5));
    },
  },
  {
    name: "admin-alarms",
    fullPage: true,
    signedOut: true,
    async go(scene) {
      await enter(scene);
      await scene.page.goto(`${scene.stack.url}/alarms`);
      await scene.page.getByTestId("fleet-alarm").first().waitFor();
    },
  },
  {
    name: "admin-close-valve",
    fullPage: false,
    signedOut: true,
    async go(scene) {
      await enter(scene);
      await scene.page.goto(`${scene.stack.url}/adminpage`);
      await scene.page.getByTestId("fleet-alarm").first().getByRole("button").first().click();
      await scene.page.getByRole("dialog").waitFor();
    },
  },
  board("admin-status", ""),
  underTopMenu(board("admin-status", "")),
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
      await scene.page.getByTestId("filter-bar").locator("[aria-expanded]").nth(1).click();
      await scene.page.getByTestId("filter-choices").waitFor();
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
