import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import type { Visitor } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";

/** Context of a screenshot. */
export interface Scene {
  readonly page: Page;
  readonly stack: Stack;
  readonly visitor: Visitor;
}

/** One screenshot: its name, and the way to its screen. */
export interface Screen {
  readonly name: string;
  readonly fullPage: boolean;
  /** True if it handles its own session. Before the others the farmer is signed in. */
  readonly signedOut?: boolean;
  go(scene: Scene): Promise<void>;
  /** Undo changes that the next screen must not find. */
  leave?(scene: Scene): Promise<void>;
}

/** Return a screen with an address. */
export const at = (name: string, path: string, fullPage = true): Screen => ({
  name,
  fullPage,
  async go({ page, stack }) {
    await page.goto(stack.url + path);
  },
});

/** Return a screen under the menu of the horizontal layout; a phone keeps its own. */
export const underTopMenu = (screen: Screen): Screen => ({
  ...screen,
  name: `${screen.name}-top-menu`,
  async go(scene) {
    const { page } = scene;
    await screen.go(scene);
    await page.evaluate(() => localStorage.setItem("mulkko.layout", '{"type":"horizontal"}'));
    await page.reload();
    await page.locator("h1").first().waitFor();
  },
  leave: ({ page }) => page.evaluate(() => localStorage.removeItem("mulkko.layout")),
});

/** Time after which an account signs in again, ms: its token lasts for half an hour. */
const SIGNED_IN_FOR_MS = 20 * 60_000;

interface Known {
  readonly account: Promise<SignedIn>;
  readonly since: number;
}
const accounts = new WeakMap<Stack, Map<string, Known>>();

/**
 * Return an account, signed in seldom for all screens of a stack: the relay limits the number of sign-ins per
 * minute of one address.
 */
export function accountOf(stack: Stack, username: string): Promise<SignedIn> {
  const known = accounts.get(stack) ?? new Map<string, Known>();
  accounts.set(stack, known);
  const before = known.get(username);
  if (before && Date.now() - before.since < SIGNED_IN_FOR_MS) return before.account;
  const account = signIn(stack.url, username);
  known.set(username, { account, since: Date.now() });
  return account;
}

export const farmerOf = (stack: Stack): Promise<SignedIn> => accountOf(stack, "farmer");

/** Return the farmer's sensor with this serial. */
export const sensorId = async (stack: Stack, serial: number): Promise<string> => {
  const account = await farmerOf(stack);
  const sensor = (await account.sensors()).find((each) => Number(each.serial) === serial);
  if (!sensor) throw new Error(`the farmer has no sensor ${serial}`);
  return String(sensor.id);
};

/** Return the farmer's first controller of this type. */
export const controllerId = async (stack: Stack, type: string): Promise<string> => {
  const account = await farmerOf(stack);
  const controller = (await account.controllers()).find((each) => each.type === type);
  if (!controller) throw new Error(`the farmer has no ${type}`);
  return String(controller.id);
};
