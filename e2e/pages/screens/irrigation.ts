import { Farm } from "@mulkko/shared/entities/farm";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import { read } from "@mulkko/testing/stack/account";
import type { Stack } from "@mulkko/testing/stack/start-stack";
import { Type } from "typebox";
import { at, farmerOf, type Screen, sensorId } from "./screen.ts";

const SOIL_SERIAL = 24_110_101;

/** The farm of the farmer that has a controller on it. */
const wateredFarm = async (stack: Stack): Promise<string> => {
  const account = await farmerOf(stack);
  const sensors = (await account.controllers()).flatMap(({ channels }) =>
    (channels ?? []).flatMap(({ sensors: members }) => (members ?? []).map(({ id }) => `${id}`)),
  );
  const farms = await read(await account.get(clusterList.path), Type.Array(Farm));
  const farm = farms.find((each) => each.sensors?.some(({ id }) => sensors.includes(`${id}`)));
  if (!farm) throw new Error("no farm has a controller");
  return `${farm.id}`;
};

const onFarm = (name: string, path: (farm: string, stack: Stack) => Promise<string>): Screen => ({
  name,
  fullPage: true,
  async go({ page, stack }) {
    await page.goto(stack.url + (await path(await wateredFarm(stack), stack)));
  },
});

/** The farms and their water. */
export const irrigationScreens: readonly Screen[] = [
  at("irrigation", "/irrigation"),
  onFarm("irrigation-farm", async (farm) => `/irrigation/farm?farm=${farm}`),
  {
    name: "irrigation-settings",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/irrigation/farm?farm=${await wateredFarm(stack)}`);
      await page.getByTestId("page-actions").locator("button[aria-expanded]").click();
      await page.getByTestId("valve-settings").first().waitFor();
    },
  },
  {
    name: "irrigation-close-all-question",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/irrigation/farm?farm=${await wateredFarm(stack)}`);
      await page.getByTestId("close-all").getByRole("button").click();
      await page.getByRole("alertdialog").waitFor();
    },
  },
  {
    name: "irrigation-closed",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/irrigation/farm?farm=${await wateredFarm(stack)}`);
      await page.getByTestId("close-all").getByRole("button").click();
      await page.getByRole("alertdialog").locator("button").last().click();
      await page.getByTestId("closing-valves").waitFor();
    },
  },
  onFarm(
    "irrigation-chosen",
    async (farm, stack) =>
      `/irrigation/farm?farm=${farm}&ids=${await sensorId(stack, SOIL_SERIAL)}&show=1&range=day`,
  ),
  onFarm("farm-name", async (farm) => `/irrigation/name/edit?farm=${farm}`),
  {
    name: "farm-add",
    fullPage: true,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/farmadd`);
      for (const place of [0, 4]) await page.getByTestId("picker-sensor").nth(place).click();
    },
  },
  {
    name: "farm-delete",
    fullPage: false,
    async go({ page, stack }) {
      await page.goto(`${stack.url}/farmdelete`);
      await page.getByTestId("farm-choice").first().click();
    },
  },
];
