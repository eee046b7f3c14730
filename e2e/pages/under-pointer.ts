import { AxeBuilder } from "@axe-core/playwright";
import type { CDPSession, Page } from "playwright-core";

const PRESSED = "a[href], button:enabled, [role=tab], [role=option], [role=menuitem], label";

/** Give all that can be pressed the look that it has under a pointer and with the keyboard's focus. */
async function force(page: Page): Promise<CDPSession> {
  const tools = await page.context().newCDPSession(page);
  await tools.send("DOM.enable");
  await tools.send("CSS.enable");
  const { root } = await tools.send("DOM.getDocument");
  const { nodeIds } = await tools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: PRESSED });
  for (const nodeId of nodeIds)
    await tools.send("CSS.forcePseudoState", { nodeId, forcedPseudoClasses: ["hover", "focus-visible"] });
  return tools;
}

/**
 * Return the texts of buttons and links that cannot be read under a pointer: each one is looked at as if the
 * pointer were on it. The other rules of axe do not see this state.
 */
export async function unreadUnderPointer(page: Page): Promise<string[]> {
  const tools = await force(page);
  const { violations } = await new AxeBuilder({ page }).withRules(["color-contrast"]).analyze();
  await tools.detach();
  return violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => `${any[0]?.message} ${html}`));
}
