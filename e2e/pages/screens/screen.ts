import type { Page } from "playwright-core";
import { type SignedIn, signIn } from "../../src/stack/account.ts";
import type { Stack } from "../../src/stack/start-stack.ts";
import type { Visitor } from "../../src/stack/visitor.ts";

/** What a screen needs to be brought before the camera. */
export interface Scene {
  readonly page: Page;
  readonly stack: Stack;
  readonly visitor: Visitor;
}

/** One picture: its name, and how to get there. */
export interface Screen {
  readonly name: string;
  readonly fullPage: boolean;
  /** True: it sees to itself who is signed in. Before the others the farmer is. */
  readonly signedOut?: boolean;
  go(scene: Scene): Promise<void>;
}

/** A screen that has an address. */
export const at = (name: string, path: string, fullPage = true): Screen => ({
  name,
  fullPage,
  async go({ page, stack }) {
    await page.goto(stack.url + path);
  },
});

const accounts = new WeakMap<Stack, Map<string, Promise<SignedIn>>>();

/** An account, signed in once for all screens of a stack: the relay takes so many sign-ins a minute of one address. */
export function accountOf(stack: Stack, username: string): Promise<SignedIn> {
  const known = accounts.get(stack) ?? new Map<string, Promise<SignedIn>>();
  accounts.set(stack, known);
  const account = known.get(username) ?? signIn(stack.url, username);
  known.set(username, account);
  return account;
}

export const farmerOf = (stack: Stack): Promise<SignedIn> => accountOf(stack, "farmer");

/** The farmer's sensor with this serial. */
export const sensorId = async (stack: Stack, serial: number): Promise<string> => {
  const account = await farmerOf(stack);
  const sensor = (await account.sensors()).find((each) => Number(each.serial) === serial);
  if (!sensor) throw new Error(`the farmer has no sensor ${serial}`);
  return String(sensor.id);
};

/** The farmer's first controller of this type. */
export const controllerId = async (stack: Stack, type: string): Promise<string> => {
  const account = await farmerOf(stack);
  const controller = (await account.controllers()).find((each) => each.type === type);
  if (!controller) throw new Error(`the farmer has no ${type}`);
  return String(controller.id);
};
