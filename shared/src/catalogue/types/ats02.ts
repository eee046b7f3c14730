import { defineDeviceType, deviceCard } from "../define.ts";

const fields = [
  "windD",
  "windS",
  "rain",
  "illuminance",
  "temperature",
  "humidity",
  "pressure",
  "battery",
] as const;

/** Outdoor weather station. */
export const ats02 = defineDeviceType({
  type: "ATS02",
  fields,
  badges: ["windD", "windS", "rain", "illuminance", "temperature", "humidity", "pressure"],
  columns: fields,
  cards: [deviceCard(["humidity", "illuminance", "pressure", "rain", "temperature", "windD", "windS"])],
  outdoors: true,
  primary: "temperature",
});
