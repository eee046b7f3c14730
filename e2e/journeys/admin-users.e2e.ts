import { TokenPair } from "@mulkko/shared/rest/account";
import { AuditEntry, CommandEntry } from "@mulkko/shared/rest/admin";
import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { adminAudit, adminCommands } from "@mulkko/shared/rest/operations/admin";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { PageOf } from "@mulkko/shared/rest/paging";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { login, read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FormPage, formOn } from "../pages/form.ts";
import { enterAs } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

let stack: Stack;
let browser: Browser;
let admin: SignedIn;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  admin = await signIn(stack.url, "admin");
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("an administrator of accounts on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  const username = `new-${visitor.locale}`;
  let context: BrowserContext;
  let page: Page;
  const formNamed = (submit: string): FormPage => formOn(page, say(submit));
  const places = () => page.getByRole("navigation", { name: say("admin:title"), exact: true });
  const row = (name: string) => page.locator("tbody tr").filter({ hasText: name });

  beforeAll(async () => {
    context = await newVisitor(browser, visitor);
    page = await context.newPage();
    await page.goto(`${stack.url}/login`);
    await enterAs(page, "admin");
    await page.waitForURL("**/adminpage");
  });
  afterAll(() => context?.close());

  it("[admin] links the accounts from the navigation of administrators", async () => {
    // An administrator's home is the administration, on a phone too.
    const menu = page.getByRole("navigation", { name: say("shell:nav.main") });
    await menu.locator('a[href="/adminpage"]').click();
    await places().locator('a[href="/adminpage/users"]').click();
    await row("farmer").first().waitFor();
    expect(await page.title()).toContain(say("admin-users:title"));
    expect(await page.locator("tbody tr").count()).toBeLessThanOrEqual(25);
  });

  it("[spec 1] adds an account: marks invalid fields, then shows it in the list", async () => {
    await page.locator('a[href="/adminpage/user/add"]').click();
    const form = formNamed("admin-users:add.submit");
    await form.field("username").waitFor();
    await form.fill({ username: "bad name", password: "short" });
    await form.send();
    await expect.poll(() => form.fault("username").innerText()).toBe(say("admin-users:hint.username"));
    await expect.poll(() => form.fault("phone").innerText()).toBe(say("account:profile.fault.required"));
    await form.fill({
      username,
      password: "sickle+88",
      nickname: "새 농부",
      farmAddress: "부여",
      phone: "010-1122",
      userAddress: "new@example.com",
    });
    await form.send();
    await page.waitForURL("**/adminpage/users");
    await page.getByRole("searchbox").fill(username);
    await row(username).waitFor();
    await page.waitForURL(`**/adminpage/users?q=${username}`);
    // The rows of the search replace those of the list, which moves the wanted one.
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    expect((await login(stack.url, username, "sickle+88")).status).toBe(200);
  });

  it("[spec 1] opens an account from its row; saving leads back to the list in its state", async () => {
    await row(username).getByRole("link", { name: username }).click();
    const form = formNamed("common:action.save");
    await form.field("nickname").waitFor();
    await form.fill({ nickname: "이서준", timezone: "Asia/Tokyo", language: "EN" });
    await form.send();
    await page.waitForURL(`**/adminpage/users?q=${username}`);
    await row("이서준").waitFor();
  });

  it("[table] finds Hangul that an input method composes", async () => {
    const search = page.getByRole("searchbox");
    await search.fill("");
    await search.focus();
    const keyboard = await context.newCDPSession(page);
    for (const text of ["ㅇ", "이", "잇", "이서", "이선"]) {
      await keyboard.send("Input.imeSetComposition", {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    }
    await keyboard.send("Input.insertText", { text: "이서" });
    expect(await search.inputValue()).toBe("이서");
    await row("이서준").waitFor();
    await search.fill(username);
    await page.waitForURL(`**/adminpage/users?q=${username}`);
  });

  it("[spec 1] sets a new password in a dialog that locks the scroll below, and signs the account out", async () => {
    const before = await login(stack.url, username, "sickle+88");
    const { accessToken } = await read(before, TokenPair);
    // The rows of the search replace those of the list, which moves the wanted one.
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await row(username).getByRole("link", { name: username }).click();
    await page.getByRole("button", { name: say("account:password.open") }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("[name=newPassword]").waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).overflowY)).toBe("hidden");
    await dialog.locator("[name=newPassword]").fill("hoe+9");
    await dialog.locator("[name=confirmPassword]").fill("hoe+8");
    const change = dialog.getByRole("button", { name: say("account:password.submit"), exact: true });
    await change.click();
    await dialog.getByText(say("account:password.fault.differs")).waitFor();
    await dialog.locator("[name=confirmPassword]").fill("hoe+9");
    await change.click();
    await dialog.waitFor({ state: "hidden" });
    expect((await login(stack.url, username, "hoe+9")).status).toBe(200);
    const old = await fetch(stack.url + accountInfo.path, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    expect(old.status).toBe(401);
  });

  it("[admin] deletes several after one question with the count; the asking administrator stays, and is informed", async () => {
    await page.goto(`${stack.url}/adminpage/users?size=100`);
    for (const name of [username, "admin"]) {
      await page.getByRole("checkbox", { name: say("common:table.select", { name }), exact: true }).check();
    }
    await page.getByTestId("page-actions").getByRole("button").first().click();
    const question = page.getByRole("alertdialog");
    await question.getByText(say("admin-users:delete.many.own")).waitFor();
    await question
      .getByRole("button", { name: say("admin-users:delete.many.confirm", { count: 1 }), exact: true })
      .click();
    const results = page.getByRole("dialog");
    await results.getByText(say("admin:delete.gone"), { exact: true }).waitFor();
    await results.getByRole("button", { name: say("common:action.close"), exact: true }).click();
    await expect.poll(() => row(username).count()).toBe(0);
    expect((await login(stack.url, username, "hoe+9")).status).toBe(401);
  });

  it("[audit] lists all of it in the log, with the values before and after", async () => {
    await places().locator('a[href="/adminpage/audit"]').click();
    // The previous page has a search of its own, and stays until this one is loaded.
    await page.waitForURL("**/adminpage/audit*");
    await page.getByRole("article").first().waitFor();
    await page.getByRole("searchbox").fill(username);
    await expect.poll(() => page.getByRole("article").count()).toBe(4);
    const changed = page.getByRole("article").nth(2);
    expect(await changed.innerText()).toContain("Asia/Tokyo");
    const { content } = await read(await admin.get(`${adminAudit.path}?q=${username}`), PageOf(AuditEntry));
    expect(content.map(({ action }) => action)).toEqual([
      "user-delete",
      "user-password",
      "user-update",
      "user-register",
    ]);
  });

  it("[audit] lists a farmer's command among those of all accounts", async () => {
    const farmer = await signIn(stack.url, "farmer");
    const [controller] = await farmer.controllers();
    const body = {
      ...{ uuid: controller?.id, command: "onoff", deviceType: "controller" },
      ...{ channel: controller?.channels?.[0]?.channelNumber ?? 1, payload: 2 },
    };
    const sent = await farmer.post(controllerCommand.path, body);
    expect(sent.status).toBe(200);
    const commands = async () =>
      (await read(await admin.get(`${adminCommands.path}?q=farmer`), PageOf(CommandEntry))).content;
    await expect.poll(async () => (await commands()).some(({ payload }) => payload === "2")).toBe(true);
    await page.goto(`${stack.url}/adminpage/audit?show=commands`);
    await page
      .getByRole("article")
      .filter({ hasText: say("admin-audit:command.close") })
      .first()
      .waitFor();
  });
});
