import { relayPath } from "@mulkko/shared/rest/routes";
import { AccountSettings } from "@mulkko/shared/rest/settings";
import { read, type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { type BadLine, startBadLine } from "@mulkko/testing/stack/bad-line";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModesOnPage, openModes } from "../pages/controller.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

/** A channel of the demo's controller without a mode in charge. */
const CHANNEL = 2;
const NAME = "토마토 베드";
/** Longest time for a report on a busy machine, ms. */
const SEEN_WITHIN_MS = 60_000;
/** Time for which no data passes the line, ms: a page still waits for its answer. */
const HELD_MS = 4_000;

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
  ),
)("what a mode does, on a $viewport in $locale over a bad line", (visitor) => {
  const say = wordsOf(visitor.locale);
  const stage = openStage();
  let account: SignedIn;
  let line: BadLine;
  let boxId: string;
  let channelId: string;
  let page: Page;
  let modes: ModesOnPage;
  const words = () => page.getByTestId("valve-state").innerText();
  beforeAll(async () => {
    account = await signIn(stage.stack.url, "farmer");
    const controller = (await account.controllers()).find(({ type }) => type === "CON04V");
    boxId = `${controller?.id}`;
    channelId = `${controller?.channels?.find(({ channelNumber }) => channelNumber === CHANNEL)?.id}`;
    line = await startBadLine(stage.stack.url);
    page = await stage.visit(visitor);
    await signInOnPage(page, line.url, "farmer");
  });
  afterAll(async () => {
    await page?.context().close();
    await line?.close();
  });

  it("[NAME-1] keeps a name in its field while the line breaks and holds, and saves it once it passes", async () => {
    await page.goto(`${line.url}/controller/edit?cotId=${boxId}`);
    const name = page.getByLabel(say("controller-edit:channels.name")).nth(CHANNEL - 1);
    const save = page.getByRole("button", { name: say("common:action.save"), exact: true });
    await name.fill(NAME);
    line.cut();
    await save.click();
    await page.getByTestId("form-unsure").waitFor();
    expect(await name.inputValue()).toBe(NAME);
    line.pass();
    line.hold("answers");
    await save.click();
    await page.waitForTimeout(HELD_MS);
    line.pass();
    await page.waitForURL("**/sensors/cot/detail?cotId=*");
    const settings = await read(await account.get(relayPath.settings), AccountSettings);
    expect(settings.channels[channelId]?.name).toBe(NAME);
  });

  it("[MODE-1] asks with the moisture's number before automatic waters at once, and sends the request once over a held line", async () => {
    modes = await openModes(page, say, line.url, boxId, CHANNEL);
    await page.getByTestId("channel-name").filter({ hasText: NAME }).waitFor();
    await modes.open("automatic");
    await modes.fill("low", "60");
    await modes.fill("minutes", "5");
    await modes.toggle();
    await modes.question.getByText(/\d+\.\d %/).waitFor();
    line.hold("requests");
    await modes.question
      .getByRole("button", { name: say("controller:mode.ask.confirm.on"), exact: true })
      .click();
    await page.waitForTimeout(HELD_MS);
    // No change is shown before the channel reports it.
    expect(await modes.line("automatic").innerText()).not.toContain(say("controller:inCharge"));
    line.pass();
    await expect
      .poll(() => modes.line("automatic").innerText(), { timeout: SEEN_WITHIN_MS })
      .toContain(say("controller:inCharge"));
    await expect.poll(words, { timeout: SEEN_WITHIN_MS }).toBe(say("common:valve.open"));
  });

  it("[MODE-2] says after a close by hand when it may open again, and switches automatic off from there", async () => {
    await page.getByRole("button", { name: say("controller:off"), exact: true }).click();
    await expect.poll(words, { timeout: SEEN_WITHIN_MS }).toBe(say("common:valve.closed"));
    const next = page.getByTestId("next-watering");
    await expect
      .poll(() => next.innerText(), { timeout: SEEN_WITHIN_MS })
      .toMatch(
        new RegExp(
          `${say("controller:next.automaticOn")} ${say("controller:next.opensAfter", { time: "\\d\\d:\\d\\d" })}`,
        ),
      );
    await next.getByRole("button", { name: say("controller:next.off") }).click();
    await expect
      .poll(() => modes.line("automatic").innerText(), { timeout: SEEN_WITHIN_MS })
      .toContain(say("controller:mode.isOff"));
    await next.waitFor({ state: "detached" });
  });
});
