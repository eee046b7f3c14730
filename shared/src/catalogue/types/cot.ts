import { defineDeviceType, measurementCards } from "../define.ts";

const log = ["valve", "moisture"] as const;

/** A controller that is registered as a sensor: channels 1 to chNums, each with a valve and a moisture. */
export const cot = defineDeviceType({
  type: "COT",
  fields: log,
  cards: measurementCards(log),
  primary: "valve",
});
