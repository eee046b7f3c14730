import type { Page } from "playwright-core";

/**
 * Return what is wrong with the layout of a wall's page (UI-8): a text outside the screen or cut off, a part
 * outside its frame, a broken word, text that is too small to read, a page without room.
 */
const wallFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Least font size, px of the drawn screen; see `web/src/wall/sizes.ts`. */
    const LEAST_PX = 31.5;
    /**
     * Parts of the height: the most for the bar, whose links take two lines while none of them delivers, and the
     * least for the page, below a banner and over an alarm.
     */
    const SHARE = { bar: 0.24, page: 0.2 };
    const SLACK_PX = 2;
    /** Least width of a name that gives way, em; a farm's is beside it, and its beginning tells it from the others. */
    const LEAST_NAME_EM = { own: 3, farm: 1.5 };
    /** Texts that never give way: the alarm, the banner, the links and the time, headings of columns, counts. */
    const WHOLE =
      "[data-testid=alarm-foot], [data-testid=stale-banner], header p, header ul, header time, thead, dl";
    const FRAMES = ["reading-tile", "valve-cell", "wall-alarm", "wall-trend", "fleet-urgent"]
      .map((id) => `[data-testid=${id}]`)
      .concat("dl > div")
      .join();

    const faults = new Set<string>();
    const nameOf = (element: Element | null) =>
      `${element?.getAttribute("data-testid") ?? element?.tagName} "${element?.textContent?.trim().slice(0, 40)}"`;
    const bar = document.querySelector("header");
    const frame = bar?.parentElement;
    const inner = document.querySelector("[data-testid=wall-page]");
    if (!bar || !frame || !inner) return ["there is no page"];

    /** Return false for texts of assistive technology, and for what is drawn by a library. */
    const isDrawn = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect();
      if (element.getClientRects().length === 0 || Math.min(width, height) <= 1) return false;
      if (element.closest("svg, canvas, .maplibregl-map") !== null) return false;
      for (let outer = element.parentElement; outer && outer !== frame; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowX === "visible") continue;
        if (Math.min(outer.clientWidth, outer.clientHeight) <= 1) return false;
      }
      return element.closest("table")?.querySelector("canvas") == null;
    };
    /** Return true for a part of a text that gives way as a whole, with its own ellipsis. */
    const givesWayWithin = (element: Element): boolean => {
      for (let outer = element.parentElement; outer && outer !== frame; outer = outer.parentElement) {
        const { display, textOverflow, webkitLineClamp } = getComputedStyle(outer);
        const hasEllipsis = textOverflow === "ellipsis" || !["", "none"].includes(webkitLineClamp);
        if (hasEllipsis && !/flex|grid/.test(display)) return true;
      }
      return false;
    };
    const whole = frame.getBoundingClientRect().height;
    const pageBox = inner.getBoundingClientRect();
    if (bar.clientHeight > whole * SHARE.bar) faults.add(`the bar is ${bar.clientHeight} px high`);
    if (pageBox.height < whole * SHARE.page) faults.add(`the page is ${Math.round(pageBox.height)} px high`);

    const factor = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--wall-k"));
    const isChinese = document.documentElement.lang === "zh";
    const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const element = text.parentElement;
      if (!element || !text.textContent?.trim() || !isDrawn(element)) continue;
      const style = getComputedStyle(element);
      const size = Number.parseFloat(style.fontSize);
      if (size < LEAST_PX * factor)
        faults.add(`${nameOf(element)} is ${(size / factor).toFixed(1)} px small`);
      for (const { 0: word, index } of text.textContent.matchAll(isChinese ? /[\w.:-]+/g : /\S+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => top);
        if (Math.max(...tops) - Math.min(...tops) > size / 2)
          faults.add(`"${word}" of ${nameOf(element)} is broken`);
      }
      // A name that gives way is cut by its own frame, which stays within the screen.
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const isOutside =
        Math.min(left, top) < -SLACK_PX || right > innerWidth + SLACK_PX || bottom > innerHeight + SLACK_PX;
      if (isOutside && style.overflowX === "visible" && !givesWayWithin(element))
        faults.add(`${nameOf(element)} is outside the screen`);
    }

    /** Return the width of an element's box that no frame around it hides. */
    const visibleWidth = (element: Element): number => {
      let { left, right } = element.getBoundingClientRect();
      for (let outer = element.parentElement; outer && outer !== frame; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowX === "visible") continue;
        const box = outer.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
      }
      return right - left;
    };
    for (const element of frame.querySelectorAll("*")) {
      const style = getComputedStyle(element);
      const seen = Math.min(element.clientWidth, visibleWidth(element));
      const isCut = element.clientWidth > 0 && element.scrollWidth > seen + SLACK_PX;
      const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE);
      if (!isCut || !hasText || givesWayWithin(element) || style.display === "inline" || !isDrawn(element))
        continue;
      const width = seen / Number.parseFloat(style.fontSize);
      if (element.closest(WHOLE) !== null || style.textOverflow !== "ellipsis")
        faults.add(`${nameOf(element)} is cut`);
      else if (width < LEAST_NAME_EM[element.matches("[data-testid=farm-label]") ? "farm" : "own"])
        faults.add(`${nameOf(element)} has room for ${width.toFixed(1)} letters`);
    }

    for (const own of frame.querySelectorAll(FRAMES)) {
      const outer = own.getBoundingClientRect();
      if (outer.bottom > pageBox.bottom + SLACK_PX) faults.add(`${nameOf(own)} is below the page`);
      for (const part of own.querySelectorAll("p, dd, dt, h2, span, b, strong")) {
        if (!isDrawn(part) || getComputedStyle(part).display === "inline" || givesWayWithin(part)) continue;
        const { top, bottom } = part.getBoundingClientRect();
        if (top < outer.top - SLACK_PX || bottom > outer.bottom + SLACK_PX)
          faults.add(`${nameOf(part)} leaves ${nameOf(own)}`);
      }
    }
    for (const line of frame.querySelectorAll("[data-testid=fleet-device]")) {
      if (line.getBoundingClientRect().bottom > pageBox.bottom + SLACK_PX)
        faults.add(`${nameOf(line)} is below the page`);
    }
    return [...faults];
  });

/** A page is planned and laid out again as its fonts and texts arrive: it is right once it stays right for a while. */
const SETTLED = { looks: 4, everyMs: 400, atMostMs: 15_000 };

/** Return what is wrong with a page until it has nothing wrong several times in a row; else what it has at last. */
export async function settledWallFaults(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const until = performance.now() + SETTLED.atMostMs;
  for (let right = 0; ; await page.waitForTimeout(SETTLED.everyMs)) {
    const faults = await wallFaults(page);
    right = faults.length === 0 ? right + 1 : 0;
    if (right === SETTLED.looks || (faults.length > 0 && performance.now() > until)) return faults;
  }
}
