import type { Browser, BrowserContext } from "playwright-core";

/** The sizes that screens are looked at in. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

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
