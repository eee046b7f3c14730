import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuide } from "../pages/screen-guide.ts";
import { at } from "../pages/screens/screen.ts";
import { type SensorList, sensorList, sensorTable } from "../pages/sensors.ts";
import { wordsOf } from "../pages/words.ts";

const SOIL = "2동 토양수분";
const SOIL_SERIAL = 24_110_103;
const OTHER_SOIL = "3동 토양수분";
const NUTRIENTS = "1동 토양 복합";
const AIR = "1동 온실환경";

const stage = openStage();

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("sensors on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  const phone = visitor.viewport === "phone";
  let page: Page;
  let list: SensorList;
  const go = (path: string) => page.goto(stage.stack.url + path);
  beforeAll(async () => {
    page = await stage.visit(visitor);
    list = sensorList(page, say);
    await createGuide({ page, stack: stage.stack, visitor })(at("sensors", "/sensors"));
  });
  afterAll(async () => {
    await page?.context().close();
  });

  it("[spec 2] shows soil sensors of several types in one category", async () => {
    await list.row(AIR).waitFor();
    const category = page.getByRole("button", {
      name: new RegExp(`^${say("common:category.SOIL")}\\s*\\d+$`),
    });
    await category.first().click();
    await page.getByRole("heading", { level: 1, name: say("common:category.SOIL"), exact: true }).waitFor();
    await Promise.all([list.row(SOIL).waitFor(), list.row(NUTRIENTS).waitFor()]);
    expect(await list.row(AIR).count()).toBe(0);
  });

  it("[spec 2] opens a sensor's edit form from its row", async () => {
    const edit = list.row(SOIL).getByRole("link", { name: say("sensors:edit", { name: SOIL }) });
    expect(await edit.getAttribute("href")).toMatch(/^\/sensors\/edit\?id=./);
  });

  it("[spec 2] charts a sensor of another measurement with it", async () => {
    await go("/sensors");
    if (phone) await page.getByRole("button", { name: say("sensors:select.start"), exact: true }).click();
    const before = await list.placeOf(NUTRIENTS);
    await list.choose(SOIL);
    await expect.poll(() => list.bar.innerText()).toContain(say("sensors:select.count", { count: 1 }));
    // The row below the pointer stays the same: the next click selects what the user sees.
    expect(await list.placeOf(NUTRIENTS)).toBe(before);
    expect(await list.row(AIR).getByRole("checkbox").isDisabled()).toBe(false);
    expect(await list.row(NUTRIENTS).getByRole("checkbox").isDisabled()).toBe(false);
  });

  it("[spec 2] opens the charts of the selected sensors together", async () => {
    await list.choose(OTHER_SOIL);
    await expect.poll(() => list.bar.innerText()).toContain(say("sensors:select.count", { count: 2 }));
    await page.getByRole("button", { name: say("sensors:select.done") }).click();
    await page.waitForURL(/\/sensors\/type\?ids=[^&]+%2C[^&]+$/);
    await page.getByText(SOIL).first().waitFor();
    await page.getByText(OTHER_SOIL).first().waitFor();
  });

  it("[spec 2] sorts the data list of a type by its columns", async () => {
    await go("/sensors/datalist?deviceType=SMS");
    const table = sensorTable(page);
    const serial = table.head(say("common:field.serial"));
    await serial.getByRole("button").click();
    await expect.poll(() => serial.getAttribute("aria-sort")).toBe("ascending");
    const up = await table.names();
    expect(up.length).toBeGreaterThanOrEqual(5);
    await serial.getByRole("button").click();
    await expect.poll(() => table.names()).toEqual(up.toReversed());
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-serial");
  });

  it("[ui] gives touch targets 48 px of height, mouse targets 32", async () => {
    const least = phone ? 48 : 32;
    const low = () =>
      page.locator("main :is(button, summary, [role=radiogroup] label)").evaluateAll(
        (all, limit) =>
          all
            .map((each) => ({
              name: each.ariaLabel ?? each.textContent,
              height: each.getBoundingClientRect().height,
            }))
            .filter(({ height }) => height > 0 && height < limit)
            .map(({ name, height }) => `${name} ${height}`),
        least,
      );
    expect(await low()).toEqual([]);
    await go("/sensors");
    await list.row(AIR).waitFor();
    expect(await low()).toEqual([]);
    await go("/sensors/datalist?deviceType=SMS");
    await sensorTable(page).row(SOIL).waitFor();
  });

  it("[sensor-table] shows a reading in its row, which stays in its place", async () => {
    const table = sensorTable(page);
    const before = await table.names();
    // Newer than the demo's own next message, which would otherwise replace it on a busy machine before it is
    // drawn.
    const later = new Date(Date.now() + 30_000).toISOString();
    await publishAsDevice(
      stage.stack,
      SOIL_SERIAL,
      JSON.stringify({ moisture: 2.1, soilTemperature: 17.7, at: later }),
    );
    await expect.poll(() => table.row(SOIL).innerText()).toContain("2.1");
    expect(await table.names()).toEqual(before);
  });

  it("[sensor-table] searches, and leads to a sensor's charts with id and type", async () => {
    const table = sensorTable(page);
    await page.getByRole("searchbox").fill(`${SOIL_SERIAL}`);
    await expect.poll(() => table.names()).toEqual([SOIL]);
    const chart = table.row(SOIL).getByRole("link", { name: say("sensor-table:chart", { name: SOIL }) });
    expect(await chart.getAttribute("href")).toMatch(/^\/sensors\/type\?id=[^&]+&deviceType=SMS$/);
  });

  it("[spec 9] exports an Excel file named after its type", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: say("sensor-table:download") }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${say("common:deviceType.SMS")}.xlsx`);
  });

  it("[spec 2] the arrow leads back to the sensors of the type", async () => {
    await page.getByRole("link", { name: say("common:action.back") }).click();
    await page.waitForURL("**/sensors/type?deviceType=SMS");
    await list.row(SOIL).waitFor();
  });
});
