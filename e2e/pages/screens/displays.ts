import { DisplayList } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read } from "@mulkko/testing/stack/account";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import { pairScreen, SCREEN_SETTINGS, startScreen } from "../pairing.ts";
import { farmerOf, type Screen } from "./screen.ts";

/** Pair one screen, for any earlier visitor. */
async function onePaired(stack: Stack): Promise<void> {
  const account = await farmerOf(stack);
  const { displays } = await read(await account.get(relayPath.displays), DisplayList);
  if (displays.length === 0) await pairScreen(stack.url, account.token, SCREEN_SETTINGS);
}

/** Screens on walls, as listed to their owner. */
export const displaysScreens: readonly Screen[] = [
  {
    name: "displays",
    fullPage: true,
    async go({ page, stack }) {
      await onePaired(stack);
      await page.goto(`${stack.url}/displays`);
      await page.getByTestId("display-row").first().waitFor();
    },
  },
  {
    name: "displays-found",
    fullPage: true,
    async go({ page, stack }) {
      await onePaired(stack);
      const { approvePath } = await startScreen(stack.url);
      await page.goto(stack.url + approvePath);
      await page.getByTestId("screen-code").waitFor();
      await page.locator("details > summary").click();
      await page.locator("[name=turn]").waitFor();
      await page.locator("input[type=radio][value=arranged]").check();
      const add = page.getByRole("combobox").last();
      for (const _ of [1, 2, 3]) {
        await add.click();
        await page.getByRole("option").first().click();
      }
    },
  },
  {
    name: "displays-unknown-code",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/displays?code=ZZZZZZZZ`);
      await page.getByTestId("field-error").waitFor();
    },
  },
];
