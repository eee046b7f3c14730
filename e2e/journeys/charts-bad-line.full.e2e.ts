import { History } from "@mulkko/shared/rest/history";
import { relayPath } from "@mulkko/shared/rest/routes";
import { parse } from "@mulkko/shared/schema/parse";
import { signIn } from "@mulkko/testing/stack/account";
import { type BadLine, startBadLine } from "@mulkko/testing/stack/bad-line";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Visitor } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogBoard, type LogBoard } from "../pages/log-board.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const SOIL = 24_110_101;
const DAY_MS = 86_400_000;
/** Time for which no answer passes the line, ms: the page still waits. */
const HELD_MS = 4_000;
const SEEN_WITHIN = { timeout: 60_000 };
const VISITOR: Visitor = { viewport: "phone", locale: "ko-KR", colorScheme: "light" };
const say = wordsOf(VISITOR.locale);

describe("charts over a bad line", () => {
  const stage = openStage();
  let line: BadLine;
  let page: Page;
  let board: LogBoard;
  const card = () => board.card(say("common:field.moisture"));
  const retry = () => page.getByTestId("charts").getByRole("button", { name: say("common:action.retry") });
  /** Maximum, minimum, mean, variance and standard deviation of the moisture. */
  const statistics = () => card().getByTestId("statistics").locator("dd").allInnerTexts();
  /** Values in the heads of all charts. */
  const now = async () => (await page.getByTestId("value-now").allInnerTexts()).join("");
  beforeAll(async () => {
    line = await startBadLine(stage.stack.url);
    page = await stage.visit(VISITOR);
    board = createLogBoard(page, VISITOR, say);
    await signInOnPage(page, line.url, "farmer");
    const sensors = await (await signIn(stage.stack.url, "farmer")).sensors();
    const soil = sensors.find(({ serial }) => Number(serial) === SOIL);
    await board.open(line.url, `id=${soil?.id}`);
  });
  afterAll(async () => {
    await page?.context().close();
    await line?.close();
  });

  it("[chart] claims no mean of the former range while the next one waits on the line", async () => {
    await expect.poll(async () => (await statistics())[2], SEEN_WITHIN).toMatch(/\d/);
    line.hold("answers");
    await board.choosePreset(say("log:range.weeks"));
    await page.waitForTimeout(HELD_MS);
    expect(await statistics()).toEqual(["--", "--", "--", "--", "--"]);
    const answered = page.waitForResponse((response) => response.url().includes(relayPath.history));
    line.pass();
    const history = parse(History, await (await answered).json());
    if (!history.ok) throw new Error(history.message);
    const mean = history.value.series[0]?.fields.moisture?.statistics.avg;
    await expect.poll(async () => (await statistics())[2], SEEN_WITHIN).toBe(mean?.toFixed(1));
  });

  it("[chart] shows neither today's value nor a mean for days that a cut line did not deliver", async () => {
    const days = [14, 12].map((ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10));
    const [first = "", last = ""] = days;
    // The calendar's code has to be loaded before the line is cut.
    await board.openCalendar();
    await page.keyboard.press("Escape");
    line.cut();
    await board.pickDays(first, last);
    await retry().waitFor(SEEN_WITHIN);
    expect(await now()).toBe("");
    expect((await statistics()).join()).not.toMatch(/\d/);
    line.pass();
    await retry().click();
    await expect.poll(async () => (await statistics())[2], SEEN_WITHIN).toMatch(/\d/);
    expect(await now()).toBe("");
  });
});
