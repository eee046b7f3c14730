import type { FieldName } from "@mulkko/shared/catalogue/fields";

/** What stands in a line's icon: the sign that people of the field know it by, the same in every language. */
const GLYPHS: Readonly<Record<FieldName, string>> = {
  soilTemperature: "°C",
  temperature: "°C",
  moisture: "%",
  humidity: "RH",
  battery: "▮",
  ec: "EC",
  ph: "pH",
  n: "N",
  p: "P",
  k: "K",
  co2: "CO₂",
  pressure: "hPa",
  press: "hPa",
  solar: "☀",
  td: "Td",
  vpd: "VPD",
  windD: "↗",
  windS: "m/s",
  rain: "mm",
  illuminance: "lx",
  stress: "!",
  flowmeter: "ΣL",
  speed: "L/m",
  pumpopencount: "#",
  gdo: "O₂",
  waterlevel: "mm",
  acceleration: "g",
  gyroActivity: "∿",
  altitude: "m",
  lux: "lx",
  t15: "15°",
  t30: "30°",
  m15: "15%",
  m30: "30%",
  rh: "RH",
  l: "cm",
  valve: "⧓",
};

const isKnown = (field: string): field is FieldName => Object.hasOwn(GLYPHS, field);

/** The sign of a field; one that nobody knows gets the first letters of its name. */
export function fieldGlyph(field: string): string {
  return isKnown(field) ? GLYPHS[field] : field.slice(0, 2);
}
