import type { Page } from "playwright-core";
import { DEMO_PASSWORD } from "../src/stack/account.ts";

/** Types user and password into the Korean login form, and sends it. */
export async function typeLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("아이디").fill(username);
  await page.getByLabel("비밀번호").fill(password);
  await page.getByRole("button", { name: "로그인" }).click();
}

/** Signs in with a demo account and waits for the dashboard. */
export async function signInOnPage(page: Page, url: string, username: string): Promise<void> {
  await page.goto(url);
  await page.waitForURL("**/login");
  await typeLogin(page, username, DEMO_PASSWORD);
  await page.waitForURL("**/dashboard");
}
