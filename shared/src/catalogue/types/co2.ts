import { defineDeviceType, measurementCards } from "../define.ts";

const log = ["temperature", "humidity", "co2", "solar", "pressure"] as const;

/** Carbon dioxide station. */
export const co2 = defineDeviceType({
  type: "CO2",
  fields: log,
  columns: ["co2", "temperature", "humidity", "pressure", "solar"],
  cards: measurementCards(log),
  primary: "co2",
});
