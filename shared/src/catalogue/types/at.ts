import { defineDeviceType, deviceCard } from "../define.ts";

/** Greenhouse air station. */
export const at = defineDeviceType({
  type: "AT",
  fields: ["co2", "humidity", "pressure", "solar", "temperature", "td", "vpd"],
  badges: ["co2", "humidity", "pressure", "solar", "temperature", "td", "vpd"],
  columns: ["co2", "temperature", "humidity", "pressure", "solar"],
  cards: [deviceCard(["co2", "humidity", "pressure", "solar", "temperature", "vpd", "td"])],
  tall: true,
  primary: "temperature",
});
