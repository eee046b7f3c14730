import { enterAsAdmin } from "../admin.ts";
import { openSensor, readFarmOf, SOIL_SERIAL } from "../admin-sensors.ts";
import { openPanel } from "../valve-panel.ts";
import { wordsOf } from "../words.ts";
import { controllerId, type Scene, type Screen } from "./screen.ts";

/** An administrator's screen with an address. */
const asAdmin = (name: string, fullPage: boolean, go: (scene: Scene) => Promise<void>): Screen => ({
  name,
  fullPage,
  signedOut: true,
  async go(scene) {
    await enterAsAdmin(scene);
    await go(scene);
  },
});

const toList = async ({ page, stack }: Scene, search = ""): Promise<void> => {
  await page.goto(`${stack.url}/adminpage/sensors${search}`);
  await page.locator("tbody tr").first().waitFor();
};

const choose = async ({ page }: Scene, count: number): Promise<void> => {
  for (let row = 0; row < count; row += 1) await page.locator("tbody input[type=checkbox]").nth(row).check();
};

/** The farm of the demo's farmer, as its administrator sees it. */
const reading = (name: string, path: string, testId: string): Screen =>
  asAdmin(name, false, async ({ page, stack, visitor }) => {
    await readFarmOf(page, stack, SOIL_SERIAL, wordsOf(visitor.locale));
    await page.goto(stack.url + path);
    await page.getByTestId(testId).first().waitFor();
  });

/** The sensors of all accounts, and an account's farm as it sees it itself. */
export const adminSensorsScreens: readonly Screen[] = [
  asAdmin("admin-sensors", true, (scene) => toList(scene)),
  asAdmin("admin-sensors-twenty", true, (scene) => toList(scene, "?size=20&sort=-name&q=2411")),
  asAdmin("admin-sensors-nothing", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/sensors?q=nobody-has-this`);
    await page.getByTestId("none-found").waitFor();
  }),
  asAdmin("admin-sensors-delete", false, async (scene) => {
    await toList(scene);
    await choose(scene, 3);
    await scene.page.getByTestId("page-actions").getByRole("button").first().click();
    await scene.page.getByRole("alertdialog").waitFor();
  }),
  asAdmin("admin-sensor", true, ({ page, stack }) => openSensor(page, stack, SOIL_SERIAL)),
  asAdmin("admin-sensor-gone", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/sensor?id=00000000-0000-4000-8000-000000000000`);
    await page.getByTestId("empty-state").waitFor();
  }),
  asAdmin("admin-sensor-add", true, async ({ page, stack }) => {
    await page.goto(`${stack.url}/adminpage/sensor/add`);
    await page.locator("main form button[type=submit]").click();
    await page.getByTestId("field-error").first().waitFor();
  }),
  reading("reading-dashboard", "/dashboard", "scene-tile"),
  reading("reading-irrigation", "/irrigation", "close-all"),
  reading("reading-sensors", "/sensors", "sensor-row"),
  reading("reading-alarms", "/alarms", "alarm-board"),
  reading("reading-own-only", "/farmadd", "empty-state"),
  asAdmin("reading-panel", true, async ({ page, stack, visitor }) => {
    await readFarmOf(page, stack, SOIL_SERIAL, wordsOf(visitor.locale));
    await openPanel(page, stack.url, await controllerId(stack, "CON04V"), 2);
  }),
];
