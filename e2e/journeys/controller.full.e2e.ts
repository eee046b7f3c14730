import { type SignedIn, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ControllerFormOnPage, controllerForm } from "../pages/controller.ts";
import { signInOnPage } from "../pages/login.ts";
import { wordsOf } from "../pages/words.ts";

const LEAF_SERIAL = "24110111";
/** Serials that no device of the demo has, one per visitor. */
const SERIALS = { "ko-KR": "24190001", "en-US": "24190002", "zh-CN": "24190003" } as const;

describe("a controller", () => {
  const stage = openStage();
  let account: SignedIn;
  beforeAll(async () => {
    account = await signIn(stage.stack.url, "farmer");
  });

  describe.each(
    visitors(
      { viewport: "desktop", locale: "ko-KR", colorScheme: "light" },
      { viewport: "phone", locale: "en-US", colorScheme: "dark" },
      { viewport: "desktop", locale: "zh-CN", colorScheme: "light" },
    ),
  )("on a $viewport in $locale", (visitor) => {
    const say = wordsOf(visitor.locale);
    const other = wordsOf("en-US");
    const serial = SERIALS[visitor.locale];
    let page: Page;
    let second: Page;
    let form: ControllerFormOnPage;
    let id: string;
    const question = () => page.getByRole("alertdialog");
    const agree = async (name: string): Promise<void> => {
      await question().getByRole("button", { name, exact: true }).click();
      await question().waitFor({ state: "hidden" });
    };
    beforeAll(async () => {
      page = await stage.visit(visitor);
      second = await stage.visit({ viewport: "desktop", locale: "en-US", colorScheme: "dark" });
      await Promise.all([
        signInOnPage(page, stage.stack.url, "farmer"),
        signInOnPage(second, stage.stack.url, "farmer"),
      ]);
      form = controllerForm(page, say);
    });
    afterAll(async () => {
      await page?.context().close();
      await second?.context().close();
    });

    it("[spec 5] requires a name and a serial, and marks their fields", async () => {
      await page.goto(`${stage.stack.url}/cotadd`);
      await form.save();
      await page.getByText(say("controller-edit:fault.nameRequired")).waitFor();
      await page.getByText(say("controller-edit:fault.serialRequired")).waitFor();
    });

    it("[spec 8] refuses a serial that is taken, and keeps the typed values", async () => {
      await form.fill("name", "Leaf house");
      await form.fill("serial", "024110901");
      await form.chooseType("CON04E");
      // The four channels of its type are selected; this one uses the first.
      for (const number of [2, 3, 4] as const) await form.check(number).click();
      await form.addSensor(1, "serial", "110111");
      await form.save();
      await page.getByText(say("controller-edit:fault.serialTaken")).waitFor();
      await form.channel(1).getByText(LEAF_SERIAL).waitFor();
    });

    it("[controller-add] shows the key once after registration, and the panel has its channel and sensor", async () => {
      await form.fill("serial", serial);
      await form.save();
      const key = page.getByRole("dialog");
      await key.getByRole("checkbox").click();
      await key.getByRole("button").last().click();
      await page.waitForURL("**/sensors/cot/detail?cotId=*");
      id = new URL(page.url()).searchParams.get("cotId") ?? "";
      const sensors = page.getByRole("complementary", { name: say("controller:sensorsOfChannels") });
      await sensors.getByText(say("controller:channelSensors", { number: 1 })).waitFor();
      await sensors.getByText(LEAF_SERIAL).waitFor();
      const added = (await account.controllers()).find((each) => `${each.id}` === id);
      expect(added).toMatchObject({ type: "CON04E", name: "Leaf house" });
    });

    it("[CMD-3] warns before opening without any contact", async () => {
      await page.getByText(say("controller:warning.unknown")).first().waitFor();
      expect(await page.getByTestId("valve-state").innerText()).toBe(say("common:valve.unknown"));
    });

    it("[controller-edit] locks the server's channel; the box of all selects the four of its type, and returns to the server's", async () => {
      await second.goto(`${stage.stack.url}/sensors/cot/detail?cotId=${id}`);
      await page.getByRole("link", { name: say("controller:edit", { name: "Leaf house" }) }).click();
      await page.waitForURL("**/controller/edit?cotId=*");
      expect(await form.check(1).isDisabled()).toBe(true);
      await form.check("all").click();
      expect(await form.channel(4).count()).toBe(1);
      await form.check("all").click();
      expect(await form.channel(4).count()).toBe(0);
      expect(await form.channel(1).count()).toBe(1);
    });

    it("[controller-edit] asks before leaving a changed form", async () => {
      await form.fill("name", "Leaf house 2");
      await page.getByRole("link", { name: say("common:action.back"), exact: true }).click();
      await question().waitFor();
      await question()
        .getByRole("button", { name: say("common:form.leave.stay"), exact: true })
        .click();
      expect(await page.locator("[name=name]").inputValue()).toBe("Leaf house 2");
    });

    it("[controller-edit] merges sensors, three at most, found also by a part of their names", async () => {
      await form.check(3).click();
      await form.addSensor(3, "serial", "110109");
      await form.addSensor(3, "serial", "110111");
      await form.addSensor(3, "serial", "110201");
      expect(await form.addButton(3).isDisabled()).toBe(true);
      await page.getByText(say("controller-edit:channels.full", { count: 3 })).waitFor();
    });

    it("[controller-edit] shows the new name on a second screen after saving", async () => {
      await form.save();
      await page.waitForURL("**/sensors/cot/detail?cotId=*");
      await second.getByRole("heading", { name: "Leaf house 2" }).waitFor();
      await second.getByText(other("controller:channelSensors", { number: 3 })).waitFor();
      const saved = (await account.controllers()).find((each) => `${each.id}` === id);
      expect(saved?.channels?.map(({ channelNumber, sensors }) => [channelNumber, sensors?.length])).toEqual([
        [1, 1],
        [3, 3],
      ]);
    });

    it("[controller-edit] removes a chip of the server's at once, after a question", async () => {
      await page.goto(`${stage.stack.url}/controller/edit?cotId=${id}`);
      await form.channel(3).getByTestId("channel-sensor").getByRole("button").first().click();
      await agree(say("controller-edit:channels.takeOff"));
      await expect.poll(() => form.channel(3).getByTestId("channel-sensor").count()).toBe(2);
      await expect
        .poll(
          async () =>
            (await account.controllers())
              .find((each) => `${each.id}` === id)
              ?.channels?.find(({ channelNumber }) => channelNumber === 3)?.sensors?.length,
        )
        .toBe(2);
    });

    it("[controller] deletes a channel after a question, on every screen", async () => {
      await page.goto(`${stage.stack.url}/sensors/cot/detail?cotId=${id}`);
      await page
        .getByRole("button", { name: say("controller:deleteChannel", { number: 3 }), exact: true })
        .click();
      await agree(say("common:action.delete"));
      await second.getByText(other("controller:channelSensors", { number: 3 })).waitFor({ state: "hidden" });
    });

    it("[controller] deletes the controller from its menu, everywhere, and leads to the sensors", async () => {
      await page.goto(`${stage.stack.url}/controller/edit?cotId=${id}`);
      await page
        .getByRole("main")
        .getByRole("button", { name: say("controller-edit:more"), exact: true })
        .click();
      await page.getByRole("menuitem", { name: say("common:action.delete"), exact: true }).click();
      await question()
        .getByText(say("controller-edit:ask.controller", { name: "Leaf house 2" }))
        .waitFor();
      await agree(say("common:action.delete"));
      await page.waitForURL(/\/sensors$/);
      await second.getByText(other("controller:gone")).waitFor();
    });
  });
});
