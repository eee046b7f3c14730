import { Account } from "@mulkko/shared/entities/account";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { DEMO_PASSWORD, read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FormPage, formOn } from "../pages/form.ts";
import { enterAs } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

/** An image of one pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const stage = openStage();

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("an account on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  let page: Page;
  let secondTab: Page;
  let form: FormPage;
  const toAccount = async (tab: Page) => {
    await tab.goto(`${stage.stack.url}/account`);
    await tab.locator("input[name=nickname]").waitFor();
  };
  let api: SignedIn;
  const stored = async () => read(await api.get(accountInfo.path), Account);

  beforeAll(async () => {
    api = await signIn(stage.stack.url, "farmer");
    page = await stage.visit(visitor);
    await page.goto(`${stage.stack.url}/login`);
    await enterAs(page, "farmer");
    secondTab = await page.context().newPage();
    await toAccount(secondTab);
    await toAccount(page);
    form = formOn(page, say("common:action.save"));
  });
  afterAll(() => page?.context().close());

  it("[spec 1] requires nickname, phone, email and farm name, and keeps the typed values", async () => {
    const phone = await form.field("phone").inputValue();
    await form.fill({ nickname: "", userAddress: " ", phone: "010-0000-7777" });
    await form.send();
    for (const name of ["nickname", "userAddress"]) {
      await expect.poll(() => form.fault(name).innerText()).toBe(say("account:profile.fault.required"));
    }
    expect(await form.field("phone").inputValue()).toBe("010-0000-7777");
    expect(await form.field("nickname").evaluate((field) => field === document.activeElement)).toBe(true);
    await form.fill({ phone });
  });

  it("[spec 1] refuses alarm emails without an address", async () => {
    await form.field("emailNotification").check();
    await expect
      .poll(() => form.fault("emailNotification").innerText())
      .toBe(say("account:profile.fault.noEmail"));
    await form.field("emailNotification").uncheck();
    await form.fill({ userAddress: "farmer@example.com" });
  });

  it("[spec 1] leads to the dashboard after saving, and the other tab follows", async () => {
    const nickname = `다온 ${visitor.locale}`;
    await form.fill({ nickname, timezone: "America/New_York" });
    await form.send();
    await page.waitForURL("**/dashboard");
    await expect.poll(() => secondTab.locator("input[name=nickname]").inputValue()).toBe(nickname);
    expect(await stored()).toMatchObject({ nickname, timezone: "America/New_York" });
  });

  it("[account] moves the times on every open screen with a new time zone", async () => {
    const used = secondTab.getByTestId("session-used").first();
    const there = await used.innerText();
    await toAccount(page);
    await form.fill({ timezone: "Asia/Seoul" });
    await form.send();
    await page.waitForURL("**/dashboard");
    await expect.poll(() => used.innerText()).not.toBe(there);
  });

  it("[spec 1] sends a photo by itself, and shows it in the header of both tabs", async () => {
    const before = (await stored()).imagePath;
    await toAccount(page);
    await page
      .locator("main input[type=file]")
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: PICTURE });
    await expect.poll(async () => (await stored()).imagePath).not.toBe(before);
    const path = (await stored()).imagePath ?? "";
    for (const tab of [page, secondTab]) {
      await expect.poll(() => tab.locator(`header img[src="${path}"]`).count()).toBe(1);
    }
  });

  it("[account] signs another device out after a question", async () => {
    const other = await signIn(stage.stack.url, "farmer");
    await toAccount(page);
    const lines = page.getByRole("list", { name: say("account:sessions.title") }).getByRole("listitem");
    await lines.first().waitFor();
    const count = await lines.count();
    // The newest sign-in is first.
    await lines.first().getByRole("button").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: say("account:sessions.end"), exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => lines.count()).toBe(count - 1);
    expect((await other.get(accountInfo.path)).status).toBe(401);
  });
});

describe("an administrator's password", () => {
  it("[own-password] is changed with the current one, in a dialog whose repetition must be identical", async () => {
    const visitor = { viewport: "desktop", locale: "ko-KR", colorScheme: "light" } as const;
    const say = wordsOf(visitor.locale);
    const page = await stage.visit(visitor);
    await page.goto(`${stage.stack.url}/login`);
    await enterAs(page, "admin");
    await page.goto(`${stage.stack.url}/account`);
    await page.getByRole("button", { name: say("account:password.open") }).click();
    const dialog = page.getByRole("dialog");
    const change = dialog.getByRole("button", { name: say("account:password.submit"), exact: true });
    await dialog.locator("[name=currentPassword]").fill("not-this-one");
    await dialog.locator("[name=newPassword]").fill("h4rr0");
    await dialog.locator("[name=confirmPassword]").fill("h4rr1");
    await change.click();
    await dialog.getByText(say("account:password.fault.differs")).waitFor();
    await dialog.locator("[name=confirmPassword]").fill("h4rr0");
    await change.click();
    await dialog.getByText(say("account:password.fault.wrong")).waitFor();
    await dialog.locator("[name=currentPassword]").fill(DEMO_PASSWORD);
    await change.click();
    await dialog.waitFor({ state: "hidden" });
    await page.goto(`${stage.stack.url}/logout`);
    await page.waitForURL("**/login");
    await enterAs(page, "admin", "h4rr0");
    await page.goto(`${stage.stack.url}/logout`);
    await page.waitForURL("**/login");
    await enterAs(page, "farmer");
    await page.goto(`${stage.stack.url}/account`);
    await page.getByRole("button", { name: say("account:password.open") }).waitFor();
    await page.context().close();
  });
});
