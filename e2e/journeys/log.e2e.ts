import { Account } from "@mulkko/shared/entities/account";
import { LogRange, statisticsOf } from "@mulkko/shared/rest/log";
import { accountInfo, accountUpdate } from "@mulkko/shared/rest/operations/account";
import { logRange } from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { relayPath } from "@mulkko/shared/rest/routes";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { read as readBook, utils } from "xlsx";
import { createLogBoard, type LogBoard } from "../pages/log-board.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

/** The farm with all of these devices. */
const FARM = "논산 햇살딸기농원";
const [SOIL, OTHER_SOIL, AIR] = [24_110_101, 24_110_102, 24_110_109];
const DAY_MS = 86_400_000;
const SEOUL_MS = 9 * 3_600_000;

/** Return the day a number of days ago on the farm's clock, which has no daylight saving. */
const daysAgo = (days: number): string =>
  new Date(Date.now() + SEOUL_MS - days * DAY_MS).toISOString().slice(0, 10);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const stage = openStage();
let account: SignedIn;
let idOf: (serial: number) => string;
beforeAll(async () => {
  account = await signIn(stage.stack.url, "farmer");
  const sensors = await account.sensors();
  idOf = (serial) => {
    const sensor = sensors.find((each) => Number(each.serial) === serial);
    if (!sensor) throw new Error(`the farmer has no sensor ${serial}`);
    return String(sensor.id);
  };
});

const VISITORS = visitors(
  { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
  { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
  { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
);
describe.each(VISITORS)("the log on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  let page: Page;
  let board: LogBoard;
  /** The day before yesterday: its readings are complete and do not change. */
  const day = daysAgo(2);
  const nameOf = async (serial: number): Promise<string> => {
    const sensor = (await account.sensors()).find((each) => Number(each.serial) === serial);
    return sensor?.name ?? "";
  };
  const rawDay = async (): Promise<{ rows: readonly unknown[]; whole: Record<string, unknown> }> => {
    const path = pathTo(logRange, { id: idOf(SOIL), start: `${day} 00:00`, end: `${day} 23:58` });
    const whole: unknown = await (await account.get(path)).clone().json();
    const range = await read(await account.get(path), LogRange);
    return { rows: Array.isArray(range) ? range : range.data, whole: isRecord(whole) ? { ...whole } : {} };
  };
  beforeAll(async () => {
    page = await stage.visit(visitor);
    board = createLogBoard(page, visitor, say);
    await signInOnPage(page, stage.stack.url, "farmer");
    await board.open(stage.stack.url, `id=${idOf(SOIL)}`);
  });
  afterAll(() => page?.context().close());

  it("[spec 4] selects a preset by one press, shows its range, and closes the menu", async () => {
    const week = await board.asks(() => board.choosePreset(say("log:range.weeks")));
    expect(week.to - week.from).toBeGreaterThanOrEqual(7 * DAY_MS);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("[spec 4] starts the preset of everything on 2021-11-01, and the relay answers it", async () => {
    const all = await board.asks(() => board.choosePreset(say("log:range.all")));
    const begin = Date.parse("2021-10-31T15:00:00Z");
    expect(all.from).toBeLessThanOrEqual(begin);
    expect(begin - all.from).toBeLessThan(7 * DAY_MS);
    await expect.poll(() => page.getByText(say("common:chart.failed")).count()).toBe(0);
  });

  it("[spec 2] shows the reason for a range that fails, and loads it on a retry", async () => {
    const path = `**${relayPath.history}*`;
    await page.route(path, (route) =>
      route.fulfill({ status: 503, json: { code: "upstream-down", message: "farm API not reachable" } }),
    );
    await board.choosePreset(say("log:range.months"));
    const words = page.getByText(say("common:chart.failed"));
    await words.waitFor();
    expect(await words.innerText()).toContain(say("common:error.upstream-down"));
    await page.unroute(path);
    await board.asks(() => page.getByRole("button", { name: say("common:action.retry") }).click());
    await words.waitFor({ state: "detached" });
    await page.locator("canvas").first().waitFor();
  });

  it("[spec 4] selects a custom range by two clicks: the days of the account's zone, the last up to 23:59", async () => {
    const asked = await board.asks(() => board.pickDays(day, daysAgo(3)));
    const begin = Date.parse(`${daysAgo(3)}T00:00:00Z`) - SEOUL_MS;
    expect(begin - asked.from).toBeLessThan(3_600_000);
    expect(asked.from).toBeLessThanOrEqual(begin);
    expect(asked.to).toBeGreaterThanOrEqual(begin + 2 * DAY_MS - 60_000);
    expect(asked.to).toBeLessThan(begin + 2 * DAY_MS + 3_600_000);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("end")).toBe(day);
  });

  it("[a11y] selects a custom range with the keyboard alone", async () => {
    const focusedDay = () => page.evaluate(() => document.activeElement?.getAttribute("data-value") ?? null);
    await (await board.openCalendar()).getByRole("button", { name: say("log:calendar.before") }).focus();
    for (let tabs = 0; tabs < 5 && (await focusedDay()) === null; tabs += 1) await page.keyboard.press("Tab");
    // The calendar opens with the last day of the shown range, which is the day before yesterday.
    expect(await focusedDay()).toBe(day);
    const asked = await board.asks(async () => {
      // The first end moves the focus to the day after it.
      await page.keyboard.press("Enter");
      await page.keyboard.press("ArrowUp");
      await expect.poll(focusedDay).toBe(daysAgo(8));
      await page.keyboard.press("Enter");
    });
    const begin = Date.parse(`${daysAgo(8)}T00:00:00Z`) - SEOUL_MS;
    expect(Math.abs(begin - asked.from)).toBeLessThan(3_600_000);
    expect(new URL(page.url()).searchParams.get("end")).toBe(day);
  });

  it("[spec 2] shows the statistics of the raw rows, as the farm API counts them", async () => {
    await board.asks(() => board.pickDays(day, day));
    const { whole } = await rawDay();
    const { max, min } = statisticsOf(whole, "moisture");
    const card = board.card(say("common:field.moisture"));
    const shown = () => card.getByTestId("statistics").locator("dd").allInnerTexts();
    await expect.poll(async () => (await shown()).slice(0, 2)).toEqual([max?.toFixed(1), min?.toFixed(1)]);
  });

  it("[spec 9] exports every raw row of the device to Excel, on a sheet and in a file of its name", async () => {
    const name = await nameOf(SOIL);
    const file = await board.saves(() => page.getByRole("button", { name: say("log:excel.save") }).click());
    expect(file.name).toBe(`${name} ${day} 0000 – ${day} 2359.xlsx`);
    const book = readBook(file.bytes);
    expect(book.SheetNames[0]).toBe(name);
    const sheet = book.Sheets[name];
    if (!sheet) throw new Error("no sheet");
    const [head, ...rows] = utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: false });
    const zone = "Asia/Seoul (UTC+09:00)";
    expect(head?.[0]).toBe(say("log:excel.zoned", { head: say("log:excel.time"), zone }));
    expect(head?.at(-1)).toBe(say("log:excel.farm"));
    expect(rows[0]?.[head?.indexOf(say("log:excel.farm")) ?? -1]).toBe(FARM);
    expect(head).toContain(`${say("common:field.moisture")} (%)`);
    const { rows: raw } = await rawDay();
    const lastMinute = rows.filter((row) => String(row[0]) >= `${day} 23:59`).length;
    expect(rows.length - lastMinute).toBe(raw.length);
    expect(String(rows[0]?.[0])).toMatch(new RegExp(`^${day} 00:0`));
  });

  it("[spec 9] exports a date and a value to CSV, after the mark by which Excel knows its encoding", async () => {
    const title = say("common:field.moisture");
    const trigger = board.card(title).getByRole("button", { name: say("log:download.of", { name: title }) });
    const csv = page.getByRole("button", { name: say("log:download.csv") });
    // An alarm between press and release moves the page: without an open menu, press again.
    await expect
      .poll(async () => {
        if (!(await csv.isVisible())) await trigger.click();
        return csv.isVisible();
      })
      .toBe(true);
    const file = await board.saves(() => csv.click());
    expect(file.name.startsWith(`${await nameOf(SOIL)}-${title} ${day} 00`), file.name).toBe(true);
    const [head, first = ""] = file.bytes.toString("utf8").split("\r\n");
    // The step of the means, in the language of the page.
    expect(head).toMatch(new RegExp(`^\ufeffdate,${title} % \\(.*\\d.*\\)$`));
    expect(first).toMatch(new RegExp(`^${day.replaceAll("-", "/")} 00:\\d\\d:\\d\\d,\\d+\\.\\d$`));
  });

  /** Wait until a chart has settled: the library follows in the next picture, its listeners in the one after. */
  const somePictures = () =>
    page.evaluate(async () => {
      for (let picture = 0; picture < 4; picture += 1) await new Promise(requestAnimationFrame);
    });

  if (visitor.viewport === "desktop") {
    it("[chart] a mouse selects a range of every chart by dragging, and a button shows the whole range again", async () => {
      const figure = page.getByRole("figure").first();
      await figure.scrollIntoViewIfNeeded();
      const box = await figure.boundingBox();
      if (!box) throw new Error("the chart has no place");
      const y = box.y + box.height / 3;
      await page.mouse.move(box.x + box.width * 0.3, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
      await page.mouse.up();
      const whole = page.getByRole("button", { name: say("log:wholeRange") });
      await expect.poll(() => whole.count()).toBe(await page.getByRole("figure").count());
      await whole.first().click();
      await expect.poll(() => whole.count()).toBe(0);
    });

    it("[chart] Ctrl with the wheel zooms every chart, and the wheel alone scrolls the page", async () => {
      const figure = page.getByRole("figure").first();
      await figure.scrollIntoViewIfNeeded();
      await figure.hover();
      const whole = page.getByRole("button", { name: say("log:wholeRange") });
      await page.mouse.wheel(0, -120);
      expect(await whole.count()).toBe(0);
      await figure.scrollIntoViewIfNeeded();
      await figure.hover();
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -240);
      await page.keyboard.up("Control");
      await expect.poll(() => whole.count()).toBe(await page.getByRole("figure").count());
      await whole.first().click();
      await expect.poll(() => whole.count()).toBe(0);
    });

    it("[chart] shows the whole range in a window of another size, as before", async () => {
      const size = page.viewportSize();
      if (!size) throw new Error("the window has no size");
      const figure = page.getByRole("figure").first();
      const widthOf = async () => (await figure.boundingBox())?.width ?? 0;
      const wide = await widthOf();
      await page.setViewportSize({ width: size.width / 2, height: size.height });
      await expect.poll(widthOf).not.toBe(wide);
      await page.setViewportSize(size);
      await expect.poll(widthOf).toBe(wide);
      await somePictures();
      expect(await page.getByRole("button", { name: say("log:wholeRange") }).count()).toBe(0);
    });

    it("[chart] shows the whole range of a line that is chosen while its chart loads", async () => {
      const line = page.getByRole("button", { name: new RegExp(`^${say("common:field.humidity")}`) });
      // The press does not meet the same moment each time.
      for (let time = 0; time < 3; time += 1) {
        await page.goto(`${stage.stack.url}/sensors/type?id=${idOf(AIR)}&range=day`);
        await line.first().click();
        await page.locator("canvas").first().waitFor();
        await somePictures();
        expect(await page.getByRole("button", { name: say("log:wholeRange") }).count()).toBe(0);
      }
    });
  }

  it("[spec 4] refuses, stores and resets a line's y range in the popup; a press outside closes it", async () => {
    await board.open(stage.stack.url, `id=${idOf(AIR)}&range=day`);
    const icon = page.getByTestId("series-icon").last();
    const popup = page.getByRole("dialog");
    const type = async (min: string, max: string) => {
      await icon.click();
      await popup.locator("input").first().fill(min);
      await popup.locator("input").last().fill(max);
    };
    await type("20", "10");
    await popup.locator("button[type=submit]").click();
    await popup.getByText(say("log:yRange.wrong")).waitFor();
    await popup.locator("input").last().fill("30,5");
    await popup.locator("button[type=submit]").click();
    await popup.waitFor({ state: "hidden" });
    await page.reload();
    await page.locator("canvas").first().waitFor();
    await icon.click();
    expect(await popup.locator("input").last().inputValue()).toBe("30.5");
    await page.locator("h1").click();
    await popup.waitFor({ state: "hidden" });
    await icon.click();
    await popup.getByRole("button", { name: say("log:yRange.reset") }).click();
    await icon.click();
    expect(await popup.locator("input").first().inputValue()).toBe("");
    // It takes keys once it has the focus.
    await popup.locator("input:focus").waitFor();
    await page.keyboard.press("Escape");
    await popup.waitFor({ state: "hidden" });
  });

  it("[spec 9] compares several sensors, and names their file after the first and_N other", async () => {
    const ids = [idOf(SOIL), idOf(OTHER_SOIL)];
    await board.open(stage.stack.url, `ids=${ids.join()}&end=${day}`);
    const card = board.card(say("common:field.moisture"));
    const [first, second] = await Promise.all([nameOf(SOIL), nameOf(OTHER_SOIL)]);
    for (const name of [first, second]) await card.getByTestId("chart-legend").getByText(name).waitFor();
    const file = await board.saves(() => page.getByRole("button", { name: say("log:excel.save") }).click());
    const name = say("log:excel.fileName", { name: first, count: 1 });
    expect(file.name.startsWith(`${name} `), file.name).toBe(true);
    expect(readBook(file.bytes).SheetNames.slice(0, 2)).toEqual([first, second]);
  });

  it("[live] shows the readings of the relay's absence in the chart and in its statistics once it is back", async () => {
    const { stack } = stage;
    const sayMoisture = (moisture: number) =>
      publishAsDevice(
        stack,
        SOIL,
        JSON.stringify({
          moisture,
          soilTemperature: 17,
          battery: 90,
          rssi: -70,
          at: new Date().toISOString(),
        }),
      );
    // Each visitor's value is higher than the one before.
    const peak = 70 + VISITORS.indexOf(visitor);
    await board.open(stack.url, `id=${idOf(SOIL)}`);
    await board.asks(() => board.choosePreset(say("log:range.onehour")));
    const highest = () =>
      board.card(say("common:field.moisture")).getByTestId("statistics").locator("dd").first().innerText();
    await expect.poll(highest).not.toBe("");
    await stack.relay.stop();
    await sayMoisture(peak);
    // The newest reading alone would arrive by itself; the earlier ones must be requested.
    await sayMoisture(41);
    await stack.relay.start();
    // Sooner than the minute after which they are requested in any case.
    await expect.poll(highest, { timeout: 40_000 }).toBe(peak.toFixed(1));
  });

  it("[spec 4] uses the days of the account's own zone, in any zone of the browser", async () => {
    const { id, timezone } = await read(await account.get(accountInfo.path), Account);
    const setZone = async (zone: string | null | undefined): Promise<void> => {
      const answer = await fetch(stage.stack.url + pathTo(accountUpdate, { id }), {
        method: "PUT",
        headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
        body: JSON.stringify({ timezone: zone }),
      });
      expect(answer.status).toBe(200);
    };
    await setZone("America/New_York");
    try {
      await board.open(stage.stack.url, `id=${idOf(SOIL)}`);
      const asked = await board.asks(() => board.pickDays(daysAgo(3), daysAgo(3)));
      // A bucket begins at or just before midnight there.
      const hour = new Intl.DateTimeFormat("en-US", {
        timeZone: "America/New_York",
        dateStyle: "short",
        timeStyle: "short",
        hourCycle: "h23",
      }).format(asked.from);
      const [month, dayOfMonth] = [Number(daysAgo(3).slice(5, 7)), Number(daysAgo(3).slice(8))];
      expect(hour).toBe(`${month}/${dayOfMonth}/${daysAgo(3).slice(2, 4)}, 00:00`);
    } finally {
      await setZone(timezone);
    }
  });
});
