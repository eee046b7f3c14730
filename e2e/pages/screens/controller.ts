import { openPanel } from "../valve-panel.ts";
import { wordsOf } from "../words.ts";
import { at, controllerId, type Scene, type Screen, sensorId } from "./screen.ts";

const COT_SERIAL = 24_110_118;

/** Open the mode at this index in the panel, 0 to 2. */
const openMode = async ({ page }: Scene, place: number): Promise<void> => {
  const head = page.getByTestId("mode-head").nth(place);
  await head.waitFor();
  if ((await head.getAttribute("aria-expanded")) === "false") await head.click();
};

const panel = (name: string, type: string, channel: number): Screen => ({
  name,
  fullPage: true,
  async go({ page, stack }) {
    await openPanel(page, stack.url, await controllerId(stack, type), channel);
  },
});

/** Controllers and their valves. */
export const controllerScreens: readonly Screen[] = [
  panel("panel-closed", "CON04V", 2),
  {
    name: "panel-open",
    fullPage: false,
    async go({ page, stack, visitor }) {
      const shown = await openPanel(page, stack.url, await controllerId(stack, "CON04V"), 1);
      if ((await page.getByTestId("time-left").count()) > 0) return;
      if (visitor.viewport === "phone") await shown.slideAlong();
      else {
        await page.getByTestId("valve-buttons").getByRole("button").nth(1).click();
        await page.getByRole("dialog").locator("button[type=submit]").click();
      }
      await page.getByTestId("time-left").waitFor();
    },
  },
  at("dashboard-watering", "/dashboard"),
  panel("panel-water-level", "CON01W", 1),
  at("controllers", "/sensors/cot"),
  panel("panel-automatic", "CON04V", 4),
  {
    name: "panel-mode-refused",
    fullPage: true,
    async go(scene) {
      const { page, stack } = scene;
      await openPanel(page, stack.url, await controllerId(stack, "CON04V"), 2);
      await openMode(scene, 0);
      await page.locator("[data-testid=mode-body]:not([hidden]) button[type=submit]").click();
      await page.locator("[data-testid=mode-body]:not([hidden]) [role=alert]").first().waitFor();
    },
  },
  {
    name: "panel-mode-asked",
    fullPage: false,
    async go(scene) {
      const { page, stack } = scene;
      await openPanel(page, stack.url, await controllerId(stack, "CON04V"), 4);
      await openMode(scene, 0);
      await page
        .locator("[data-testid=mode-body]:not([hidden]) [data-testid=mode-actions] button")
        .first()
        .click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "panel-cot",
    fullPage: true,
    async go(scene) {
      const { page, stack, visitor } = scene;
      await openPanel(page, stack.url, await sensorId(stack, COT_SERIAL), 1);
      await openMode(scene, 1);
      await page.getByRole("button", { name: wordsOf(visitor.locale)("controller:log.title") }).click();
    },
  },
  {
    name: "controller-edit",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/controller/edit?cotId=${await controllerId(stack, "CON04V")}`);
      await page.getByTestId("channel").first().waitFor();
    },
  },
  {
    name: "controller-sensor-dialog",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/controller/edit?cotId=${await controllerId(stack, "CON04V")}&add=3`);
      await page.getByRole("dialog").getByRole("combobox").first().fill("2411");
    },
  },
  {
    name: "controller-add-refused",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/cotadd`);
      await page.locator("main form button[type=submit]").click();
      await page.locator("[aria-invalid=true]").first().waitFor();
    },
  },
];
