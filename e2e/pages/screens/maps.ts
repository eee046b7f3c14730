import { openMap } from "../farm-map.ts";
import { type Screen, sensorId } from "./screen.ts";

const STRESS_SERIAL = 24_110_111;
const SOIL_SERIAL = 24_110_101;

/** Positions of the sensors. */
export const mapsScreens: readonly Screen[] = [
  {
    name: "map",
    fullPage: false,
    go: async ({ page, stack }) => openMap(page, `${stack.url}/maps`),
  },
  {
    name: "map-soil",
    fullPage: false,
    go: async ({ page, stack }) =>
      openMap(page, `${stack.url}/maps?id=${await sensorId(stack, SOIL_SERIAL)}`),
  },
  {
    name: "map-stress",
    fullPage: false,
    go: async ({ page, stack }) =>
      openMap(page, `${stack.url}/maps/type?deviceType=LAT&id=${await sensorId(stack, STRESS_SERIAL)}`),
  },
];
