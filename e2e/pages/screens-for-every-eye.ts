import { AxeBuilder } from "@axe-core/playwright";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, type Visitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unreadLarge } from "./large-letters.ts";
import { widerThanScreen } from "./page-width.ts";
import { createGuide } from "./screen-guide.ts";
import type { Screen } from "./screens/screen.ts";
import type { ScreenGroup } from "./screens.ts";
import { unreadUnderPointer } from "./under-pointer.ts";

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
type Results = Awaited<ReturnType<AxeBuilder["analyze"]>>;

/** Text in the colour of its background: axe does not judge it, because it may be hidden on purpose. */
const unseen = (results: Results["incomplete"]) =>
  results
    .map(({ id, nodes }) => ({
      id,
      nodes: nodes.filter(({ any }) => any.some(({ data }) => data?.messageKey === "equalRatio")),
    }))
    .filter(({ nodes }) => nodes.length > 0);

/** Return true if something else lies over the middle of an element: an open list covers the page below it. */
const isCovered = (page: Page, [where]: Results["violations"][number]["nodes"][number]["target"]) =>
  page.evaluate((selector) => {
    const element = typeof selector === "string" ? document.querySelector(selector) : null;
    if (!element) return false;
    const { x, y, width, height } = element.getBoundingClientRect();
    const onTop = document.elementFromPoint(x + width / 2, y + height / 2);
    return onTop !== null && !element.contains(onTop);
  }, where);

/** Leave out the small targets that are only small because an open list covers the rest of them. */
async function withoutCovered(page: Page, violations: Results["violations"]): Promise<Results["violations"]> {
  const left = await Promise.all(
    violations.map(async (violation) => {
      if (violation.id !== "target-size") return violation;
      const covered = await Promise.all(violation.nodes.map(({ target }) => isCovered(page, target)));
      return { ...violation, nodes: violation.nodes.filter((_, index) => covered[index] === false) };
    }),
  );
  return left.filter(({ nodes }) => nodes.length > 0);
}

/**
 * Run axe on each screen of these groups. A journey selects them, and the visitors of every run.
 *
 * @param large true if a phone also shows them with letters twice as large
 */
export function screensForEveryEye(groups: readonly ScreenGroup[], first: Visitor, large = false): void {
  const eyes = visitors(
    first,
    { viewport: "desktop", locale: "en-US", colorScheme: "light" },
    { viewport: "desktop", locale: "zh-CN", colorScheme: "dark" },
  );
  let stack: Stack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  describe.each(eyes)("on a $viewport, $colorScheme", (visitor) => {
    let page: Page;
    let show: (screen: Screen) => Promise<void>;
    beforeAll(async () => {
      const context = await newVisitor(browser, visitor);
      await context.addInitScript(() => {
        // A fading element has no contrast yet.
        const style = document.createElement("style");
        style.textContent = "*,*::before,*::after{animation-duration:0s!important;transition:none!important}";
        document.addEventListener("DOMContentLoaded", () => document.head.append(style));
      });
      page = await context.newPage();
      show = createGuide({ page, stack, visitor });
    });
    afterAll(async () => {
      await page?.context().close();
    });

    describe.each(groups)("$name", ({ screens }) => {
      it.each(screens)("[ui] $name breaks no rule of axe and does not scroll sideways", async (screen) => {
        await show(screen);
        await page.locator("h1").first().waitFor();
        // An element that a press scrolled under the header could not be pressed there.
        if (screen.fullPage) await page.evaluate(() => scrollTo(0, 0));
        const { violations, incomplete } = await new AxeBuilder({ page }).withTags(STANDARDS).analyze();
        const broken = [...(await withoutCovered(page, violations)), ...unseen(incomplete)].map(
          ({ id, nodes }) => ({
            id,
            where: nodes.map(({ html }) => html).slice(0, 3),
          }),
        );
        expect(broken).toEqual([]);
        expect(await widerThanScreen(page, page.viewportSize()?.width ?? 0)).toEqual([]);
        expect(await unreadUnderPointer(page)).toEqual([]);
        if (large && visitor.viewport === "phone") expect(await unreadLarge(page)).toEqual([]);
      });
    });
  });
}
