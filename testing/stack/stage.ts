import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchChromium } from "../engines/chromium.ts";
import { type Stack, startStack } from "./start-stack.ts";
import { newVisitor, type Visitor } from "./visitor.ts";

/** Resources of a file's journeys: one started product and one browser, for all of their visitors. */
export interface Stage {
  readonly stack: Stack;
  readonly browser: Browser;
  /** Return the first page of a fresh visitor without a session. The caller closes its context. */
  visit(visitor: Visitor): Promise<Page>;
}

const there = <T>(part: T | null): T => {
  if (part === null) throw new Error("a stage exists from the first test on, not before");
  return part;
};

/** Start the product and a browser before the first test around it, and stop them after the last. */
export function openStage(): Stage {
  let stack: Stack | null = null;
  let browser: Browser | null = null;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });
  return {
    get stack() {
      return there(stack);
    },
    get browser() {
      return there(browser);
    },
    visit: async (visitor) => (await newVisitor(there(browser), visitor)).newPage(),
  };
}
