import { DEMO_PASSWORD } from "@mulkko/testing/stack/account";
import type { Page } from "playwright-core";
import { type Say, wordsOf } from "./words.ts";

/** Type user and password into the login form, in Korean or with the given texts, and submit it. */
export async function typeLogin(
  page: Page,
  username: string,
  password: string,
  say: Say = wordsOf("ko-KR"),
): Promise<void> {
  await page.getByLabel(say("login:id"), { exact: true }).fill(username);
  await page.getByLabel(say("login:password"), { exact: true }).fill(password);
  await page.getByRole("button", { name: say("login:submit"), exact: true }).click();
}

/**
 * Sign in with a demo account in any language of the page, and wait for the next page.
 *
 * @throws with what the form says if it is still there
 */
export async function enterAs(page: Page, username: string, password = DEMO_PASSWORD): Promise<void> {
  await page.locator("input[name=username]").fill(username);
  await page.locator("input[name=password]").fill(password);
  await page.locator("button[type=submit]").click();
  const left = page.waitForURL((url) => url.pathname !== "/login", { waitUntil: "commit" });
  await left.catch(async (cause: unknown) => {
    const form = await page.locator("main").innerText({ timeout: 1_000 });
    throw new Error(`the login is still shown at ${page.url()}: ${form}`, { cause });
  });
}

/** Go to the login, sign in with a demo account and wait for the dashboard. */
export async function signInOnPage(page: Page, url: string, username: string): Promise<void> {
  await page.goto(`${url}/login`);
  await enterAs(page, username);
  await page.waitForURL("**/dashboard");
}
