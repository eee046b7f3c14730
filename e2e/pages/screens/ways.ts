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
      await page.locator("header .icon-button").last().click();
      await page.locator(".bell__list").waitFor();
    },
  },
  {
    name: "alarms",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/alarms`);
      // The demo has a sensor that falls silent after a while.
      await page.locator(".alarm-desk, .alarm-board__empty").first().waitFor();
    },
  },
  {
    name: "contact",
    fullPage: false,
    async go({ page, stack, visitor }) {
      await page.goto(`${stack.url}/sensors`);
      if (visitor.viewport === "phone") {
        await page.locator(".bottom-nav button").click();
        await page.locator(".side-menu button").click();
      } else await page.locator("header .icon-button").first().click();
      await page.locator("form.contact input[name=name]").fill("");
      await page.locator("form.contact button[type=submit]").click();
    },
  },
  {
    name: "menu",
    fullPage: false,
    async go({ page, stack, visitor }) {
      await page.goto(`${stack.url}/sensors`);
      if (visitor.viewport !== "phone") return;
      await page.locator(".bottom-nav button").click();
      await page.locator(".side-menu").waitFor();
    },
  },
  at("forbidden", "/adminpage", false),
  at("not-found", "/nothing-here", false),
];
