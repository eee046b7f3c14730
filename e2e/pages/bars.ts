import type { Page } from "playwright-core";

/**
 * Return the names of a page's own elements that a fixed bar covers when they get the focus. Each is first
 * moved under the header, then under the navigation, so that the focus has to scroll it out.
 */
export const underBars = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const tops = document.querySelectorAll('header, [data-type="horizontal"] > [data-testid="frame-menu"]');
    const foot = document.querySelector('[data-testid="bottom-nav"]');
    const hidden: string[] = [];
    const parts = document.querySelectorAll<HTMLElement>(
      "main :is(a[href], button, input, select, textarea)",
    );
    for (const part of parts) {
      // A folded element, or one hidden in its label, takes no visible focus.
      if (!part.checkVisibility() || part.getBoundingClientRect().height < 8) continue;
      for (const bar of ["header", "navigation"]) {
        part.blur();
        const at = part.getBoundingClientRect();
        scrollBy({ top: bar === "header" ? at.top - 4 : at.bottom + 4 - innerHeight, behavior: "instant" });
        part.focus();
        const shown = part.getBoundingClientRect();
        const from = Math.max(0, ...[...tops].map((bar) => bar.getBoundingClientRect().bottom));
        const to = foot?.getBoundingClientRect().top ?? innerHeight;
        // The focused line of a text of several lines counts.
        const end = shown.top + Math.min(shown.height, 40);
        if (shown.top < from || end > to) {
          hidden.push(`${part.getAttribute("name") ?? part.textContent}`);
        }
      }
    }
    return hidden;
  });
