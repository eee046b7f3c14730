import { measurementsOf } from "@mulkko/shared/entities/log-entry";
import { Sensor } from "@mulkko/shared/entities/sensor";
import { sensorAdd, sensorList } from "@mulkko/shared/rest/operations/sensors";
import { OFFLINE_AFTER_MS } from "@mulkko/shared/rules/quality";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type BadLine, startBadLine } from "@mulkko/testing/stack/bad-line";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { pairWall } from "../pages/wall.ts";
import { wordsOf } from "../pages/words.ts";

const TELEVISION = { width: 1920, height: 1080 } as const;
/** A sensor that is registered and never sends. */
const SILENT = 24_119_901;
const OUTDOORS = "노지 앞밭 환경";
/** Types of the category of soil. */
const SOIL = ["SMS", "SOIL", "SSH"];
/** Delay of all data on the line, ms. */
const LATE_MS = 700;
const SEEN_WITHIN_MS = 60_000;

const stage = openStage();
let farmer: SignedIn;
let line: BadLine;
/**
 * The farm API's counts: sensors without controllers, sensors of soil, and all devices; of the sensors, and of those of
 * soil, the silent ones. The recorded days of the demo have gaps of hours, on some dates.
 */
const listed = { sensors: 0, soil: 0, devices: 0, silent: 0, silentSoil: 0 };

const isOfSoil = ({ deviceType }: Sensor) => SOIL.includes(deviceType);

/** Return the sensors that have been silent for an hour before the newest reading of all. */
function silentOf(sensors: readonly Sensor[]): Sensor[] {
  const read = sensors.map(({ latestLog }) => (latestLog ? Date.parse(latestLog.createdDate) : 0));
  const newest = Math.max(...read);
  return sensors.filter((_, index) => newest - (read[index] ?? 0) >= OFFLINE_AFTER_MS);
}
beforeAll(async () => {
  farmer = await signIn(stage.stack.url, "farmer");
  const added = await fetch(stage.stack.url + sensorAdd.path, {
    method: "POST",
    headers: { authorization: `Bearer ${farmer.token}` },
    body: new URLSearchParams({ serial: `${SILENT}`, name: "빈 자리", deviceType: "SMS", widget: "false" }),
  });
  expect(added.status).toBe(200);
  const sensors = await read(await farmer.get(sensorList.path), Type.Array(Sensor));
  const measuring = sensors.filter(({ deviceType }) => deviceType !== "COT");
  const silent = silentOf(measuring);
  listed.sensors = measuring.length;
  listed.soil = sensors.filter(isOfSoil).length;
  listed.silent = silent.length;
  listed.silentSoil = silent.filter(isOfSoil).length;
  expect(silent.map(({ serial }) => Number(serial))).toContain(SILENT);
  listed.devices = sensors.length + (await farmer.controllers()).length;
  expect(sensors.length).toBe(listed.sensors + 1);
  line = await startBadLine(stage.stack.url);
  line.delay(LATE_MS);
});
afterAll(async () => {
  await line?.close();
});

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("counts of a farm with a silent sensor, on a $viewport in $locale over a slow line", (visitor) => {
  const say = wordsOf(visitor.locale);
  let page: Page;
  const go = (path: string) => page.goto(line.url + path);
  const within = { timeout: SEEN_WITHIN_MS };
  beforeAll(async () => {
    page = await stage.visit(visitor);
    await signInOnPage(page, line.url, "farmer");
  });
  afterAll(async () => {
    await page?.context().close();
  });

  it("[dashboard] counts all but the silent sensors as live on the tile, and all but them in the header", async () => {
    const tile = page.locator("[data-testid=scene-tile][href='/sensors']");
    const { sensors, devices, silent } = listed;
    await expect
      .poll(() => tile.innerText(), within)
      .toContain(say("dashboard:sensors.live", { count: sensors - silent, total: sensors }));
    const share = say("common:link.deviceShare", { fresh: devices - silent, count: devices });
    const way = page.getByRole("banner").getByRole("link", { name: share });
    await way.waitFor(within);
    expect(await way.getAttribute("href")).toBe("/sensors?live=no");
  });

  it("[weather] shows the outdoor station's weather on the dashboard, without a humidity that it does not measure", async () => {
    const weather = page.getByRole("region", { name: say("weather:title") });
    await expect.poll(() => weather.innerText(), within).toContain(OUTDOORS);
    expect(await weather.innerText()).toMatch(/\d+\s*°C/);
    expect(await weather.innerText()).not.toContain("--");
    expect(await weather.innerText()).not.toContain(say("common:field.humidity"));
  });

  it("[sensors] shows the same on the page, and counts soil sensors as the list does", async () => {
    await go("/sensors");
    const heading = (category: string) =>
      page.getByRole("heading", { level: 1, name: category }).locator("..");
    await expect
      .poll(() => heading(say("sensors:title")).innerText(), within)
      .toContain(say("sensors:counts", { count: listed.sensors, silent: listed.silent }));
    await go("/sensors/type?deviceType=SOIL");
    await expect
      .poll(() => heading(say("common:category.SOIL")).innerText(), within)
      .toContain(say("sensors:counts", { count: listed.soil, silent: listed.silentSoil }));
  });

  it("[sensor-table] shows both soil types in one table", async () => {
    await go("/sensors/datalist?deviceType=SMS");
    const alike = (await farmer.sensors()).filter(({ deviceType }) => ["SMS", "SOIL"].includes(deviceType));
    await expect.poll(() => page.getByRole("rowheader").count(), within).toBe(alike.length);
  });

  it("[maps] lists as many sensors on the map, and the controller beside them", async () => {
    await go("/maps");
    const types = page.getByRole("list", { name: say("maps:types") });
    const way = (name: string) => types.getByRole("link").filter({ hasText: name });
    await expect
      .poll(() => way(say("maps:all")).innerText(), within)
      .toMatch(new RegExp(`${listed.sensors}$`));
    expect(await way(say("common:deviceType.COT")).innerText()).toMatch(/1$/);
    expect(await way(say("common:category.SOIL")).innerText()).toMatch(new RegExp(`${listed.soil}$`));
  });
});

describe("counts on a wall over a slow line", () => {
  let page: Page;
  beforeAll(async () => {
    const context = await stage.browser.newContext({
      viewport: TELEVISION,
      locale: "ko-KR",
      serviceWorkers: "block",
    });
    page = await context.newPage();
  });
  afterAll(async () => {
    await page?.context().close();
  });

  it("[wall] shows the header's share in its bar, and the outdoor station's temperature", async () => {
    await pairWall(page, line.url, farmer, { pages: ["overview"] });
    const say = wordsOf("ko-KR");
    const { devices, silent } = listed;
    const bar = page.getByRole("banner");
    await expect
      .poll(() => bar.innerText(), { timeout: SEEN_WITHIN_MS })
      .toContain(say("common:link.deviceShare", { fresh: devices - silent, count: devices }));
    const station = (await farmer.sensors()).find(({ name }) => name === OUTDOORS);
    if (!station?.latestLog) throw new Error(`${OUTDOORS} has said nothing`);
    const outside = Math.round(measurementsOf(station.latestLog).temperature ?? Number.NaN);
    await expect
      .poll(async () => Math.abs(Number.parseInt(await page.getByTestId("sky").innerText(), 10) - outside), {
        timeout: SEEN_WITHIN_MS,
      })
      .toBeLessThanOrEqual(1);
  });
});
