import { defineDeviceType, deviceCard } from "../define.ts";

/** Leaf and animal heat-stress station. */
export const lat = defineDeviceType({
  type: "LAT",
  fields: ["humidity", "pressure", "temperature", "stress", "co2", "solar", "battery"],
  badges: ["humidity", "pressure", "temperature", "stress", "battery"],
  cards: [deviceCard(["humidity", "pressure", "temperature", "stress", "co2", "solar"])],
  primary: "stress",
});
