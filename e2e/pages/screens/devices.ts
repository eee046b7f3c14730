import { at, type Screen, sensorId } from "./screen.ts";

const SOIL_SERIAL = 24_110_101;

const edit: Screen = {
  name: "sensor-edit",
  fullPage: true,
  async go({ page, stack }) {
    await page.goto(`${stack.url}/sensors/edit?id=${await sensorId(stack, SOIL_SERIAL)}`);
    await page.locator("[name=name]").waitFor();
  },
};

/** The add menu, and a sensor's forms. */
export const devicesScreens: readonly Screen[] = [
  at("add", "/addpage"),
  at("sensor-add", "/listadd"),
  {
    name: "sensor-add-refused",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/listadd`);
      await page.locator("[name=latitude]").fill("north");
      await page.locator("main form button[type=submit]").click();
      await page.getByTestId("field-error").first().waitFor();
    },
  },
  edit,
  {
    name: "sensor-delete",
    fullPage: false,
    async go(scene) {
      await edit.go(scene);
      await scene.page.locator("main button[aria-haspopup=menu]").click();
      await scene.page.locator("[role=menuitem][data-danger]").click();
      await scene.page.getByRole("alertdialog").waitFor();
    },
  },
];
