import { topic } from "@mulkko/shared/mqtt/topics";
import { SessionEntry } from "@mulkko/shared/rest/account";
import { sessionEnd, sessionList } from "@mulkko/shared/rest/operations/account";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { mosquittoPub } from "@mulkko/testing/engines/mosquitto-pub";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { BrowserContext, Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FormPage, formOn, leaveDialog } from "../pages/form.ts";
import { enterAs } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const stage = openStage();
let serialNumber = 24_119_000;

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("a sensor's forms on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  serialNumber += 1;
  const serial = serialNumber;
  let context: BrowserContext;
  let other: BrowserContext;
  let page: Page;
  /** Another browser of the same farmer, at the list. */
  let watcher: Page;
  let edit: FormPage;
  const findId = async (account: SignedIn) =>
    (await account.sensors()).find((sensor) => Number(sensor.serial) === serial)?.id;
  /** Requested once: the relay limits the number of sign-ins per minute. */
  let id: string | undefined;
  const idOf = async () => {
    id ??= String(await findId(await signIn(stage.stack.url, "farmer")));
    return id;
  };
  const toEdit = async () => {
    await page.goto(`${stage.stack.url}/sensors/edit?id=${await idOf()}`);
    await edit.field("name").waitFor();
  };
  const enter = async (visit: BrowserContext) => {
    const tab = await visit.newPage();
    await tab.goto(`${stage.stack.url}/login`);
    await enterAs(tab, "farmer");
    return tab;
  };

  beforeAll(async () => {
    [context, other] = await Promise.all([
      newVisitor(stage.browser, visitor),
      newVisitor(stage.browser, visitor),
    ]);
    page = await enter(context);
    watcher = await enter(other);
    await watcher.goto(`${stage.stack.url}/sensors`);
    edit = formOn(page, say("common:action.save"));
  });
  afterAll(async () => {
    await context?.close();
    await other?.close();
  });

  it("[spec 2] adds a sensor, shows its key once, and receives readings with that key", async () => {
    await page.goto(`${stage.stack.url}/addpage`);
    await page.getByRole("link", { name: say("add:tile.sensor") }).click();
    const add = formOn(page, say("sensor-add:submit"));
    await add.send();
    await expect.poll(() => add.fault("serial").innerText()).toBe(say("devices:fault.required"));
    expect(await add.field("deviceType").inputValue()).toBe("SMS");
    await add.fill({
      name: `새 센서 ${serial}`,
      serial: `000${serial}`,
      latitude: "36,2",
      longitude: "127.1",
    });
    await add.send();
    const dialog = page.getByRole("dialog", { name: say("devices:key.title") });
    const key = (await dialog.getByTestId("device-key").innerText()).replace(/\s/g, "");
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    // As on a page over plain HTTP, which has no Clipboard API.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    // What the browser is asked to copy: a browser without a screen does not always paste it again.
    const copied = page.evaluate(
      () =>
        new Promise<string>((done) =>
          document.addEventListener("copy", () => done(String(window.getSelection())), { once: true }),
        ),
    );
    await dialog
      .getByRole("button", { name: say("devices:key.copy") })
      .first()
      .click();
    expect(await copied).toBe(key);
    await dialog.getByRole("button", { name: say("devices:key.copied") }).waitFor();
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: say("devices:key.close") }).click();
    await page.waitForURL("**/dashboard");
    await watcher.getByText(`새 센서 ${serial}`).first().waitFor();
    await mosquittoPub({
      host: "127.0.0.1",
      port: stage.stack.mqttPort,
      user: String(serial),
      password: key,
      topic: topic.up(serial),
      message: JSON.stringify({ moisture: 43.2, soilTemperature: 15.1 }),
    });
    await watcher.getByText("43.2").first().waitFor();
  });

  it("[spec 2] refuses a serial that is taken at its field, and keeps the form", async () => {
    await page.goto(`${stage.stack.url}/listadd`);
    const add = formOn(page, say("sensor-add:submit"));
    await add.fill({ name: "그 센서", serial: String(serial), crops: "상추" });
    await add.send();
    await expect.poll(() => add.fault("serial").innerText()).toBe(say("devices:fault.serialTaken"));
    expect(await add.field("crops").inputValue()).toBe("상추");
    await page.getByRole("link", { name: say("common:action.back") }).click();
    const asked = leaveDialog(page, say);
    await asked.getByRole("button", { name: say("common:form.leave.stay") }).click();
    expect(await add.field("crops").inputValue()).toBe("상추");
    await page.getByRole("link", { name: say("common:action.back") }).click();
    await asked.getByRole("button", { name: say("common:form.leave.leave") }).click();
    await page.waitForURL("**/addpage");
  });

  it("[spec 2] shows an edited name on another screen, and the form leads back to the list", async () => {
    await toEdit();
    expect(await edit.field("serial").getAttribute("readonly")).not.toBeNull();
    await edit.field("latitude").fill("");
    await edit.field("name").fill(`바뀐 센서 ${serial}`);
    expect(await edit.field("latitude").inputValue()).toBe("36.2");
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).pathname).toBe("/sensors/edit");
    await edit.send();
    await page.waitForURL("**/sensors");
    await watcher.getByText(`바뀐 센서 ${serial}`).first().waitFor();
  });

  it("[spec 2] the map of one sensor is 200 px high", async () => {
    await toEdit();
    const map = await page.locator("form").getByTestId("map-frame").boundingBox();
    expect(map?.height).toBe(200);
  });

  it("[form] saves nothing and loses nothing without a network; the next try saves", async () => {
    await toEdit();
    await edit.field("crops").fill("상추");
    await context.setOffline(true);
    await edit.send();
    await expect.poll(() => edit.failure.innerText()).toContain(say("common:error.not-sent"));
    expect(await edit.field("crops").inputValue()).toBe("상추");
    await context.setOffline(false);
    await edit.send();
    await page.waitForURL("**/sensors");
  });

  it("[form] keeps the typed values when a sign-in ends meanwhile, and shows them after the next one", async () => {
    await toEdit();
    await edit.field("description").fill("반쯤 쓴 설명");
    const account = await signIn(stage.stack.url, "farmer");
    const sessions = await read(await account.get(sessionList.path), Type.Array(SessionEntry));
    for (const { id, current } of sessions) {
      if (current) continue;
      await fetch(stage.stack.url + pathTo(sessionEnd, { id }), {
        method: "DELETE",
        headers: { authorization: `Bearer ${account.token}` },
      });
    }
    // The live stream ends with the session, and the page leaves by itself (AUTH-4).
    await page.waitForURL("**/login");
    await enterAs(page, "farmer");
    await edit.field("name").waitFor();
    expect(await edit.field("description").inputValue()).toBe("반쯤 쓴 설명");
    await edit.send();
    await page.waitForURL("**/sensors");
  });

  it("[spec 2] asks before deleting, and leads back to the list", async () => {
    await toEdit();
    await page
      .getByRole("main")
      .getByRole("button", { name: say("devices:edit.more") })
      .click();
    await page.getByRole("menuitem", { name: say("devices:delete.action") }).click();
    const dialog = page.getByRole("alertdialog", {
      name: say("devices:delete.title", { name: `바뀐 센서 ${serial}` }),
    });
    await dialog.getByRole("button", { name: say("common:action.cancel") }).click();
    const account = await signIn(stage.stack.url, "farmer");
    expect(await findId(account)).not.toBeUndefined();
    await page
      .getByRole("main")
      .getByRole("button", { name: say("devices:edit.more") })
      .click();
    await page.getByRole("menuitem", { name: say("devices:delete.action") }).click();
    await dialog.getByRole("button", { name: say("common:action.delete") }).click();
    await page.waitForURL("**/sensors");
    await expect.poll(() => findId(account)).toBeUndefined();
  });
});
