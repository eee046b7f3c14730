import { defineDeviceType, measurementCards } from "../define.ts";

/** Drained-water station. */
export const drainage = defineDeviceType({
  type: "DRAINAGE",
  fields: ["waterlevel", "temperature", "ph"],
  badges: ["waterlevel", "temperature"],
  columns: ["waterlevel", "ph", "temperature"],
  cards: measurementCards(["temperature", "waterlevel"]),
  primary: "waterlevel",
});
