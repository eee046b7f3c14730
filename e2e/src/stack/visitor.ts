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

/** `pnpm e2e:full`: everything, by everybody. */
export const IS_FULL = process.env.E2E_FULL === "1";

/**
 * Who walks a journey: the first alone in the tests of every change, all of them in `pnpm e2e:full`.
 *
 * A journey starts its stack once, outside `describe.each(visitors(…))`.
 */
export const visitors = (first: Visitor, ...others: readonly Visitor[]): readonly Visitor[] =>
  IS_FULL ? [first, ...others] : [first];

/**
 * A fresh visitor with storage of their own.
 *
 * @param serviceWorkers a journey that is not about the worker goes without: it would answer in the relay's place
 */
export function newVisitor(
  browser: Browser,
  visitor: Visitor,
  { serviceWorkers = "block" }: { serviceWorkers?: "allow" | "block" } = {},
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: VIEWPORTS[visitor.viewport],
    locale: visitor.locale,
    colorScheme: visitor.colorScheme,
    hasTouch: visitor.viewport === "phone",
    isMobile: visitor.viewport === "phone",
    timezoneId: "Asia/Seoul",
    serviceWorkers,
  });
}
