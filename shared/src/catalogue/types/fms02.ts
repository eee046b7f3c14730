import { defineDeviceType, deviceCard } from "../define.ts";

/** Field monitoring station, second series. */
export const fms02 = defineDeviceType({
  type: "FMS02",
  fields: ["temperature", "moisture", "acceleration", "gyroActivity", "pressure", "ec", "battery"],
  badges: ["temperature", "moisture", "acceleration", "gyroActivity", "pressure", "battery"],
  cards: [deviceCard(["temperature", "moisture", "acceleration", "gyroActivity", "pressure"])],
  showsEc: true,
  tall: true,
  outdoors: true,
  primary: "moisture",
});
