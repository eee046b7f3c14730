import { defineDeviceType, measurementCards } from "../define.ts";

/** Compost probe at 15 and 30 cm. */
export const compost = defineDeviceType({
  type: "COMPOST",
  fields: ["t15", "t30", "m15", "m30", "rh", "battery"],
  badges: ["t15", "t30", "m15", "m30", "rh"],
  columns: ["t15", "t30", "m15", "m30", "battery"],
  cards: measurementCards(["t15", "t30", "m15", "m30", "rh"]),
  primary: "t15",
});
