import { OutboxEntry } from "@mulkko/shared/rest/admin";
import { adminOutbox } from "@mulkko/shared/rest/operations/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import { DEMO_PASSWORD, read, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeLogin } from "../pages/login.ts";
import { type Say, wordsOf } from "../pages/words.ts";

const ADDRESS = "neighbor@example.com";

/** Return the mailed links, oldest first: without a mail server they stay in the outbox. */
async function mailedLinks(stack: Stack): Promise<readonly string[]> {
  const admin = await signIn(stack.url, "admin");
  const { content } = await read(await admin.get(adminOutbox.path), PageOf(OutboxEntry));
  return content
    .filter(({ recipient }) => recipient === ADDRESS)
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ body }) => /\/recover\?token=[\w-]+/.exec(body)?.[0] ?? []);
}

describe("signing in", () => {
  const stage = openStage();
  /** The neighbor's password; each visitor changes it. */
  let password = DEMO_PASSWORD;

  describe.each(
    visitors(
      { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
      { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
      { viewport: "phone", locale: "zh-CN", colorScheme: "dark" },
    ),
  )("on a $viewport in $locale", (visitor) => {
    let page: Page;
    let say: Say;
    beforeAll(async () => {
      page = await stage.visit(visitor);
      say = wordsOf(visitor.locale);
    });
    afterAll(async () => {
      await page?.context().close();
    });

    it("[login] reports a wrong password, and leads with the right one to the requested page", async () => {
      await page.goto(`${stage.stack.url}/sensors?deviceType=AT`);
      await page.waitForURL("**/login");
      await typeLogin(page, "neighbor", "not-the-password", say);
      await page.getByText(say("login:failed")).waitFor();
      expect(await page.getByLabel(say("login:id")).inputValue()).toBe("neighbor");
      await typeLogin(page, "neighbor", password, say);
      await page.waitForURL("**/sensors?deviceType=AT");
    });

    it("[session] ends the other tab's session by a logout in one", async () => {
      const other = await page.context().newPage();
      await other.goto(`${stage.stack.url}/dashboard`);
      await other.getByRole("heading", { level: 1 }).first().waitFor();
      await page.goto(`${stage.stack.url}/logout`);
      await page.waitForURL("**/login");
      await other.waitForURL("**/login");
      await other.close();
    });

    it("[session] says of a sign-in that the farm API no longer knows that it has expired", async () => {
      await typeLogin(page, "neighbor", password, say);
      await page.waitForURL("**/dashboard");
      await page.evaluate(() => {
        sessionStorage.removeItem("authUser");
        localStorage.setItem("refreshToken", "no-such-token");
      });
      await page.goto(`${stage.stack.url}/sensors`);
      await page.getByText(say("login:expired")).waitFor();
    });

    it("[spec 1] redirects /forgot-password to the page that mails a link", async () => {
      const stranger = await stage.visit(visitor);
      await stranger.goto(`${stage.stack.url}/forgot-password`);
      await stranger.waitForURL("**/pages-recoverpw");
      await stranger.getByRole("button", { name: say("recover:noServer.submit") }).waitFor();
      await stranger.context().close();
    });

    it("[recover] replaces a lost password by the mailed link, which works once", async () => {
      const before = (await mailedLinks(stage.stack)).length;
      await page.goto(`${stage.stack.url}/login`);
      await page.getByRole("link", { name: say("login:forgot") }).click();
      await page.getByLabel(say("recover:email")).fill(ADDRESS);
      await page.getByRole("button", { name: say("recover:noServer.submit") }).click();
      await page.getByText(say("recover:noServer.text", { email: ADDRESS })).waitFor();
      await expect.poll(() => mailedLinks(stage.stack)).toHaveLength(before + 1);
      const link = (await mailedLinks(stage.stack)).at(-1) ?? "";

      const fill = async (secret: string): Promise<void> => {
        await page.goto(stage.stack.url + link);
        await page.waitForURL("**/recover");
        await page.locator("input[name=password]").fill(secret);
        await page.locator("input[name=confirm]").fill(secret);
        await page.getByRole("button", { name: say("recover:new.submit") }).click();
      };
      const fresh = `Farm${visitor.locale.slice(0, 2)}+2026`;
      await fill(fresh);
      await page.getByRole("heading", { name: say("recover:new.done") }).waitFor();
      password = fresh;
      await fill(`${fresh}2`);
      await page.getByText(say("recover:new.spent")).waitFor();

      await page.getByRole("link", { name: say("recover:toLogin") }).click();
      await typeLogin(page, "neighbor", fresh, say);
      await page.waitForURL("**/dashboard");
    });

    it("[shell] says at the administrators' addresses that they are not for a farmer", async () => {
      await page.goto(`${stage.stack.url}/adminpage/users`);
      await page.getByRole("heading", { name: say("shell:forbidden.title") }).waitFor();
      expect(await page.title()).toContain(say("shell:forbidden.title"));
      expect(await page.locator('a[href="/adminpage"]').count()).toBe(0);
    });
  });
});
