import { defineDeviceType, deviceCard } from "../define.ts";

/** Water level gauge. */
export const waterlevel = defineDeviceType({
  type: "WATERLEVEL",
  fields: ["l", "battery"],
  badges: ["l", "battery"],
  cards: [deviceCard(["l"]), deviceCard(["battery"])],
  primary: "l",
});
