import type { Page } from "playwright-core";

/**
 * What a page's own parts look like once they have the focus: those that then stand under a bar that stays, by their
 * names. Each is brought under the header first, and under the navigation, so that it has to come from there.
 */
export const underBars = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const header = document.querySelector("header");
    const foot = document.querySelector(".bottom-nav");
    const hidden: string[] = [];
    const parts = document.querySelectorAll<HTMLElement>(
      "main :is(a[href], button, input, select, textarea)",
    );
    for (const part of parts) {
      // What is folded away, or hidden in its label, takes no focus that anybody would see.
      if (!part.checkVisibility() || part.getBoundingClientRect().height < 8) continue;
      for (const bar of ["header", "navigation"]) {
        part.blur();
        const at = part.getBoundingClientRect();
        scrollBy({ top: bar === "header" ? at.top - 4 : at.bottom + 4 - innerHeight, behavior: "instant" });
        part.focus();
        const shown = part.getBoundingClientRect();
        const from = header?.getBoundingClientRect().bottom ?? 0;
        const to = foot?.getBoundingClientRect().top ?? innerHeight;
        // Of a text of several lines it is the one that is written.
        const end = shown.top + Math.min(shown.height, 40);
        if (shown.top < from || end > to) {
          hidden.push(`${part.getAttribute("name") ?? part.textContent}`);
        }
      }
    }
    return hidden;
  });
