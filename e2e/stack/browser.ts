import { type Browser, type BrowserContext, chromium } from "playwright-core";

const ARGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-unsafe-swiftshader",
  "--use-gl=angle",
  "--use-angle=swiftshader",
];

/** The sizes that screens are looked at in. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

/** Debian's Chromium, or the one that `CHROMIUM` names. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGS });
}

/** How a visitor comes: what they hold, what they speak. */
export interface Visitor {
  viewport: keyof typeof VIEWPORTS;
  locale: "ko-KR" | "en-US" | "zh-CN";
  colorScheme: "light" | "dark";
}

/** A fresh visitor with storage of their own. */
export function newVisitor(browser: Browser, visitor: Visitor): Promise<BrowserContext> {
  return browser.newContext({
    viewport: VIEWPORTS[visitor.viewport],
    locale: visitor.locale,
    colorScheme: visitor.colorScheme,
    hasTouch: visitor.viewport === "phone",
    isMobile: visitor.viewport === "phone",
    timezoneId: "Asia/Seoul",
  });
}
