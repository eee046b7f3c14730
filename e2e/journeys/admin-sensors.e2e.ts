import { Sensor } from "@mulkko/shared/entities/sensor";
import { adminSensorAdd, adminSensors } from "@mulkko/shared/rest/operations/admin";
import { controllerCommand } from "@mulkko/shared/rest/operations/controllers";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { relayPath } from "@mulkko/shared/rest/routes";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAsAdmin } from "../pages/admin.ts";
import { readFarmOf, SOIL_SERIAL } from "../pages/admin-sensors.ts";
import { type FormPage, formOn } from "../pages/form.ts";
import { wordsOf } from "../pages/words.ts";

let stack: Stack;
let browser: Browser;
/** Signed in once for all visitors: the relay limits the number of sign-ins per minute. */
let admin: SignedIn;
let neighbor: SignedIn;
let made = 24_118_000;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  [admin, neighbor] = await Promise.all([signIn(stack.url, "admin"), signIn(stack.url, "neighbor")]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** Start of serials, and the number of the demo's sensors with it: 24110101 to 24110109. */
const [SERIALS, FOUND] = ["2411010", 9];

const allSensors = async () => read(await admin.get(adminSensors.path), Type.Array(Sensor));

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "en-US", colorScheme: "dark" },
    { viewport: "desktop", locale: "zh-CN", colorScheme: "light" },
  ),
)("the administrators' sensors on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  let context: BrowserContext;
  let page: Page;
  let form: FormPage;
  const rows = () => page.locator("tbody tr");
  const toList = async (search = "") => {
    await page.goto(`${stack.url}/adminpage/sensors${search}`);
    await rows().first().waitFor();
  };
  const remove = () =>
    page
      .getByTestId("page-actions")
      .getByRole("button", { name: say("common:action.delete") })
      .click();

  beforeAll(async () => {
    context = await newVisitor(browser, visitor);
    page = await context.newPage();
    await enterAsAdmin({ page, stack });
    form = formOn(page, say("admin-sensor-add:submit"));
  });
  afterAll(async () => {
    await context?.close();
  });

  it("[spec 1] the table's other addresses redirect to it", async () => {
    for (const address of ["/sensors-table", "/tables-datatable"]) {
      await page.goto(stack.url + address);
      await page.waitForURL("**/adminpage/sensors");
      await rows().first().waitFor();
    }
  });

  it("[spec 1] shows 25 rows a page, and keeps search, order and size in the address", async () => {
    await toList();
    expect(await rows().count()).toBeGreaterThan(5);
    expect(await page.getByRole("combobox", { name: say("common:table.size") }).inputValue()).toBe("25");
    await page.getByRole("searchbox").fill(SERIALS);
    await page.getByRole("combobox", { name: say("common:table.size") }).selectOption("20");
    await page.getByRole("button", { name: say("devices:serial"), exact: true }).click();
    await page.waitForURL(/q=2411010.*size=20.*sort=serial/);
    await expect.poll(() => rows().count()).toBe(FOUND);
    await page.reload();
    await expect.poll(() => rows().count()).toBe(FOUND);
    expect(await page.getByRole("searchbox").inputValue()).toBe(SERIALS);
  });

  it("[spec 1] deleting with nothing selected asks to select items", async () => {
    await toList();
    await remove();
    await page.getByText(say("admin:selectSome")).first().waitFor();
    expect(await page.getByRole("alertdialog").count()).toBe(0);
  });

  it("[spec 1] adds a sensor for an account, on one of its farms, and shows its key once", async () => {
    const userId = (await neighbor.sensors())[0]?.userId;
    made += 1;
    await admin.post(adminSensorAdd.path, { userId, name: "One", serial: `${made}` });
    made += 1;
    await page.goto(`${stack.url}/adminpage/sensor/add`);
    const owner = page.getByRole("combobox", { name: say("admin-sensor-add:owner") });
    await owner.fill("neigh");
    await page.getByRole("option", { name: /neighbor/ }).click();
    await form.fill({ name: "Two", serial: `000${made}` });
    await expect.poll(() => form.field("clusterId").locator("option").count()).toBeGreaterThan(1);
    await form.field("clusterId").selectOption({ index: 1 });
    await form.send();
    const dialog = page.getByRole("dialog");
    await dialog.getByTestId("device-key").waitFor();
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: say("devices:key.close") }).click();
    await page.waitForURL("**/dashboard");
    const mine = await neighbor.sensors();
    expect(mine.find(({ serial }) => Number(serial) === made)).toMatchObject({
      name: "Two",
      deviceType: "SMS",
    });
  });

  it("[spec 1] opens a sensor from its row, and an administrator corrects its serial", async () => {
    await toList(`?q=${made}`);
    await rows().first().locator("code").click();
    await page.waitForURL("**/adminpage/sensor?id=*");
    const edit = formOn(page, say("common:action.save"));
    expect(await edit.field("id").getAttribute("readonly")).not.toBeNull();
    await edit.fill({ serial: "" });
    await edit.send();
    await edit.fault("serial").waitFor();
    const before = made;
    made += 1;
    await edit.fill({ serial: `${made}`, name: "Three" });
    await edit.send();
    await page.waitForURL(`**/adminpage/sensors?q=${before}`);
    const after = (await allSensors()).find(({ serial }) => Number(serial) === made);
    expect(after).toMatchObject({ name: "Three", clusterId: expect.any(Number) });
    expect((await allSensors()).some(({ serial }) => Number(serial) === before)).toBe(false);
  });

  it("[spec 1] deletes several after one question with the count; each has a result and leaves the list", async () => {
    const count = (await allSensors()).filter(({ serial }) => `${serial}`.startsWith("24118")).length;
    await toList("?q=24118");
    await expect.poll(() => rows().count()).toBe(count);
    // The count is known once all pages have been requested.
    await page.locator("thead input[type=checkbox]").click();
    await page.locator("thead input[type=checkbox]:checked").waitFor();
    await remove();
    const question = page.getByRole("alertdialog");
    const button = question.locator("button").last();
    expect(await button.textContent()).toContain(`${count}`);
    expect(await button.isDisabled()).toBe(true);
    await question.locator("input[name=count]").fill(`${count}`);
    await button.click();
    const results = page.getByRole("dialog").locator("li");
    await expect.poll(() => results.count()).toBe(count);
    await page.getByRole("button", { name: say("common:action.close") }).click();
    await expect.poll(() => page.getByTestId("none-found").count()).toBe(1);
    expect((await allSensors()).some(({ serial }) => `${serial}`.startsWith("24118"))).toBe(false);
  });

  it("[HS-2] shows another account's farm as the account sees it, without commands", async () => {
    await readFarmOf(page, stack, SOIL_SERIAL, say);
    await page.getByRole("region", { name: say("shell:reading.label") }).waitFor();
    await page.goto(`${stack.url}/irrigation`);
    const close = page.getByRole("button", { name: say("irrigation:closeAll.button") });
    await close.waitFor();
    expect(await close.isDisabled()).toBe(true);
    await page.goto(`${stack.url}/farmadd`);
    await page.getByRole("heading", { name: say("shell:reading.ownOnly") }).waitFor();
    await page.getByRole("link", { name: say("shell:reading.leave") }).click();
    await page.waitForURL("**/adminpage");
    await expect.poll(() => page.getByRole("region", { name: say("shell:reading.label") }).count()).toBe(0);
  });

  it("[HS-2] refuses at the server what the screens do not offer, and reads for no other user", async () => {
    const owner = (await allSensors()).find(({ serial }) => Number(serial) === SOIL_SERIAL)?.userId;
    const as = `?as=${owner}`;
    const [found, written, wrote] = await Promise.all([
      admin.get(`${relayPath.settings}${as}`),
      admin.post(`${relayPath.closeAll("all")}${as}`, {}),
      admin.post(`${controllerCommand.path}${as}`, {}),
    ]);
    expect([found.status, written.status, wrote.status]).toEqual([200, 403, 403]);
    expect((await neighbor.get(`${sensorList.path}${as}`)).status).toBe(403);
  });
});
