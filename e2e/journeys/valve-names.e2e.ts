import { signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { createWaterPages } from "../pages/water.ts";
import { wordsOf } from "../pages/words.ts";

const CHANNELS = [1, 2, 3, 4];
/** Names of the maximum length, alike except for the end. */
const nameOf = (number: number) => `온실 남쪽 구역에 새로 지은 하우스 안쪽의 토마토 베드 왼쪽 줄 ${number}`;
const NARROW = { width: 360, height: 740 };

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "dark" },
    { viewport: "desktop", locale: "en-US", colorScheme: "light" },
  ),
)("the names of valves on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  // A farm for each visitor: the next one does not start with the names of the one before.
  const stage = openStage();
  let page: Page;
  let box: { readonly id: string; readonly name: string };
  const panel = (number: number) => `${stage.stack.url}/sensors/cot/detail?cotId=${box.id}&ch=${number}`;
  beforeAll(async () => {
    const account = await signIn(stage.stack.url, "farmer");
    const controller = (await account.controllers()).find(({ type }) => type === "CON04V");
    if (!controller) throw new Error("the farmer has no CON04V");
    box = { id: `${controller.id}`, name: `${controller.name}` };
    page = await stage.visit(visitor);
    if (visitor.viewport === "phone") await page.setViewportSize(NARROW);
    await signInOnPage(page, stage.stack.url, "farmer");
  });
  afterAll(() => page?.context().close());

  it("[NAME-1] names a valve without a name after its sensors", async () => {
    await page.goto(panel(1));
    await page
      .getByTestId("channel-name")
      .filter({ hasText: "1동 앞 베드 토양수분 · 1동 뒤 베드 토양수분" })
      .waitFor();
  });

  it("[NAME-1] shows the name from the channel's form where the valve is opened", async () => {
    await page.goto(`${stage.stack.url}/controller/edit?cotId=${box.id}`);
    const names = page.getByLabel(say("controller-edit:channels.name"));
    await expect.poll(() => names.count()).toBe(CHANNELS.length);
    for (const [index, number] of CHANNELS.entries()) await names.nth(index).fill(nameOf(number));
    await page.getByRole("button", { name: say("common:action.save"), exact: true }).click();
    await page.waitForURL("**/sensors/cot/detail?cotId=*");
    await page.goto(panel(2));
    await page
      .getByTestId("channel-name")
      .filter({ hasText: nameOf(2) })
      .waitFor();
    const title = `${nameOf(2)} ${say("common:valve.channel", { number: 2 })}`;
    const slide =
      visitor.viewport === "phone"
        ? page.getByTestId("confirm-slide")
        : page.getByTestId("valve-buttons").getByRole("button").nth(1);
    await slide.click();
    await page.getByRole("dialog", { name: say("common:runTime.title", { name: title }) }).waitFor();
    await page.keyboard.press("Escape");
  });

  it.each(["/dashboard", "/sensors/cot", "/irrigation"])(
    "[NAME-1] on %s long names that begin alike leave each number whole",
    async (path) => {
      await page.goto(stage.stack.url + path);
      const titles = page.getByTestId("thing-title").filter({ hasText: nameOf(3).slice(0, 10) });
      await titles.first().waitFor();
      const shown = await titles.evaluateAll((all) =>
        all.map((title) => {
          const number = title.querySelector("[data-testid=thing-title-channel]");
          const { left, right } = (number ?? title).getBoundingClientRect();
          const line = title.parentElement?.getBoundingClientRect();
          return number !== null && line !== undefined && left >= line.left && right <= line.right + 1;
        }),
      );
      expect(shown.every(Boolean)).toBe(true);
    },
  );

  it("[NAME-1] uses it on the farm too, and in the question before all valves are closed", async () => {
    const water = createWaterPages(page, visitor, say);
    await page.goto(`${stage.stack.url}/irrigation/farm?farm=1`);
    await water.cell(box.name, 4).getByText(nameOf(4)).first().waitFor({ state: "attached" });
    await page.getByRole("button", { name: say("irrigation:closeAll.button") }).click();
    await page.getByRole("alertdialog").getByText(nameOf(4)).first().waitFor();
  });
});
