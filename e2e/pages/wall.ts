import {
  type Display,
  type DisplaySettings,
  PendingCode,
  Display as WireDisplay,
} from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildDisplaySettings } from "@mulkko/shared/testing/builders";
import { read, type SignedIn } from "@mulkko/testing/stack/account";
import { type PairedDisplay, pairDisplay } from "@mulkko/testing/stack/displays";
import type { Page } from "playwright-core";

/** Typical settings of a control room; every page, so that all of them turn. */
export const WALL = buildDisplaySettings({ name: "관리실" });

/** Read the code from an unpaired screen. */
export async function codeOn(page: Page): Promise<string> {
  const code = page.getByTestId("pairing-code");
  await code.waitFor();
  return (await code.innerText()).replaceAll(/\s/g, "");
}

/** Approve a code as an account. */
export async function approve(account: SignedIn, code: string, settings: DisplaySettings): Promise<Display> {
  await read(await account.get(relayPath.displayCode(code)), PendingCode);
  return read(await account.post(relayPath.displays, { code, settings }), WireDisplay);
}

/** Open the wall on a page, pair it, and wait for its first page. */
export async function pairWall(
  page: Page,
  url: string,
  account: SignedIn,
  change: Partial<DisplaySettings> = {},
): Promise<Display> {
  await page.goto(`${url}/wall`);
  const display = await approve(account, await codeOn(page), { ...WALL, ...change });
  await page.getByTestId("wall-page").waitFor();
  return display;
}

/** Create a paired display without a screen, as if one had shown a code. */
export const pairedDisplay = (
  url: string,
  { token }: SignedIn,
  change: Partial<DisplaySettings> = {},
): Promise<PairedDisplay> => pairDisplay(url, { ...WALL, ...change }, { token });

/** Change the settings of a paired display. */
export async function changeDisplay(
  url: string,
  account: SignedIn,
  { id }: Display,
  change: Partial<DisplaySettings>,
): Promise<void> {
  const answer = await fetch(url + relayPath.display(id), {
    method: "PUT",
    headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
    body: JSON.stringify({ settings: { ...WALL, ...change } }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
