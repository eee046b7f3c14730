import type { CDPSession, Page } from "playwright-core";
import { widerThanScreen } from "./page-width.ts";

const ORDINARY = { standard: 16, fixed: 13 };
/** Sizes of letters, and widths of phones that they are tried at, CSS px. */
const LARGE = { "150 %": 1.5, "200 %": 2 };
const WIDTHS = [360, 390];

/** The browser's end of each page: without it the letters have their usual size again. */
const sessions = new WeakMap<Page, CDPSession>();

/** Set the letters of a page to a multiple of their usual size, as in the settings of its browser. */
export async function setLetters(page: Page, times: number): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
  sessions.set(page, session);
  const fontSizes = { standard: ORDINARY.standard * times, fixed: Math.round(ORDINARY.fixed * times) };
  await session.send("Page.setFontSizes", { fontSizes });
}

/**
 * Set a phone's letters half and twice as large again, in narrow windows, check the page, and set them back.
 *
 * @returns unreadable or unreachable elements: text that is cut off, or that lies outside the window
 */
export async function unreadLarge(page: Page): Promise<string[]> {
  const size = page.viewportSize();
  const faults: string[] = [];
  try {
    for (const [name, times] of Object.entries(LARGE)) {
      await setLetters(page, times);
      for (const width of WIDTHS) {
        if (size) await page.setViewportSize({ ...size, width });
        const found = [...(await widerThanScreen(page, width)), ...(await page.evaluate(cutText))];
        faults.push(...found.map((fault) => `${name}, ${width} px: ${fault}`));
      }
    }
    return faults;
  } finally {
    await setLetters(page, 1);
    if (size) await page.setViewportSize(size);
  }
}

/** Return cut texts; runs in the page. The px of slack are for glyphs that exceed their line. */
function cutText(): string[] {
  const faults: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: parent } = node;
    const text = node.nodeValue?.trim() ?? "";
    if (text === "" || !parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      continue;
    // A shortened text is whole where its link leads.
    if (parent.closest("option, script, style, .maplibregl-map, [data-brief]")) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    let scrolls = false;
    // Ancestors below the body: the page itself is locked under a dialog, and cuts nothing.
    const { body } = document;
    for (
      let around: Element = parent;
      around !== body && boxes.length > 0;
      around = around.parentElement ?? body
    ) {
      const { overflowX, overflowY, position, display, clip, clipPath } = getComputedStyle(around);
      const frame = around.getBoundingClientRect();
      // Text for screen readers only.
      if ((clip !== "auto" || clipPath !== "none") && frame.width < 3) boxes.length = 0;
      scrolls ||= display !== "inline" && /auto|scroll/.test(overflowX + overflowY);
      const cuts = (over: string) => !scrolls && display !== "inline" && /hidden|clip/.test(over);
      const isCut = boxes.some(
        ({ left, right, top, bottom, height }) =>
          (cuts(overflowX) && (right > frame.right + 2 || left < frame.left - 2)) ||
          (cuts(overflowY) && (bottom > frame.bottom + height / 4 || top < frame.top - height / 4)),
      );
      if (isCut) {
        faults.push(`cut off: ${text}`);
        boxes.length = 0;
      }
      if (position === "fixed") break;
    }
    if (!scrolls && boxes.some(({ left, right }) => left < -2 || right > innerWidth + 2)) {
      faults.push(`beside the window: ${text}`);
    }
  }
  return faults;
}
