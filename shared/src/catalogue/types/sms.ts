import { defineDeviceType, measurementCards } from "../define.ts";

const log = ["soilTemperature", "moisture", "battery"] as const;

/** Soil moisture sensor. */
export const sms = defineDeviceType({
  type: "SMS",
  fields: log,
  badges: ["soilTemperature", "moisture", "battery"],
  columns: ["soilTemperature", "moisture", "battery"],
  cards: measurementCards(log),
  primary: "moisture",
});
