import { Notification } from "@mulkko/shared/entities/notification";
import { ContactEntry } from "@mulkko/shared/rest/admin";
import { adminContacts } from "@mulkko/shared/rest/operations/admin";
import { notificationList, notificationRead } from "@mulkko/shared/rest/operations/notifications";
import { PageOf } from "@mulkko/shared/rest/paging";
import { read, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { underBars } from "../pages/bars.ts";
import { signInOnPage } from "../pages/login.ts";
import { type Say, wordsOf } from "../pages/words.ts";

describe("the frame around every page", () => {
  const stage = openStage();

  describe.each(
    visitors(
      { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
      { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
      { viewport: "desktop", locale: "zh-CN", colorScheme: "light" },
    ),
  )("on a $viewport in $locale", (visitor) => {
    const phone = visitor.viewport === "phone";
    let page: Page;
    let say: Say;
    beforeAll(async () => {
      page = await stage.visit(visitor);
      say = wordsOf(visitor.locale);
      await signInOnPage(page, stage.stack.url, "farmer");
    });
    afterAll(async () => {
      await page?.context().close();
    });
    const openContact = async (): Promise<void> => {
      if (phone) await page.getByRole("button", { name: say("shell:nav.more"), exact: true }).click();
      await page.getByRole("button", { name: say("shell:contact") }).click();
      await page.getByRole("dialog").locator("input[name=name]").waitFor();
    };

    it("[shell] leads from every link of the navigation to a page with its own name", async () => {
      const links = page.getByRole("navigation", { name: say("shell:nav.main") }).getByRole("link");
      await links.first().waitFor();
      const places = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      expect(places.length).toBeGreaterThan(3);
      const titles = new Set<string>();
      for (const place of places) {
        await page.goto(stage.stack.url + place);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        expect(await page.getByText(say("shell:notFound.title")).count(), place).toBe(0);
        titles.add(await page.title());
      }
      expect(titles.size).toBe(places.length);
    });

    it("[spec 1] redirects the specification's other addresses to their pages", async () => {
      for (const [address, place] of [
        ["/", "/dashboard"],
        ["/pages-profile", "/account"],
      ]) {
        await page.goto(stage.stack.url + address);
        await page.waitForURL(`${stage.stack.url}${place}`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
      }
    });

    it("[ui] moves nothing by itself with reduced motion", async () => {
      const moving = async (): Promise<number> => {
        await page.goto(`${stage.stack.url}/irrigation`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await openContact();
        const count = await page.evaluate(() => {
          const isLong = (times: string) => times.split(",").some((time) => Number.parseFloat(time) > 0.001);
          return [...document.querySelectorAll("*")].filter((element) => {
            const { animationName, animationDuration, transitionDuration } = getComputedStyle(element);
            return (animationName !== "none" && isLong(animationDuration)) || isLong(transitionDuration);
          }).length;
        });
        await page.keyboard.press("Escape");
        return count;
      };
      expect(await moving()).toBeGreaterThan(0);
      await page.emulateMedia({ reducedMotion: "reduce" });
      expect(await moving()).toBe(0);
      await page.emulateMedia({ reducedMotion: null });
    });

    it("[ui] prints dark letters, also from the dark mode", async () => {
      await page.goto(`${stage.stack.url}/irrigation`);
      const title = page.getByRole("heading", { level: 1 }).first();
      const colors = () =>
        title.evaluate((element) => [
          getComputedStyle(element).color,
          getComputedStyle(document.documentElement).colorScheme,
        ]);
      await title.waitFor();
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await expect.poll(colors).toEqual(["rgb(20, 25, 28)", "normal"]);
      await page.emulateMedia({ media: null, colorScheme: visitor.colorScheme });
    });

    it("[ui] prints the sensors without what can only be pressed or typed into", async () => {
      await page.goto(`${stage.stack.url}/sensors`);
      const search = page.getByRole("searchbox").first();
      await search.waitFor();
      await page.emulateMedia({ media: "print" });
      await expect.poll(() => search.isVisible()).toBe(false);
      expect(await page.getByRole("navigation", { name: say("shell:nav.main") }).isVisible()).toBe(false);
      expect(await page.getByTestId("sensor-row").first().isVisible()).toBe(true);
      await page.emulateMedia({ media: null });
    });

    it("[ui] prints a table whole, not the part that its scroll box shows", async () => {
      await page.goto(`${stage.stack.url}/sensors/datalist?deviceType=SMS`);
      const table = page.getByRole("table").first();
      await table.waitFor();
      await page.emulateMedia({ media: "print" });
      const box = () =>
        page
          .getByRole("region")
          .filter({ has: table })
          .evaluateAll((elements) =>
            elements.map((element) => [
              getComputedStyle(element).overflow,
              getComputedStyle(element).maxHeight,
            ]),
          );
      await expect.poll(box).toEqual([["visible", "none"]]);
      await page.emulateMedia({ media: null });
    });

    it("[ui] never covers the focused element by the header or the navigation", async () => {
      for (const place of ["/listadd", "/account"]) {
        await page.goto(stage.stack.url + place);
        await page.locator("main form button[type=submit]").first().waitFor();
        expect(await underBars(page), place).toEqual([]);
      }
    });

    it("[contact] delivers a message to the administrators although the token has expired, and loses nothing", async () => {
      await page.goto(`${stage.stack.url}/sensors`);
      await openContact();
      const dialog = page.getByRole("dialog");
      const subject = `Pump ${visitor.locale}`;
      await dialog.locator("input[name=title]").fill(subject);
      await dialog.locator("textarea").fill("It is loud");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await openContact();
      expect(await dialog.locator("textarea").inputValue()).toBe("It is loud");

      const tokens: (string | undefined)[] = [];
      await page.route("**/api/account/contact", async (route) => {
        tokens.push(route.request().headers().authorization);
        if (tokens.length > 1) return route.continue();
        const body = { status: 401, error: "", code: "unauthorized", message: "" };
        return route.fulfill({ status: 401, json: body });
      });
      await dialog.getByRole("button", { name: say("contact:send") }).click();
      await page.getByText(say("contact:sent")).waitFor();
      expect(new Set(tokens).size).toBe(2);
      const admin = await signIn(stage.stack.url, "admin");
      const { content } = await read(await admin.get(adminContacts.path), PageOf(ContactEntry));
      expect(content.find(({ title }) => title === subject)).toMatchObject({ message: "It is loud" });
    });

    it("[notifications] shows new notifications in the bell's other list, at most 450 px high", async () => {
      await page.goto(`${stage.stack.url}/dashboard`);
      await page.getByTestId("bell").click();
      await page.getByRole("radio", { name: say("shell:bell.notifications") }).check();
      await page.getByTestId("bell-line").first().waitFor();
      expect(await page.getByTestId("bell-scroll").evaluate((list) => list.clientHeight)).toBeLessThanOrEqual(
        450,
      );
    });

    if (visitor.locale === "ko-KR") {
      // Later visitors find no new notification: it is the same farmer's list.
      it("[notifications] marks notifications as read after three open seconds, and shows them as old afterwards", async () => {
        const farmer = await signIn(stage.stack.url, "farmer");
        const unread = async () =>
          (await read(await farmer.get(notificationList.path), Type.Array(Notification))).filter(
            ({ unread: flag }) => flag === true || flag === 1,
          );
        const first = (await unread()).map(({ id }) => Number(id));
        expect(first.length).toBeGreaterThan(0);
        const answered = page.waitForResponse((answer) => answer.url().endsWith(notificationRead.path));
        await page.goto(`${stage.stack.url}/dashboard`);
        const bell = page.getByTestId("bell");
        const open = async () => {
          await bell.click();
          await page.getByRole("radio", { name: say("shell:bell.notifications") }).check();
          await page.getByTestId("bell-line").first().waitFor();
        };
        await open();
        expect((await answered).ok()).toBe(true);
        expect((await unread()).filter(({ id }) => first.includes(Number(id)))).toEqual([]);
        await page.keyboard.press("Escape");
        await page.getByTestId("bell-line").first().waitFor({ state: "detached" });
        await open();
        const marked = page.locator("[data-testid=bell-line][data-noteworthy]");
        await expect.poll(async () => (await marked.count()) <= (await unread()).length).toBe(true);
      });
    }

    if (phone) {
      it("[layout] keeps the navigation near the thumb with any choice for a desktop", async () => {
        const menu = page.getByRole("navigation", { name: say("shell:nav.main") });
        await page.evaluate(() => localStorage.setItem("mulkko.layout", '{"type":"horizontal"}'));
        await page.goto(`${stage.stack.url}/dashboard`);
        await menu.waitFor();
        const box = await menu.boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844);
        await page.evaluate(() => localStorage.removeItem("mulkko.layout"));
      });
    } else {
      it("[layout] keeps the choices for the frame over a reload, and draws every choice", async () => {
        const side = page.getByRole("navigation", { name: say("shell:nav.main") });
        const width = async () => (await side.boundingBox())?.width ?? 0;
        const before = await width();
        await page.goto(`${stage.stack.url}/account`);
        const choose = (part: string, word: string) =>
          page
            .getByRole("radiogroup", { name: say(`layout:${part}.title`), exact: true })
            .getByRole("radio", { name: say(`layout:${part}.${word}`), exact: true })
            .check();
        await choose("sidebar", "wide");
        await choose("sidebarTheme", "earth");
        await choose("width", "boxed");
        await page.reload();
        await side.waitFor();
        await expect.poll(width).toBeGreaterThan(before + 50);
        await choose("sidebar", "icon");
        await expect.poll(width).toBeLessThan(before);
        await page.getByRole("button", { name: say("layout:reset") }).click();
        await expect.poll(width).toBe(before);
      });

      it("[layout] draws the menu above every page if chosen, and supports the keyboard", async () => {
        const menu = page.getByRole("navigation", { name: say("shell:nav.main") });
        const links = menu.getByRole("link");
        await page.goto(`${stage.stack.url}/account`);
        const position = page.getByRole("radiogroup", { name: say("layout:type.title"), exact: true });
        await position.getByRole("radio", { name: say("layout:type.horizontal"), exact: true }).check();
        // Its width is that of the menu at the side.
        await page
          .getByRole("radiogroup", { name: say("layout:sidebar.title") })
          .waitFor({ state: "detached" });
        for (const place of ["/dashboard", "/sensors", "/irrigation", "/maps", "/account"]) {
          await page.goto(stage.stack.url + place);
          await page.getByRole("heading", { level: 1 }).first().waitFor();
          const [bar, main, boxes] = await Promise.all([
            menu.boundingBox(),
            page.getByRole("main").boundingBox(),
            links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top)),
          ]);
          expect(bar?.width, place).toBeGreaterThan(1_000);
          expect((bar?.y ?? 0) + (bar?.height ?? 0), place).toBeLessThanOrEqual(main?.y ?? 0);
          expect(new Set(boxes).size, place).toBe(1);
        }
        // The page scrolls under the menu, and the focused element is below it.
        expect(await underBars(page)).toEqual([]);
        await links.first().focus();
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.waitForURL(`${stage.stack.url}/irrigation`);
        await page.goto(`${stage.stack.url}/account`);
        await position.getByRole("radio", { name: say("layout:type.vertical"), exact: true }).check();
        await expect.poll(async () => (await menu.boundingBox())?.width ?? 0).toBeLessThan(300);
      });
    }
  });
});
