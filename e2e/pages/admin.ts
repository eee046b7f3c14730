import type { Page } from "playwright-core";
import { enterAs } from "./login.ts";
import type { Scene } from "./screens/screen.ts";

/** Pages that are already signed in as the administrator. */
const entered = new WeakSet<Page>();

/** Sign in as the demo's administrator, over any earlier session; once for a page. */
export async function enterAsAdmin({ page, stack }: Pick<Scene, "page" | "stack">): Promise<void> {
  if (entered.has(page)) return;
  await page.goto(`${stack.url}/logout`);
  await page.waitForURL("**/login");
  await enterAs(page, "admin");
  entered.add(page);
}
