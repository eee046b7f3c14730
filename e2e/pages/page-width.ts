import type { Page } from "playwright-core";

/**
 * Return the elements that make a page wider than its screen, the widest first, and the page itself.
 *
 * @param width of the screen, CSS px. A phone lays out a page as wide as its widest part, so that
 * `innerWidth` grows with it
 */
export const widerThanScreen = (page: Page, width: number): Promise<string[]> =>
  page.evaluate((screen) => {
    const { scrollWidth } = document.documentElement;
    if (scrollWidth <= screen) return [];
    const parts = [...document.querySelectorAll("body *")]
      .map((part) => ({ part, right: Math.round(part.getBoundingClientRect().right + scrollX) }))
      .filter(({ right }) => right > screen)
      .sort((a, b) => b.right - a.right)
      .slice(0, 3)
      .map(({ part, right }) => `${part.tagName} "${part.textContent?.slice(0, 30)}" ends at ${right} px`);
    return [`${scrollWidth} px wide`, ...parts];
  }, width);
