import { defineDeviceType, measurementCards } from "../define.ts";

/** Nutrient solution station. */
export const nutrient = defineDeviceType({
  type: "NUTRIENT",
  fields: ["temperature", "ph", "ec", "gdo", "battery"],
  badges: ["temperature", "ph", "ec", "gdo", "battery"],
  columns: ["ph", "temperature"],
  cards: measurementCards(["temperature", "ph", "ec", "gdo"]),
  showsEc: true,
  primary: "ph",
});
