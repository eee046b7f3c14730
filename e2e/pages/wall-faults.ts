import type { Page } from "playwright-core";

/**
 * Return what is wrong with the layout of a wall's page (UI-8): a text outside the screen or cut off, a part
 * outside its frame, a broken word, text that is too small to read, a page without room.
 */
export const wallFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    /** Least font size, px of the drawn screen; see `web/src/wall/sizes.ts`. */
    const LEAST_PX = 31.5;
    /** Parts of the height that the bar may take, and that the page has at least. */
    const SHARE = { bar: 0.22, page: 0.3 };
    const SLACK_PX = 2;
    /** Least width of a name that gives way, in its letters. */
    const LEAST_NAME_EM = 3;

    const faults: string[] = [];
    const told = (element: Element | null) =>
      `${element?.className || element?.tagName} "${element?.textContent?.trim().slice(0, 40)}"`;
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const isDrawn = (element: Element) =>
      element.closest(".visually-hidden, svg, .map-frame, .farm-map, .chart, canvas, .wall-trend__chart") ===
        null && element.getClientRects().length > 0;

    const frame = document.querySelector(".wall__picture")?.getBoundingClientRect();
    const bar = document.querySelector(".freshness-bar")?.getBoundingClientRect();
    const inner = document.querySelector(".wall-page")?.getBoundingClientRect();
    if (!frame || !bar || !inner) return ["there is no page"];
    if (bar.height > frame.height * SHARE.bar) faults.push(`the bar is ${Math.round(bar.height)} px high`);
    if (inner.height < frame.height * SHARE.page)
      faults.push(`the page is ${Math.round(inner.height)} px high`);

    const factor = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--wall-k"));
    const walker = document.createTreeWalker(
      document.querySelector(".wall__picture") ?? document,
      NodeFilter.SHOW_TEXT,
    );
    const isChinese = document.documentElement.lang === "zh";
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const element = text.parentElement;
      if (!element || !text.textContent?.trim() || !isDrawn(element)) continue;
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < LEAST_PX * factor) faults.push(`${told(element)} is ${(size / factor).toFixed(1)} px small`);
      const words = text.textContent.matchAll(isChinese ? /[\w.:-]+/g : /\S+/g);
      for (const { 0: word, index } of words) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (Math.max(...tops) - Math.min(...tops) > size / 2)
          faults.push(`"${word}" of ${told(element)} is broken`);
      }
      const { left, right, top, bottom } = element.getBoundingClientRect();
      // A name that gives way is cut by its own frame, which stays within the screen.
      const isOutside =
        left < -SLACK_PX ||
        right > innerWidth + SLACK_PX ||
        top < -SLACK_PX ||
        bottom > innerHeight + SLACK_PX;
      if (isOutside && getComputedStyle(element).overflowX === "visible")
        faults.push(`${told(element)} is outside the screen`);
    }

    for (const part of all(
      ".alarm-foot *, .stale-banner *, .freshness-bar p, .freshness-bar__links *, .freshness-bar__now *, .wall-trend__field, .valve-word, .wall-fleet__board thead th, .wall-fleet__counts :is(dt, dd)",
    )) {
      const style = getComputedStyle(part);
      if (
        isDrawn(part) &&
        style.display !== "inline" &&
        part.scrollWidth > part.clientWidth + SLACK_PX &&
        part.clientWidth > 0
      )
        faults.push(`${told(part)} is cut`);
    }

    for (const name of all(".thing-title__name, .wall-tile__name, .wall-trend__name")) {
      const isCut = name.scrollWidth > name.clientWidth + SLACK_PX;
      const em = Number.parseFloat(getComputedStyle(name).fontSize);
      if (isDrawn(name) && isCut && name.clientWidth < LEAST_NAME_EM * em)
        faults.push(`${told(name)} is "1…"`);
    }

    const frames =
      ".reading-tile, .valve-cell, .wall-alarm, .wall-trend, .wall-fleet__alarm, .wall-fleet__counts > div";
    for (const own of all(frames)) {
      const outer = own.getBoundingClientRect();
      if (outer.bottom > inner.bottom + SLACK_PX) faults.push(`${told(own)} is below the page`);
      for (const part of own.querySelectorAll("p, dd, dt, h2, span, b, strong")) {
        if (!isDrawn(part) || getComputedStyle(part).display === "inline") continue;
        const { top, bottom } = part.getBoundingClientRect();
        if (top < outer.top - SLACK_PX || bottom > outer.bottom + SLACK_PX)
          faults.push(`${told(part)} leaves ${told(own)}`);
      }
    }
    const devices = all(".wall-fleet__device");
    for (const device of devices) {
      if (device.getBoundingClientRect().bottom > inner.bottom + SLACK_PX)
        faults.push(`${told(device)} is below the page`);
    }
    return [...new Set(faults)];
  });
