import { randomInt } from "node:crypto";
import { topic } from "@mulkko/shared/mqtt/topics";
import { adminSensorAdd } from "@mulkko/shared/rest/operations/admin";
import { AddedSensor } from "@mulkko/shared/rest/sensor";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { mosquittoPub } from "@mulkko/testing/engines/mosquitto-pub";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAsAdmin } from "../pages/admin.ts";
import { type FleetBoard, fleetBoard } from "../pages/fleet.ts";
import { wordsOf } from "../pages/words.ts";

const PATIENT = { timeout: 30_000 };

let stack: Stack;
let browser: Browser;
let admin: SignedIn;
/** The farmer's account. */
let farmerId: string;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  admin = await signIn(stack.url, "admin");
  const [sensor] = await (await signIn(stack.url, "farmer")).sensors();
  if (!sensor?.userId) throw new Error("the API does not say whose a sensor is");
  farmerId = String(sensor.userId);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

/** Add a sensor for the farmer as the administrator; it has had no contact yet. */
async function addSensor(name: string): Promise<{ serial: number; deviceKey: string }> {
  const serial = 24_119_000 + randomInt(900);
  const response = await fetch(stack.url + adminSensorAdd.path, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}` },
    body: new URLSearchParams({ userId: farmerId, serial: `${serial}`, name, deviceType: "SMS" }),
  });
  const { deviceKey } = await read(response, AddedSensor);
  return { serial, deviceKey };
}

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "en-US", colorScheme: "dark" },
  ),
)("the fleet on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  const name = `Barn ${randomInt(1_000_000)}`;
  let page: Page;
  let board: FleetBoard;
  let added: { serial: number; deviceKey: string };
  const count = async (state: string) =>
    Number(/\d+$/.exec(await board.chip(say(`fleet:state.${state}`)).innerText())?.[0]);
  const publish = (message: Record<string, unknown>) =>
    mosquittoPub({
      host: "127.0.0.1",
      port: stack.mqttPort,
      user: `${added.serial}`,
      password: added.deviceKey,
      topic: topic.up(added.serial),
      message: JSON.stringify(message),
    });
  beforeAll(async () => {
    page = await (await newVisitor(browser, visitor)).newPage();
    board = fleetBoard(page, say);
    await enterAsAdmin({ page, stack });
  });
  afterAll(async () => {
    await page?.context().close();
  });

  it("[admin] lists both farmers' accounts on the morning page, and leads to users and sensors", async () => {
    await page.goto(`${stack.url}/adminpage`);
    await page.getByRole("heading", { level: 1, name: say("morning:title") }).waitFor();
    for (const account of ["farmer", "neighbor"]) {
      await page
        .getByRole("link", { name: new RegExp(account) })
        .first()
        .waitFor(PATIENT);
    }
    for (const [word, path] of [
      ["users", "/adminpage/users"],
      ["sensors", "/adminpage/sensors"],
    ]) {
      const way = page.getByTestId("page-actions").getByRole("link", { name: say(`morning:${word}`) });
      expect(await way.getAttribute("href")).toBe(path);
    }
  });

  it("[fleet] shows the devices of all accounts on the board, and a new one", async () => {
    await page.goto(`${stack.url}/adminpage/status`);
    await page.locator("[data-device]").first().waitFor(PATIENT);
    for (const account of ["farmer", "neighbor"]) {
      await page.getByRole("heading", { level: 2 }).filter({ hasText: account }).waitFor(PATIENT);
    }
    added = await addSensor(name);
    await board.device(name).waitFor(PATIENT);
    expect(await board.device(name).getAttribute("data-state")).toBe("never");
  });

  it("[fleet] shows a device online on the open board after its first message, with its battery and signal", async () => {
    const before = await count("never");
    await publish({ moisture: 31.5, battery: 7, rssi: -82 });
    await expect.poll(() => board.device(name).getAttribute("data-state"), PATIENT).toBe("fresh");
    await expect.poll(() => board.device(name).innerText(), PATIENT).toContain("7 %");
    await expect.poll(() => count("never"), PATIENT).toBe(before - 1);
  });

  it("[fleet] filters by chips and search, and the address carries them into another tab", async () => {
    await board.chip(say("common:alarmType.battery")).click();
    // Every visitor has added one.
    await board.search(name);
    await expect.poll(() => board.names()).toEqual([name]);
    await page.waitForURL(/need=battery.*q=Barn/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    const there = fleetBoard(other, say);
    await there.device(name).waitFor(PATIENT);
    expect(await there.names()).toEqual([name]);
    await other.close();
  });

  it("[fleet] exports the shown devices as an Excel file", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: say("fleet:export") }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${say("fleet:title")}.xlsx`);
  });

  it("[fleet] opens a device's details by a press, and its address leads back to it", async () => {
    await board.device(name).click();
    const sheet = page.getByRole("dialog", { name });
    await sheet.getByText(`${added.serial}`).waitFor();
    await page.reload();
    await sheet.getByText(`${added.serial}`).waitFor(PATIENT);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(page.url()).not.toContain("id=");
  });

  it("[fleet] shows the filtered devices on the map", async () => {
    await page.goto(`${stack.url}/adminpage/status?view=map&account=${farmerId}`);
    await page.getByRole("region", { name: say("fleet:mapLabel") }).waitFor(PATIENT);
  });
});
