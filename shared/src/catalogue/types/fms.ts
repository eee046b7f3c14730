import { defineDeviceType, deviceCard } from "../define.ts";

/** Field monitoring station. */
export const fms = defineDeviceType({
  type: "FMS",
  fields: [
    "temperature",
    "moisture",
    "acceleration",
    "gyroActivity",
    "altitude",
    "lux",
    "press",
    "ec",
    "battery",
  ],
  badges: ["temperature", "moisture", "acceleration", "gyroActivity", "altitude", "lux", "press", "battery"],
  columns: ["temperature", "moisture", "ec"],
  cards: [
    deviceCard(["temperature", "moisture", "acceleration", "gyroActivity", "altitude", "lux", "press"]),
  ],
  showsEc: true,
  tall: true,
  outdoors: true,
  primary: "moisture",
});
