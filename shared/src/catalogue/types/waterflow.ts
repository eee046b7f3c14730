import { defineDeviceType, measurementCards } from "../define.ts";

const log = ["speed", "flowmeter", "pumpopencount"] as const;

/** Flow meter. */
export const waterflow = defineDeviceType({
  type: "WATERFLOW",
  fields: log,
  badges: ["flowmeter", "speed", "pumpopencount"],
  columns: ["speed", "flowmeter"],
  cards: measurementCards(log),
  primary: "speed",
});
