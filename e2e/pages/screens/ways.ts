import { wordsOf } from "../words.ts";
import { at, type Screen } from "./screen.ts";

/** The login pages, and the frame around every page. */
export const waysScreens: readonly Screen[] = [
  { ...at("login", "/login", false), signedOut: true },
  {
    name: "login-refused",
    fullPage: false,
    signedOut: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/login`);
      await page.locator("input[name=username]").fill("farmer");
      await page.locator("input[name=password]").fill("not-the-password");
      await page.locator("button[type=submit]").click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  { ...at("recover", "/pages-recoverpw", false), signedOut: true },
  {
    name: "recover-sent",
    fullPage: false,
    signedOut: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/pages-recoverpw`);
      await page.locator("input[name=email]").fill("nobody@example.com");
      await page.locator("button[type=submit]").click();
      await page.getByRole("status").waitFor();
    },
  },
  {
    name: "new-password",
    fullPage: false,
    signedOut: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/recover?token=0`);
      await page.locator("input[name=password]").fill("short");
      await page.locator("button[type=submit]").click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  {
    name: "bell",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/dashboard`);
      await page.getByTestId("bell").click();
      await page.getByTestId("bell-line").first().waitFor();
    },
  },
  {
    name: "alarms",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/alarms`);
      // The demo has a sensor that falls silent after a while.
      await page.getByTestId("alarm-actions").or(page.getByTestId("no-alarms")).first().waitFor();
    },
  },
  {
    name: "contact",
    fullPage: false,
    async go({ page, stack, visitor }) {
      const say = wordsOf(visitor.locale);
      await page.goto(`${stack.url}/sensors`);
      if (visitor.viewport === "phone") {
        await page.getByTestId("bottom-nav").getByRole("button").click();
        await page
          .getByRole("navigation", { name: say("shell:nav.more") })
          .getByRole("button")
          .click();
      } else
        await page
          .getByRole("banner")
          .getByRole("button", { name: say("shell:contact") })
          .click();
      await page.getByRole("dialog").locator("[name=name]").fill("");
      await page.getByRole("dialog").locator("button[type=submit]").click();
    },
  },
  {
    name: "menu",
    fullPage: false,
    async go({ page, stack, visitor }) {
      await page.goto(`${stack.url}/sensors`);
      if (visitor.viewport !== "phone") return;
      await page.getByTestId("bottom-nav").getByRole("button").click();
      await page.getByRole("navigation", { name: wordsOf(visitor.locale)("shell:nav.more") }).waitFor();
    },
  },
  at("forbidden", "/adminpage", false),
  at("not-found", "/nothing-here", false),
];
