import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { OnOffCommand } from "@mulkko/shared/mqtt/device-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import { parseJson } from "@mulkko/shared/schema/parse";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import { connectAsync, type MqttClient } from "mqtt";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FormPage, formOn } from "../pages/form.ts";
import { openPanel } from "../pages/valve-panel.ts";
import { wordsOf } from "../pages/words.ts";

const run = promisify(execFile);
const PASSWORD = "Mulkko+2027";
const SOIL = 24_990_001;
const LEAF = 24_990_002;
const VALVES = 24_990_003;
/** Folder for a screenshot of each step; none are taken if it is not set. */
const PICTURES = process.env.E2E_PICTURES;

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "dark" },
  ),
)("the first hour on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  let stack: Stack;
  let browser: Browser;
  let page: Page;
  let controller: MqttClient | undefined;
  let boxId: string;
  let soilKey: string;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([startStack({ DEMO: "off" }), launchChromium()]);
    const context = await newVisitor(browser, visitor);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    page = await context.newPage();
  });
  afterAll(async () => {
    await controller?.endAsync(true);
    await browser?.close();
    await stack?.close();
  });

  const picture = async (name: string): Promise<void> => {
    if (PICTURES === undefined) return;
    await mkdir(PICTURES, { recursive: true });
    const file = `${name}-${visitor.viewport}-${visitor.locale}.png`;
    await page.screenshot({ path: join(PICTURES, file) });
  };
  /** Copy the command as a user does, and leave the dialog. @returns the command and the key */
  const copyLine = async (): Promise<{ line: string; key: string }> => {
    const dialog = page.getByRole("dialog", { name: say("devices:key.title") });
    const key = (await dialog.getByTestId("device-key").innerText()).replace(/\s/g, "");
    await dialog.getByText(say("devices:key.try")).click();
    await dialog
      .getByRole("button", { name: say("devices:key.copy") })
      .last()
      .click();
    await dialog.getByRole("button", { name: say("devices:key.copied") }).waitFor();
    await picture("key");
    const line = await page.evaluate(() => navigator.clipboard.readText());
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: say("devices:key.close") }).click();
    await dialog.waitFor({ state: "hidden" });
    return { line, key };
  };
  /** Run a command as a user pastes it into a shell; mosquitto_pub fails if the broker refuses it. */
  const paste = (line: string) => run("bash", ["-c", line], { timeout: 20_000 });
  const addSensor = async (name: string, serial: number, deviceType: string) => {
    await page.goto(`${stack.url}/listadd`);
    const add = formOn(page, say("sensor-add:submit"));
    await expect.poll(() => farmOf(add)).toBe("논산 농장");
    await add.fill({ name, serial: String(serial), deviceType });
    await add.send();
  };
  const home = () => page.waitForURL("**/dashboard");
  const nextStep = () => page.locator("[aria-current=step]").getByRole("link").innerText();
  /** Return the farm that a form has chosen. */
  const farmOf = (form: FormPage) =>
    form.field("clusterId").evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text);
  const widgets = () => page.getByTestId("widget");

  it("[setup] sets an empty installation up with the printed code", async () => {
    await page.goto(stack.url);
    const code = /setup code[^:]*: ([2-9A-Z]{12})/.exec(stack.api.output())?.[1] ?? "";
    await page.locator("input[name=code]").fill(code);
    await page.locator("input[name=nickname]").fill("김관리");
    await page.locator("input[name=userAddress]").fill("kim@example.com");
    await page.locator("input[name=username]").fill("first-admin");
    await page.locator("input[name=password]").fill(PASSWORD);
    await page.locator("button[type=submit]").click();
    await home();
    expect(await nextStep()).toBe(say("dashboard:steps.farm"));
    await picture("empty-home");
  });

  it("[FIRST-1] says on the home what comes after the farm", async () => {
    await page.getByTestId("first-step").getByRole("link").first().click();
    const add = formOn(page, say("farms:add.submit"));
    await add.fill({ name: "논산 농장" });
    await add.send();
    await home();
    await expect.poll(nextStep).toBe(say("dashboard:steps.sensor"));
    await picture("farm-added");
  });

  it("[first hour] the first sensor's copied command shows its reading on the home page", async () => {
    await addSensor("1동 토양", SOIL, "SMS");
    const { line, key } = await copyLine();
    soilKey = key;
    await home();
    await paste(line);
    await widgets().filter({ hasText: "1동 토양" }).getByText("55", { exact: false }).first().waitFor();
    await picture("home");
  });

  it("[first hour] accepts the command of another type too; a single widget stands alone", async () => {
    await addSensor("잎 온습도", LEAF, "LAT");
    const { line } = await copyLine();
    await home();
    await paste(line);
    await page.goto(`${stack.url}/sensors/datalist?deviceType=LAT`);
    await page.getByText("21.5").first().waitFor();
    await page.goto(`${stack.url}/dashboard`);
    await widgets().first().waitFor();
    expect(await widgets().count()).toBe(1);
  });

  it("[dead-letters] shows a rejected message on the device's page", async () => {
    await widgets().first().click();
    await page.waitForURL("**/sensors/type?*");
    await paste(
      `mosquitto_pub -h 127.0.0.1 -p ${stack.mqttPort} -u ${SOIL} -P ${soilKey} -q 1 -t mulkko/${SOIL}/up -m 'moisture=3'`,
    );
    await expect
      .poll(
        async () => {
          await page.reload();
          const heading = page.getByRole("heading", { name: say("devices:deadLetters.count", { count: 1 }) });
          return heading.waitFor({ timeout: 5_000 }).then(
            () => true,
            () => false,
          );
        },
        { timeout: 30_000 },
      )
      .toBe(true);
    await page.getByText("moisture=3").waitFor();
    await picture("dead-letters");
  });
  it("[first hour] offers four channels of a controller with four, all of which can be opened", async () => {
    await page.goto(`${stack.url}/cotadd`);
    const add = formOn(page, say("controller-edit:register"));
    await expect.poll(() => farmOf(add)).toBe("논산 농장");
    await add.fill({ name: "1동 밸브", serial: String(VALVES) });
    await picture("controller-add");
    await add.send();
    const { line, key } = await copyLine();
    await page.waitForURL("**/sensors/cot/detail?cotId=*");
    boxId = new URL(page.url()).searchParams.get("cotId") ?? "";
    await expect.poll(() => page.getByTestId("channels").getByRole("button").count()).toBe(4);
    await paste(line);
    await page
      .getByTestId("valve-state")
      .filter({ hasText: say("common:valve.closed") })
      .waitFor();
    await picture("controller");

    controller = await connectAsync(`mqtt://127.0.0.1:${stack.mqttPort}`, {
      username: String(VALVES),
      password: key,
      reconnectPeriod: 0,
    });
    const device = controller;
    const tell = (body: object, channel: number) =>
      device.publishAsync(topic.channelState(VALVES, channel), JSON.stringify(body), {
        qos: 1,
        retain: true,
      });
    device.on("message", (name, payload) => {
      const command = parseJson(OnOffCommand, payload.toString());
      if (!command.ok) throw new Error(`${name} breaks the contract`);
      const { state: onoff, commandId, maxRunSeconds = 0 } = command.value;
      const end = onoff === 1 ? { runUntil: new Date(Date.now() + maxRunSeconds * 1_000).toISOString() } : {};
      void tell({ onoff, commandId, ...end }, Number(name.split("/")[3]));
    });
    await device.subscribeAsync(`mulkko/${VALVES}/ch/+/cmd/onoff`, { qos: 1 });
    await tell({ onoff: 2 }, 4);
  });

  it("[first hour] the fourth channel opens for the first time", async () => {
    const panel = await openPanel(page, stack.url, boxId, 4);
    if (visitor.viewport === "phone") await panel.slideAlong();
    else await panel.openFor(5);
    await page
      .getByTestId("valve-state")
      .filter({ hasText: say("common:valve.open") })
      .waitFor();
    await picture("opened");
  });

  it("[controller] offers the first channel for one whose channels were deleted, in the list and on its page", async () => {
    await page.goto(`${stack.url}/cotadd`);
    const add = formOn(page, say("controller-edit:register"));
    await add.fill({ name: "빈 밸브", serial: String(VALVES + 1) });
    const all = page.getByRole("checkbox", { name: say("controller-edit:channels.all"), exact: true });
    await all.uncheck();
    await add.send();
    const dialog = page.getByRole("dialog", { name: say("devices:key.title") });
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: say("devices:key.close") }).click();
    await page.waitForURL("**/sensors/cot/detail?cotId=*");
    const way = page.getByRole("link", { name: say("controller:addFirstChannelTo", { name: "빈 밸브" }) });
    await way.waitFor();
    await picture("no-channels");
    await page.goto(`${stack.url}/sensors/cot`);
    await way.waitFor();
    await picture("no-channels-list");
    await way.click();
    await page.waitForURL("**/controller/edit?*");
    await page
      .getByRole("checkbox", { name: say("common:valve.channel", { number: 1 }), checked: true })
      .waitFor();
    await expect
      .poll(() =>
        page
          .getByRole("checkbox", { name: say("common:valve.channel", { number: 1 }), checked: true })
          .evaluate((box) => box.getBoundingClientRect().top < window.innerHeight),
      )
      .toBe(true);
    await picture("first-channel");
    await page.getByRole("button", { name: say("common:action.save"), exact: true }).click();
    await page.waitForURL((url) => url.pathname !== "/controller/edit");
    await page.goto(`${stack.url}/sensors/cot`);
    await expect.poll(() => page.getByTestId("channel-cell").count()).toBe(5);
  });

  it("[dead-letters] shows an administrator the unknown device that tries to connect", async () => {
    const line = `mosquitto_pub -h 127.0.0.1 -p ${stack.mqttPort} -u 24990099 -P none -t mulkko/24990099/up -m '{}'`;
    await expect(paste(line)).rejects.toThrow();
    await page.goto(`${stack.url}/adminpage`);
    await page.getByText("24990099").first().waitFor();
    await picture("knocks");
  });
});
