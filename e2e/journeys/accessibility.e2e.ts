import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCREENS } from "../pages/screens.ts";
import { launchChromium } from "../src/engines/chromium.ts";
import { type Stack, startStack } from "../src/stack/start-stack.ts";
import { newVisitor, type Visitor } from "../src/stack/visitor.ts";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const VISITORS: readonly Visitor[] = [
  { viewport: "desktop", locale: "en-US", colorScheme: "light" },
  { viewport: "phone", locale: "ko-KR", colorScheme: "dark" },
];

describe("every screen for every eye", () => {
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  describe.each(VISITORS)("on a $viewport, $colorScheme", (visitor) => {
    let page: Page;
    beforeAll(async () => {
      const context = await newVisitor(browser, visitor);
      await context.addInitScript(() => {
        // What still fades in has no contrast yet.
        const style = document.createElement("style");
        style.textContent = "*,*::before,*::after{animation-duration:0s!important;transition:none!important}";
        document.addEventListener("DOMContentLoaded", () => document.head.append(style));
      });
      page = await context.newPage();
    });
    afterAll(async () => {
      await page?.context().close();
    });

    it.each(SCREENS)("[ui] $name breaks no rule of axe and does not scroll sideways", async (screen) => {
      await screen.go({ page, stack, visitor });
      await page.locator("h1").first().waitFor();
      const { violations } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
      const broken = violations.map(({ id, nodes }) => ({
        id,
        where: nodes.map(({ html }) => html).slice(0, 3),
      }));
      expect(broken).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    });
  });
});
