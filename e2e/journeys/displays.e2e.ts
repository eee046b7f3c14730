import { OwnDisplay } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { launchChromium } from "@mulkko/testing/engines/chromium";
import { read, signIn } from "@mulkko/testing/stack/account";
import { askCode, collectToken } from "@mulkko/testing/stack/displays";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { enterAs } from "../pages/login.ts";
import { codeOn } from "../pages/wall.ts";
import { wordsOf } from "../pages/words.ts";

/** Sensors of the demo farm. */
const FIRST = "1동 앞 베드 토양수분";
const SECOND = "논 기상대";

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
    { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
  ),
)("a display is connected with a $viewport in $locale", (visitor) => {
  const say = wordsOf(visitor.locale);
  const name = `벽 ${visitor.locale}`;
  let context: BrowserContext;
  let page: Page;
  let token: string;
  const row = () => page.getByTestId("display-row").filter({ hasText: name });
  const choose = async (action: string) => {
    await row()
      .getByRole("button", { name: say("displays:row.more", { name }) })
      .click();
    await page.getByRole("menuitem", { name: say(action), exact: true }).click();
  };
  const asked = () =>
    fetch(stack.url + relayPath.ownDisplay, { headers: { authorization: `Bearer ${token}` } });

  beforeAll(async () => {
    context = await newVisitor(browser, visitor);
    page = await context.newPage();
    await page.goto(`${stack.url}/login`);
    await enterAs(page, "farmer");
  });
  afterAll(() => context?.close());

  it("[displays] fills in the code of its link, and one press pairs it", async () => {
    const screen = await askCode(stack.url);
    await page.goto(stack.url + screen.approvePath);
    const letters = page.getByTestId("screen-code");
    await expect.poll(() => letters.innerText()).toBe(`${screen.code.slice(0, 4)}-${screen.code.slice(4)}`);
    await page.locator("[name=name]").fill(name);
    await page.getByRole("button", { name: say("displays:add.connect"), exact: true }).click();
    await row().waitFor();
    expect(new URL(page.url()).search).toBe("");
    const received = await collectToken(stack.url, screen.deviceCode);
    if (received.state !== "approved") throw new Error(`the screen received ${received.state}`);
    token = received.token;
    const own = await read(await asked(), OwnDisplay);
    expect(own.display.settings).toMatchObject({ name, farms: null, scope: "read" });
  });

  it("[displays] marks the field for a code that no screen shows", async () => {
    await page.goto(`${stack.url}/displays`);
    await page.locator("[name=code]").fill("zzzz-zzzz");
    await expect.poll(() => page.getByTestId("field-error").innerText()).toBe(say("displays:add.noScreen"));
  });

  it("[displays] changes a paired screen's settings, and marks the field of a refused one", async () => {
    await choose("displays:row.change");
    for (const shown of ["valves", "map", "trends"]) {
      await page.getByRole("checkbox", { name: say(`displays:page.${shown}`), exact: true }).uncheck();
    }
    await page.getByText(say("displays:field.more"), { exact: true }).click();
    await page.locator("[name=turn]").fill("5");
    const save = page.getByRole("button", { name: say("common:action.save"), exact: true });
    await save.click();
    await expect
      .poll(() => page.getByTestId("field-error").innerText())
      .toBe(say("displays:fault.range", { from: 10, to: 600 }));
    await page.locator("[name=turn]").fill("30");
    await page.getByRole("radio", { name: say("displays:field.tilesArranged"), exact: true }).check();
    const add = page.getByRole("combobox", { name: say("displays:field.addTile") });
    for (const sensor of [FIRST, SECOND]) {
      await add.fill(sensor);
      await page.getByRole("option", { name: sensor }).click();
    }
    await page.getByRole("button", { name: say("displays:field.earlier", { name: SECOND }) }).click();
    await save.click();
    await expect.poll(() => row().innerText()).not.toContain(say("displays:page.trends"));
    const own = await read(await asked(), OwnDisplay);
    expect(own.display.settings).toMatchObject({ pages: ["overview", "alarms"], turnSeconds: 30 });
    const account = await signIn(stack.url, "farmer");
    const names = new Map((await account.sensors()).map(({ id, name: called }) => [String(id), called]));
    expect(own.display.settings.tiles?.map((id) => names.get(String(id)))).toEqual([SECOND, FIRST]);
  });

  it("[displays] removes a revoked screen after a question, and its token is refused", async () => {
    await choose("displays:row.revoke");
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: say("displays:row.revoke"), exact: true }).click();
    await row().waitFor({ state: "detached" });
    expect((await asked()).status).toBe(401);
  });
});

describe("a screen and the user who pairs it", () => {
  it("[displays] the code on the screen, typed elsewhere, brings the farm to it; revoked, it says so and nothing else", async () => {
    const say = wordsOf("ko-KR");
    const name = "벽에 건 화면";
    const [wall, desk] = await Promise.all([
      browser.newContext({
        viewport: { width: 1920, height: 1080 },
        locale: "ko-KR",
        serviceWorkers: "block",
      }),
      newVisitor(browser, { viewport: "desktop", locale: "ko-KR", colorScheme: "light" }),
    ]);
    const [screen, page] = await Promise.all([wall.newPage(), desk.newPage()]);
    await screen.goto(`${stack.url}/wall`);
    const code = await codeOn(screen);
    await page.goto(`${stack.url}/login`);
    await enterAs(page, "farmer");
    await page.goto(`${stack.url}/displays`);
    await page.locator("[name=code]").fill(code);
    await page.locator("[name=name]").fill(name);
    await page.getByRole("button", { name: say("displays:add.connect"), exact: true }).click();
    await screen.locator("[data-testid=reading-tile][data-quality=fresh]").first().waitFor();
    expect(await screen.locator("h1").innerText()).toBe(name);

    const row = page.getByTestId("display-row").filter({ hasText: name });
    await row.getByRole("button", { name: say("displays:row.more", { name }) }).click();
    await page.getByRole("menuitem", { name: say("displays:row.revoke"), exact: true }).click();
    const question = page.getByRole("alertdialog");
    await question.getByRole("button", { name: say("displays:row.revoke"), exact: true }).click();
    await screen.getByText(say("wall:revoked.title")).waitFor();
    const texts = ["title", "text", "again"].map((each) => say(`wall:revoked.${each}`));
    expect((await screen.locator("body").innerText()).split(/\n+/).filter(Boolean)).toEqual(texts);
    await Promise.all([wall.close(), desk.close()]);
  });
});
