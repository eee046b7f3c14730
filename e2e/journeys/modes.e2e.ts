import { relayPath } from "@mulkko/shared/rest/routes";
import { Waterings } from "@mulkko/shared/rest/waterings";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { newVisitor, visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModesOnPage, openModes } from "../pages/controller.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

/** A channel of the demo's controller without a mode in charge. */
const CHANNEL = 2;
const COT_CHANNEL = 1;
/** Maximum time of a change to another screen, ms, on a busy machine. */
const SEEN_WITHIN_MS = 60_000;

/** Return the devices with modes: a controller, and a COT sensor. */
async function findBoxes(account: SignedIn): Promise<{ boxId: string; cotId: string }> {
  return {
    boxId: String((await account.controllers()).find(({ type }) => type === "CON04V")?.id),
    cotId: String((await account.sensors()).find(({ deviceType }) => deviceType === "COT")?.id),
  };
}

describe("the watering modes", () => {
  describe.each(
    visitors(
      { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
      { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
      { viewport: "phone", locale: "zh-CN", colorScheme: "light" },
    ),
  )("on a $viewport in $locale", (visitor) => {
    const say = wordsOf(visitor.locale);
    const other = wordsOf("en-US");
    // A farm for each visitor: a mode of the one before would water it.
    const stage = openStage();
    let cotId: string;
    let page: Page;
    let second: Page;
    let modes: ModesOnPage;
    let seen: ModesOnPage;
    const words = () => page.getByTestId("valve-state").innerText();
    beforeAll(async () => {
      const boxes = await findBoxes(await signIn(stage.stack.url, "farmer"));
      ({ cotId } = boxes);
      const { boxId } = boxes;
      page = await stage.visit(visitor);
      second = await stage.visit({ viewport: "desktop", locale: "en-US", colorScheme: "dark" });
      await Promise.all([
        signInOnPage(page, stage.stack.url, "farmer"),
        signInOnPage(second, stage.stack.url, "farmer"),
      ]);
      modes = await openModes(page, say, stage.stack.url, boxId, CHANNEL);
      seen = await openModes(second, other, stage.stack.url, boxId, CHANNEL);
    });
    afterAll(async () => {
      await page?.context().close();
      await second?.context().close();
    });
    const secondShows = (mode: "automatic" | "reservation" | "period", text: string | RegExp) =>
      expect
        .poll(() => seen.line(mode).innerText(), { timeout: SEEN_WITHIN_MS })
        .toMatch(typeof text === "string" ? new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : text);

    it("[spec 8] refuses automatic without a bound and without a time at its fields", async () => {
      await modes.open("automatic");
      await modes.save();
      await modes.body.getByText(say("controller:mode.fault.boundRequired")).waitFor();
      await modes.body.getByText(say("controller:mode.fault.minutesRequired")).waitFor();
      await seen.line("automatic").getByText(other("controller:notSet")).waitFor();
    });

    it("[mode-enable] shows saved values on a second screen, and puts nothing in charge", async () => {
      await modes.fill("low", "60");
      await modes.fill("high", "99,5");
      await modes.fill("minutes", "2");
      await modes.save();
      await page.getByText(say("controller:mode.savedOff")).first().waitFor();
      await secondShows("automatic", "60–99.5 % · 2 min");
      expect(await seen.line("automatic").innerText()).not.toContain(other("controller:inCharge"));
      expect(await words()).toBe(say("common:valve.closed"));
    });

    it("[modes] waters by itself once in charge, and every screen names the mode", async () => {
      await modes.toggle();
      // Its lower bound of 60 % is above any moisture of this soil.
      await modes.question.getByText(/\d+\.\d %/).waitFor();
      await modes.confirm("on");
      await expect
        .poll(() => modes.line("automatic").innerText(), { timeout: SEEN_WITHIN_MS })
        .toContain(say("controller:inCharge"));
      await secondShows("automatic", other("controller:inCharge"));
      await expect.poll(words, { timeout: SEEN_WITHIN_MS }).toBe(say("common:valve.open"));
      await page.getByText(say("common:watering.cause.automatic")).first().waitFor();
    });

    it("[modes] asks before switching to another mode, saves the typed values, and closes the first one's water", async () => {
      await modes.open("reservation");
      await modes.fill("time", "06:30");
      await modes.fill("minutes", "15");
      await modes.toggle();
      await modes.question
        .getByText(
          say("controller:mode.ask.switch", {
            from: say("common:mode.automatic"),
            to: say("common:mode.reservation"),
          }),
        )
        .waitFor();
      await modes.question.getByText(say("controller:mode.ask.saves")).waitFor();
      expect(await modes.question.getByRole("checkbox").isChecked()).toBe(true);
      await modes.confirm("on");
      await secondShows("reservation", other("controller:inCharge"));
      await secondShows("reservation", "06:30 · 15 min · daily");
      await expect.poll(words, { timeout: SEEN_WITHIN_MS }).toBe(say("common:valve.closed"));
    });

    it("[modes] asks before a reset, and clears the values everywhere", async () => {
      await modes.reset();
      await modes.confirm("reset");
      await secondShows("reservation", other("controller:notSet"));
      await expect.poll(() => modes.field("minutes").inputValue()).toBe("");
      await modes.open("automatic");
      await modes.reset();
      await modes.confirm("reset");
      await secondShows("automatic", other("controller:notSet"));
    });

    it("[CMD-9] lists the resets and their user in the command log", async () => {
      await page.getByRole("button", { name: say("controller:log.title") }).click();
      const lines = page.getByTestId("command");
      await lines.first().waitFor();
      const text = await page.getByRole("list", { name: say("controller:log.title") }).innerText();
      expect(text).toContain(`${say("common:mode.automatic")} · ${say("controller:mode.notice.reset")}`);
      expect(text).toContain("김선우");
    });

    it("[modes] sends a COT sensor each value by the older commands, and it is in charge with them", async () => {
      const cot = await openModes(page, say, stage.stack.url, cotId, COT_CHANNEL);
      await cot.open("period");
      await cot.fill("interval", "240");
      await cot.fill("minutes", "3");
      await cot.save();
      await expect
        .poll(() => cot.line("period").innerText(), { timeout: SEEN_WITHIN_MS })
        .toContain(say("controller:inCharge"));
      const setting = [
        say("controller:every", { time: say("common:duration.hours", { count: 4 }) }),
        say("common:duration.minutes", { count: 3 }),
      ].join(" · ");
      await expect.poll(() => cot.line("period").innerText()).toContain(setting);
      await cot.body.getByRole("button", { name: say("controller:mode.off"), exact: true }).click();
      await cot.question.getByText(say("controller:mode.ask.clears")).waitFor();
      await cot.confirm("off");
      await expect
        .poll(() => cot.line("period").innerText(), { timeout: SEEN_WITHIN_MS })
        .toContain(say("controller:notSet"));
    });
  });

  // Three minutes of waiting: only in the run with all visitors.
  describe.each(process.env.E2E_FULL === "1" ? ["ko-KR" as const] : [])("by the clock, in %s", (locale) => {
    const stage = openStage();
    it("[modes] waters by a reservation of the next minutes, and the list names it as the cause", async () => {
      const say = wordsOf(locale);
      const account = await signIn(stage.stack.url, "farmer");
      const { boxId } = await findBoxes(account);
      const context = await newVisitor(stage.browser, {
        viewport: "desktop",
        locale,
        colorScheme: "light",
      });
      const page = await context.newPage();
      await signInOnPage(page, stage.stack.url, "farmer");
      const modes = await openModes(page, say, stage.stack.url, boxId, CHANNEL);
      const began = Date.now();
      const inTwoMinutes = new Intl.DateTimeFormat("en-GB", {
        hour: "2-digit",
        minute: "2-digit",
        timeZone: "Asia/Seoul",
      }).format(began + 120_000);
      await modes.open("reservation");
      await modes.fill("time", inTwoMinutes);
      await modes.fill("minutes", "1");
      await modes.toggle();
      await modes.confirm("on");
      await expect
        .poll(() => page.getByTestId("valve-state").innerText(), { timeout: 180_000, interval: 500 })
        .toBe(say("common:valve.open"));
      const list = async () =>
        (
          await read(
            await account.get(`${relayPath.waterings}?from=${new Date(began).toISOString()}`),
            Waterings,
          )
        ).waterings.map(({ cause }) => cause);
      await expect.poll(list).toContain("reservation");
      await context.close();
    });
  });
});
