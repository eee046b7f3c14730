import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuide } from "../pages/screen-guide.ts";
import { at } from "../pages/screens/screen.ts";
import { wordsOf } from "../pages/words.ts";

const FARM = "논산 햇살딸기농원";
/** The outdoor station, nearest to the farm's middle. */
const OUTDOORS = "노지 앞밭 환경";
const WEAK_SERIAL = 24_110_104;
const WEAK = "3동 토양수분";
/** Daily watering time of the demo's third channel. */
const RESERVED = "06:00";

const stage = openStage();
let farmer: SignedIn;
beforeAll(async () => {
  farmer = await signIn(stage.stack.url, "farmer");
});

const addWidget = async (serial: number, name: string): Promise<void> => {
  const response = await fetch(stage.stack.url + sensorAdd.path, {
    method: "POST",
    headers: { authorization: `Bearer ${farmer.token}` },
    body: new URLSearchParams({ serial: `${serial}`, name, deviceType: "SMS", widget: "true" }),
  });
  if (!response.ok) throw new Error(`${name} was not added: ${response.status} ${await response.text()}`);
};

describe.each(
  visitors(
    { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("the dashboard on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  const serial = 24_119_000 + ["ko-KR", "en-US", "zh-CN"].indexOf(visitor.locale);
  let page: Page;
  beforeAll(async () => {
    page = await stage.visit(visitor);
    await createGuide({ page, stack: stage.stack, visitor })(at("dashboard", "/dashboard"));
  });
  afterAll(async () => {
    await page?.context().close();
  });

  it("[dashboard] links water, sensors, map and account by four tiles, with their present state", async () => {
    const tiles = page.getByTestId("scene-tile");
    const ways = () => tiles.evaluateAll((all) => all.map((tile) => tile.getAttribute("href")));
    await expect.poll(ways).toEqual(["/irrigation", "/sensors", "/maps", "/account"]);
    await expect.poll(() => tiles.nth(2).innerText()).toContain(FARM);
  });

  it("[dashboard] shows the farm's own station by its name where there is no weather service", async () => {
    const weather = page.getByRole("region", { name: say("weather:title") });
    // Until the best station has reported, another one stands in for it.
    await expect.poll(() => weather.innerText(), { timeout: 90_000 }).toContain(OUTDOORS);
    expect(await weather.innerText()).toMatch(/\d+\s*°C/);
  });

  it("[dashboard] shows the next watering", async () => {
    const next = page.getByTestId("card").filter({ hasText: say("dashboard:next.title") });
    await expect.poll(() => next.innerText()).toContain(RESERVED);
    expect(await next.innerText()).toContain(say("common:mode.reservation"));
  });

  it("[dashboard] shows a newly watched sensor by itself", async () => {
    const name = `Bed ${serial}`;
    await addWidget(serial, name);
    await page.getByTestId("widget").filter({ hasText: name }).waitFor({ timeout: 90_000 });
  });

  it("[dashboard] shows an alarm among the worst, by its device's name", async () => {
    const later = new Date(Date.now() + 30_000).toISOString();
    await publishAsDevice(stage.stack, WEAK_SERIAL, JSON.stringify({ moisture: 30, battery: 5, at: later }));
    const alarms = page
      .getByRole("list", { name: say("dashboard:alarms"), exact: true })
      .getByRole("listitem")
      .filter({ hasText: say("common:alarmType.battery") });
    await expect.poll(() => alarms.first().innerText(), { timeout: 60_000 }).toContain(WEAK);
  });
});
