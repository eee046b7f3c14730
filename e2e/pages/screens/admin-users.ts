import { UserEntry } from "@mulkko/shared/rest/admin-user";
import { contactSend } from "@mulkko/shared/rest/operations/account";
import { adminUsers, adminUserUpdate } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { read, type SignedIn } from "@mulkko/testing/stack/account";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import { Type } from "typebox";
import { enterAsAdmin } from "../admin.ts";
import { wordsOf } from "../words.ts";
import { accountOf, farmerOf, type Scene, type Screen } from "./screen.ts";

/** An administrator's screen with an address. */
const asAdmin = (name: string, fullPage: boolean, go: (scene: Scene) => Promise<void>): Screen => ({
  name,
  fullPage,
  signedOut: true,
  async go(scene) {
    await enterAsAdmin(scene);
    await go(scene);
  },
});

const farmerId = async (admin: SignedIn): Promise<string> => {
  const users = await read(await admin.get(adminUsers.path), Type.Array(UserEntry));
  const farmer = users.find(({ username }) => username === "farmer");
  if (!farmer) throw new Error("there is no farmer");
  return `${farmer.id}`;
};

const toUser = async ({ page, stack }: Scene): Promise<void> => {
  await page.goto(`${stack.url}/adminpage/users?q=farmer`);
  await page.getByRole("link", { name: "farmer", exact: true }).click();
  await page.locator("[name=username]").waitFor();
};

/** Add, change and delete an account, so that the log has entries. */
const deeds = async (stack: Stack): Promise<void> => {
  const admin = await accountOf(stack, "admin");
  const id = await farmerId(admin);
  await admin.post(pathTo(adminUserUpdate, { id }), { farmAddress: "논산 다온농장", phone: "010-2026-1122" });
  await admin.post(pathTo(adminUserUpdate, { id }), { farmAddress: "다온농장", emailNotification: false });
  const farmer = await farmerOf(stack);
  await farmer.post(contactSend.path, {
    name: "김다온",
    title: "3동 센서가 자주 끊깁니다",
    message: "어제 저녁부터 3동 토양 센서 두 대가 번갈아 끊깁니다.\n배터리는 지난주에 바꿨습니다.",
  });
};

/** Accounts, the audit and command logs, the messages. */
export const adminUsersScreens: readonly Screen[] = [
  asAdmin("admin-users", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/users`);
    await page.locator("tbody tr").first().waitFor();
  }),
  asAdmin("admin-users-nothing", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/users?q=nobody-has-this`);
    await page.getByTestId("none-found").waitFor();
  }),
  asAdmin("admin-users-delete", false, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/users`);
    await page.locator("tbody tr input[type=checkbox]").first().waitFor();
    // The count is known once all pages have been requested.
    await page.locator("thead input[type=checkbox]").click();
    await page.locator("thead input[type=checkbox]:checked").waitFor();
    await page.getByTestId("page-actions").getByRole("button").first().click();
    await page.getByRole("alertdialog").waitFor();
  }),
  asAdmin("admin-user", true, toUser),
  asAdmin("admin-user-refused", true, async (scene) => {
    await toUser(scene);
    for (const name of ["username", "nickname", "timezone"]) {
      await scene.page.locator(`main form [name=${name}]`).fill("");
    }
    await scene.page.locator("main form button[type=submit]").click();
    await scene.page.getByTestId("field-error").first().waitFor();
  }),
  asAdmin("admin-user-password", false, async (scene) => {
    await toUser(scene);
    await scene.page
      .getByRole("button", { name: wordsOf(scene.visitor.locale)("account:password.open") })
      .click();
    await scene.page.getByRole("dialog").waitFor();
  }),
  asAdmin("admin-user-delete", false, async (scene) => {
    await toUser(scene);
    await scene.page.locator("main button[aria-haspopup=menu]").click();
    await scene.page.locator("[role=menuitem][data-danger]").click();
    await scene.page.getByRole("alertdialog").waitFor();
  }),
  asAdmin("admin-user-gone", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/user?id=00000000-0000-4000-8000-000000000000`);
    await page.getByTestId("empty-state").waitFor();
  }),
  asAdmin("admin-user-add", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/user/add`);
    await page.locator("[name=username]").waitFor();
  }),
  asAdmin("admin-audit", true, async ({ page, stack }) => {
    await deeds(stack);
    await page.goto(`${stack.url}/adminpage/audit`);
    await page.getByRole("article").first().waitFor();
  }),
  asAdmin("admin-commands", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/audit?show=commands`);
    await page.getByRole("article").or(page.getByTestId("none-found")).first().waitFor();
  }),
  asAdmin("admin-contacts", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/contacts`);
    await page.getByRole("article").first().waitFor();
  }),
];
