import { at, type Screen } from "./screen.ts";

/** The user's own settings. */
export const accountScreens: readonly Screen[] = [
  at("account", "/account"),
  {
    name: "account-refused",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/account`);
      for (const name of ["nickname", "userAddress", "timezone"]) {
        await page.locator(`[name=${name}]`).fill("");
      }
      await page.locator("main form button[type=submit]").click();
      await page.getByTestId("field-error").first().waitFor();
    },
  },
];
