import type { Browser, BrowserContext } from "playwright-core";

/** Sizes of the tested screens. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

/** Device and language of a visitor. */
export interface Visitor {
  viewport: keyof typeof VIEWPORTS;
  locale: "ko-KR" | "en-US" | "zh-CN";
  colorScheme: "light" | "dark";
}

/** True in `pnpm e2e:full`: everything, by every visitor. */
export const IS_FULL = process.env.E2E_FULL === "1";

/**
 * Return the visitors of a journey: the first alone in the tests of every change, all of them in `pnpm
 * e2e:full`.
 *
 * A journey starts its stack once, outside `describe.each(visitors(…))`.
 */
export const visitors = (first: Visitor, ...others: readonly Visitor[]): readonly Visitor[] =>
  IS_FULL ? [first, ...others] : [first];

/**
 * Open a context for a fresh visitor with storage of their own.
 *
 * @param serviceWorkers off in a journey that is not about the worker, which would answer in the relay's
 * place
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
