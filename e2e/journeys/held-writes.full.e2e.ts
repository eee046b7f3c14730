import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type BadLine, startBadLine } from "@mulkko/testing/stack/bad-line";
import { openStage } from "@mulkko/testing/stack/stage";
import type { Visitor } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { controllerForm, type ModeFieldName, type ModeName, openModes } from "../pages/controller.ts";
import { formOn } from "../pages/form.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const VISITOR: Visitor = { viewport: "phone", locale: "ko-KR", colorScheme: "light" };
/** A channel without a mode in charge. */
const CHANNEL = 2;
const SEEN_WITHIN = { timeout: 60_000 };
/** Time for which the line holds a press, ms. */
const HELD_MS = 4_000;

const HELD = ["requests", "answers", "both"] as const;
type Held = (typeof HELD)[number];

describe("writes over a line that loses requests or answers", () => {
  const stage = openStage();
  const say = wordsOf(VISITOR.locale);
  let line: BadLine;
  let account: SignedIn;
  let boxId: string;
  let page: Page;
  let serial = 24_777_000;

  /** Let a press reach the held line, then break its connections: what is held is lost. */
  const lose = async (held: Held, press: () => Promise<void>): Promise<void> => {
    line.hold(held);
    await press();
    await page.waitForTimeout(HELD_MS);
    line.cut();
    await page.waitForTimeout(500);
    line.pass();
  };
  const farmsNamed = async (name: string): Promise<number> => {
    const farms: { name: string }[] = await (await account.get(clusterList.path)).json();
    return farms.filter((farm) => farm.name === name).length;
  };
  /** Read the key in the dialog and close it. */
  const takeKey = async (): Promise<string> => {
    const dialog = page.getByRole("dialog", { name: say("devices:key.title") });
    const key = (await dialog.getByTestId("device-key").innerText()).replace(/\s/g, "");
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: say("devices:key.close") }).click();
    return key;
  };

  beforeAll(async () => {
    line = await startBadLine(stage.stack.url);
    account = await signIn(stage.stack.url, "farmer");
    boxId = String((await account.controllers()).find(({ type }) => type === "CON04V")?.id);
    page = await stage.visit(VISITOR);
    await signInOnPage(page, line.url, "farmer");
  });
  // A test that fails must not hold the line of the next one.
  afterEach(() => line?.pass());
  afterAll(async () => {
    line?.pass();
    await page?.context().close();
    await line?.close();
  });

  it.each(HELD)("[CMD-20] creates a farm once when the %s of the call are lost", async (held) => {
    const name = `잃은 ${held}`;
    await page.goto(`${line.url}/farmadd`);
    await page.locator("input[name=name]").fill(name);
    await lose(held, () => page.getByRole("button", { name: say("farms:add.submit") }).click());
    await page.waitForURL("**/dashboard", SEEN_WITHIN);
    expect(await farmsNamed(name)).toBe(1);
  });

  it.each(HELD)(
    "[CMD-20] creates a sensor once, and shows its key, when the %s of the call are lost",
    async (held) => {
      serial += 1;
      await page.goto(`${line.url}/listadd`);
      const add = formOn(page, say("sensor-add:submit"));
      await add.fill({ name: `센서 ${serial}`, serial: `${serial}` });
      await lose(held, () => add.send());
      expect(await takeKey()).toMatch(/^[0-9a-f]{32}$/);
      await page.waitForURL("**/dashboard", SEEN_WITHIN);
      const added = (await account.sensors()).filter((sensor) => Number(sensor.serial) === serial);
      expect(added).toHaveLength(1);
    },
  );

  it.each(HELD)(
    "[CMD-20] creates a controller once, and shows its key, when the %s of the call are lost",
    async (held) => {
      serial += 1;
      await page.goto(`${line.url}/cotadd`);
      const form = controllerForm(page, say);
      await form.fill("name", `밸브함 ${serial}`);
      await form.fill("serial", `${serial}`);
      await form.chooseType("CON01W");
      await lose(held, () => form.save());
      expect(await takeKey()).toMatch(/^[0-9a-f]{32}$/);
      await page.waitForURL("**/sensors/cot/detail?cotId=*", SEEN_WITHIN);
      const added = (await account.controllers()).filter((each) => Number(each.serial) === serial);
      expect(added).toHaveLength(1);
    },
  );

  it("[CMD-19] does not say that an edited sensor was not saved when the answer is lost", async () => {
    const [sensor] = await account.sensors();
    await page.goto(`${line.url}/sensors/edit?id=${sensor?.id}`);
    const edit = formOn(page, say("common:action.save"));
    await edit.field("name").waitFor();
    await edit.field("crops").fill("상추");
    await lose("answers", () => edit.send());
    await page.waitForURL("**/sensors", SEEN_WITHIN);
    const saved = (await account.sensors()).find(({ id }) => id === sensor?.id);
    expect(saved?.crops).toBe("상추");
  });

  /** Values with which a mode that is switched on neither waters at once nor asks before it. */
  const values: Readonly<Record<ModeName, readonly (readonly [ModeFieldName, string])[]>> = {
    automatic: [
      ["low", "1"],
      ["high", "3"],
      ["minutes", "1"],
    ],
    period: [
      ["interval", "600"],
      ["minutes", "1"],
    ],
    reservation: [
      ["time", "03:00"],
      ["minutes", "1"],
    ],
  };
  const inUse = say("controller:inCharge");
  describe.each(["automatic", "period", "reservation"] as const)("the mode %s", (mode) => {
    it.each(HELD)(
      "[CMD-19] is never called unsaved while the %s of its switch are held, and then as it is reported",
      async (held) => {
        const modes = await openModes(page, say, line.url, boxId, CHANNEL);
        await modes.open(mode);
        for (const [field, text] of values[mode]) await modes.fill(field, text);
        await modes.save();
        await modes.body.getByText(say("controller:mode.savedOff")).waitFor(SEEN_WITHIN);
        line.hold(held);
        await modes.toggle();
        await page.waitForTimeout(HELD_MS);
        expect(await page.getByText(say("controller:mode.failed")).count()).toBe(0);
        line.pass();
        await expect.poll(() => modes.line(mode).innerText(), SEEN_WITHIN).toContain(inUse);
        line.hold(held);
        await modes.toggle();
        const what = say("common:outbox.modeOff", { mode: say(`common:mode.${mode}`) });
        const remembered = page.getByText(say("common:outbox.remembered", { what }));
        await remembered.first().waitFor({ timeout: 3 * HELD_MS });
        line.pass();
        await expect.poll(() => modes.line(mode).innerText(), SEEN_WITHIN).not.toContain(inUse);
        await expect.poll(() => remembered.count(), SEEN_WITHIN).toBe(0);
      },
    );
  });
});
