import { defineDeviceType, deviceCard } from "../define.ts";

/** Soil sensor with nutrients. */
export const ssh = defineDeviceType({
  type: "SSH",
  fields: ["moisture", "temperature", "ec", "ph", "n", "p", "k", "battery"],
  badges: ["moisture", "temperature", "ec", "n", "p", "k", "battery"],
  cards: [deviceCard(["moisture", "temperature", "ec", "ph", "n", "p", "k"]), deviceCard(["battery"])],
  primary: "moisture",
});
