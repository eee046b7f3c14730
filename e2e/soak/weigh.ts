import type { DisplayPage } from "@mulkko/shared/rest/displays";
import type { BrowserContext, CDPSession, Page } from "playwright-core";

/** Memory of a page after a garbage collection. */
export interface Weight {
  /** JavaScript's heap, bytes. */
  readonly heap: number;
  /** Nodes of the document, and detached ones that are still referenced. */
  readonly nodes: number;
  readonly listeners: number;
  readonly canvases: number;
  /** Rules of all style sheets. */
  readonly rules: number;
}

/** Let pages of this context turn faster than any setting does; call before they load. */
export async function startTurning(context: BrowserContext, turnMs: number): Promise<void> {
  await context.addInitScript((ms) => {
    Object.defineProperty(window, "mulkkoWallTurnMs", { value: ms });
  }, turnMs);
}

const sessions = new WeakMap<Page, CDPSession>();

async function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? (await page.context().newCDPSession(page));
  if (!sessions.has(page)) {
    sessions.set(page, known);
    await known.send("Performance.enable");
  }
  return known;
}

/** Number of attempts to measure the page before it turns. */
const TRIES = 40;

/**
 * Measure the wall while it shows one of its pages, because each page holds other objects. Detached,
 * uncollected objects do not count.
 *
 * @throws Error if the page turned before each measurement
 */
export async function weigh(page: Page, on: DisplayPage): Promise<Weight> {
  const session = await sessionOf(page);
  const shown = page.locator(`[data-testid=wall-page][data-page=${on}]`);
  for (let tries = 0; tries < TRIES; tries += 1) {
    await shown.waitFor();
    await session.send("HeapProfiler.collectGarbage");
    if ((await shown.count()) === 0) continue;
    const { metrics } = await session.send("Performance.getMetrics");
    const drawn = await page.evaluate(() => ({
      shown: document.querySelector("[data-testid=wall-page]")?.getAttribute("data-page"),
      canvases: document.querySelectorAll("canvas").length,
      rules: [...document.styleSheets].reduce((sum, sheet) => sum + sheet.cssRules.length, 0),
    }));
    if (drawn.shown !== on) continue;
    const metric = (name: string): number => metrics.find((each) => each.name === name)?.value ?? Number.NaN;
    return {
      heap: metric("JSHeapUsedSize"),
      nodes: metric("Nodes"),
      listeners: metric("JSEventListeners"),
      canvases: drawn.canvases,
      rules: drawn.rules,
    };
  }
  throw new Error(`the page ${on} was never there long enough to be weighed`);
}
