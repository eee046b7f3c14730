import { DisplayList } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { buildDisplaySettings } from "@mulkko/shared/testing/builders";
import { read } from "@mulkko/testing/stack/account";
import { askCode, pairDisplay } from "@mulkko/testing/stack/displays";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import { farmerOf, type Screen } from "./screen.ts";

/** Settings of a screen that shows everything. */
const SETTINGS = buildDisplaySettings({
  name: "관제실",
  night: { from: "21:00", to: "06:00" },
  sound: true,
  scope: "ack",
});

/** Pair one screen, for any earlier visitor. */
async function onePaired(stack: Stack): Promise<void> {
  const account = await farmerOf(stack);
  const { displays } = await read(await account.get(relayPath.displays), DisplayList);
  if (displays.length === 0) await pairDisplay(stack.url, SETTINGS, account);
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
      const { approvePath } = await askCode(stack.url);
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
