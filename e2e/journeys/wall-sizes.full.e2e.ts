import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, type Visitor } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sizedWallScreens } from "../pages/screens/wall.ts";
import { settledWallFaults } from "../pages/wall-faults.ts";

const LOCALES: readonly Visitor["locale"][] = ["ko-KR", "en-US", "zh-CN"];
/** The sizes with the least room are checked in every language. */
const SMALLEST = "wall-43-5-";

describe("a wall of any size, upright or not", () => {
  let stack: Stack;
  let browser: Browser;
  const pages = new Map<Visitor["locale"], Page>();

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
    for (const locale of LOCALES) {
      const context = await newVisitor(browser, { viewport: "desktop", locale, colorScheme: "dark" });
      pages.set(locale, await context.newPage());
    }
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  const cases = sizedWallScreens.flatMap((screen, index) =>
    LOCALES.filter(
      (_, each) =>
        screen.name.startsWith(SMALLEST) || each === (index + Math.floor(index / 6)) % LOCALES.length,
    ).map((locale) => ({ screen, locale, name: screen.name })),
  );

  it.each(cases)("[UI-8] $name has room for its texts, in $locale", async ({ screen, locale }) => {
    const page = pages.get(locale);
    if (!page) throw new Error("there is a page for each language");
    await screen.go({ page, stack, visitor: { viewport: "desktop", locale, colorScheme: "dark" } });
    expect(await settledWallFaults(page)).toEqual([]);
  });
});
