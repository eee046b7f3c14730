import { Farm } from "@mulkko/shared/entities/farm";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { BrowserContext, Page } from "playwright-core";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const [SOIL, AIR] = [24_110_101, 24_110_109];

const stage = openStage();
let account: SignedIn;
beforeAll(async () => {
  account = await signIn(stage.stack.url, "farmer");
});

const farms = async (): Promise<Farm[]> => read(await account.get(clusterList.path), Type.Array(Farm));
const serialsOf = async (name: string): Promise<number[] | undefined> =>
  (await farms()).find((farm) => farm.name === name)?.sensors?.map(({ serial }) => Number(serial));

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("farms on a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  const name = `Valley ${visitor.locale}`;
  const renamed = `${name} 2`;
  let contexts: BrowserContext[];
  let page: Page;
  /** The same farmer on another device. */
  let other: Page;
  const save = () => page.getByRole("button", { name: say("common:action.save") }).click();
  beforeAll(async () => {
    contexts = await Promise.all([newVisitor(stage.browser, visitor), newVisitor(stage.browser, visitor)]);
    [page, other] = await Promise.all([contexts[0]?.newPage(), contexts[1]?.newPage()]).then(([one, two]) => {
      if (!one || !two) throw new Error("no page opened");
      return [one, two] as const;
    });
    await signInOnPage(page, stage.stack.url, "farmer");
    await signInOnPage(other, stage.stack.url, "farmer");
    await other.goto(`${stage.stack.url}/irrigation`);
  });
  afterAll(() => Promise.all(contexts.map((context) => context.close())));

  it("[spec 2] refuses a farm without a name, or with another's, at its field", async () => {
    const [first] = await farms();
    await page.goto(`${stage.stack.url}/farmadd`);
    await page.getByRole("button", { name: say("farms:add.submit") }).click();
    await page.getByText(say("farms:nameRequired")).waitFor();
    await page.locator("input[name=name]").fill(` ${first?.name} `);
    await page.getByText(say("farms:nameTaken")).waitFor();
    await page.getByRole("button", { name: say("farms:add.submit") }).click();
    expect(new URL(page.url()).pathname).toBe("/farmadd");
  });

  it("[spec 2] creates a farm of the selected sensors, and the dashboard follows", async () => {
    await page.locator("input[name=name]").fill(name);
    await page.locator("textarea[name=description]").fill("between the hills");
    const search = page.getByRole("searchbox");
    for (const serial of [SOIL, AIR]) {
      await search.fill(`${serial}`);
      await page
        .getByTestId("picker-side")
        .first()
        .getByRole("button", { name: `${serial}` })
        .click();
    }
    await search.fill("");
    await page.getByRole("heading", { name: say("farms:picker.selected", { count: 2 }) }).waitFor();
    await page.getByRole("button", { name: say("farms:add.submit") }).click();
    await page.waitForURL("**/dashboard");
    expect((await serialsOf(name))?.sort()).toEqual([SOIL, AIR]);
    await other.getByTestId("farm-name").filter({ hasText: name }).waitFor();
  });

  it("[spec 2] shows a new farm name on another screen at once", async () => {
    await page.goto(`${stage.stack.url}/irrigation`);
    await page.getByRole("link", { name: say("irrigation:rename", { name }), exact: true }).click();
    await page.locator("input[name=name]").fill(renamed);
    await save();
    await page.waitForURL("**/irrigation");
    const saved = performance.now();
    await other.getByTestId("farm-name").filter({ hasText: renamed }).waitFor();
    console.info(
      `renamed on the other screen ${Math.round(performance.now() - saved)} ms after it was saved`,
    );
  });

  it("[forms] keeps the typed values after a press beside the dialog", async () => {
    await page.getByRole("link", { name: say("irrigation:rename", { name: renamed }), exact: true }).click();
    await page.locator("input[name=name]").fill("half a name");
    await page.getByRole("link", { name: say("common:action.back") }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: say("common:form.leave.stay") }).click();
    expect(await page.locator("input[name=name]").inputValue()).toBe("half a name");
    await page.getByRole("link", { name: say("common:action.back") }).click();
    await question.getByRole("button", { name: say("common:form.leave.leave") }).click();
    await page.waitForURL("**/irrigation");
  });

  it("[spec 2] deletes a farm after a question; its sensors stay, and can be reached", async () => {
    await page.goto(`${stage.stack.url}/farmdelete`);
    await page.getByTestId("farm-choice").filter({ hasText: renamed }).click();
    await page.getByRole("button", { name: say("common:action.delete") }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText(say("farms:remove.keeps", { count: 2 })).waitFor();
    await question.getByRole("button", { name: say("common:action.delete") }).click();
    await page.getByTestId("farm-choice").filter({ hasText: renamed }).waitFor({ state: "detached" });
    expect(await serialsOf(renamed)).toBeUndefined();
    await other.getByTestId("farm-row").filter({ hasText: renamed }).waitFor({ state: "detached" });
    await other
      .getByTestId("farm-row")
      .filter({ hasText: say("irrigation:noFarm") })
      .click();
    await expect.poll(() => other.getByTestId("device-row").allInnerTexts()).toHaveLength(2);
    await other.goto(`${stage.stack.url}/irrigation`);
  });
});
