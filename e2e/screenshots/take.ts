// Take a screenshot of every screen for every visitor:
// node e2e/screenshots/take.ts <folder> [part of a visitor's name] [--group <group of screens>] [--screen <part of a name>]
import { copyFile, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, VIEWPORTS, type Visitor } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { createGuide } from "../pages/screen-guide.ts";
import { PICTURE_GROUPS } from "../pages/screens.ts";

const VISITORS: readonly Visitor[] = [
  { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
  { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
  { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
  { viewport: "phone", locale: "ko-KR", colorScheme: "dark" },
  { viewport: "phone", locale: "en-US", colorScheme: "dark" },
  { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
];

/** Screenshots in the README, by their names there. */
const SHOWN: Readonly<Record<string, string>> = {
  "dashboard-watering.desktop-light-ko.png": "dashboard-desktop-light-ko.png",
  "panel-open.phone-dark-en.png": "valve-phone-dark-en.png",
  "wall-overview.desktop-light-ko.png": "wall-dark-ko.png",
  "admin-status.desktop-dark-en.png": "fleet-desktop-dark-en.png",
};
const SHOWN_IN = resolve(import.meta.dirname, "../../docs/screenshots");
/** Time for a screen's requests and its drawing. */
const SETTLED_MS = 3_000;

const wholePage = (page: Page) =>
  page.evaluate(() => ({ width: innerWidth, height: document.documentElement.scrollHeight }));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { group: { type: "string" }, screen: { type: "string", default: "" } },
});
const [folder, only = ""] = positionals;
if (folder === undefined) throw new Error("say into which folder the pictures go");
const groups = PICTURE_GROUPS.filter(({ name }) => values.group === undefined || values.group === name);
if (groups.length === 0) {
  throw new Error(`there are these groups of screens: ${PICTURE_GROUPS.map(({ name }) => name).join(", ")}`);
}
await Promise.all([folder, SHOWN_IN].map((each) => mkdir(each, { recursive: true })));
const [stack, browser] = await Promise.all([startStack(), launchChromium()]);
try {
  for (const visitor of VISITORS) {
    const who = `${visitor.viewport}-${visitor.colorScheme}-${visitor.locale.slice(0, 2)}`;
    if (!who.includes(only)) continue;
    const context = await newVisitor(browser, visitor);
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(`${who}: ${error.message}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith("http") && url.origin !== stack.url)
        console.error(`${who}: left for ${url}`);
    });
    const show = createGuide({ page, stack, visitor });
    for (const screen of groups.flatMap(({ screens }) => screens)) {
      if (!screen.name.includes(values.screen)) continue;
      await show(screen);
      await sleep(SETTLED_MS);
      const name = `${screen.name}.${who}.png`;
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) console.error(`${name}: ${wide} px wider than the screen`);
      // A window as tall as the page: bars at the window's edges stay at the screenshot's edges.
      if (screen.fullPage) await page.setViewportSize(await wholePage(page));
      await page.screenshot({ path: join(folder, name) });
      if (screen.fullPage) await page.setViewportSize(VIEWPORTS[visitor.viewport]);
      const shown = SHOWN[name];
      if (shown !== undefined) await copyFile(join(folder, name), join(SHOWN_IN, shown));
    }
    await context.close();
  }
} finally {
  await browser.close();
  await stack.close();
}
