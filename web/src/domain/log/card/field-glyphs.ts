import type { FieldName } from "@mulkko/shared/catalogue/fields";

/** Symbol of a measurement in a line's icon, as used in the field, the same in every language. */
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

/** Return the symbol of a field; the first letters of the name for an unknown one. */
export function fieldGlyph(field: string): string {
  return isKnown(field) ? GLYPHS[field] : field.slice(0, 2);
}
