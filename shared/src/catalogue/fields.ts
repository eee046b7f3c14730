import type { FieldSpec, Unit } from "./device-type.ts";

const field = (
  name: string,
  unit: Unit,
  range: FieldSpec["range"],
  rest: Partial<Omit<FieldSpec, "name" | "unit" | "range" | "labelKey">> = {},
): FieldSpec => ({ name, unit, range, decimals: 1, labelKey: `field.${name}`, ...rest });

/** Every field of any device type. A type may refine one, e.g. its decimals. */
export const FIELDS = {
  soilTemperature: field("soilTemperature", "°C", [-50, 80]),
  temperature: field("temperature", "°C", [-60, 100], { widgetDecimals: 0 }),
  moisture: field("moisture", "%", [0, 100]),
  // Air is never perfectly dry: a zero means a missing sensor.
  humidity: field("humidity", "%", [0.5, 100]),
  battery: field("battery", "%", [0, 100], { decimals: 0 }),
  ec: field("ec", "dS/m", [0, 30]),
  ph: field("ph", "", [0, 14]),
  n: field("n", "mg/kg", [0, 10_000]),
  p: field("p", "mg/kg", [0, 10_000]),
  k: field("k", "mg/kg", [0, 10_000]),
  // The open air holds over 400 ppm; a reading near zero is a sensor fault.
  co2: field("co2", "ppm", [100, 60_000]),
  pressure: field("pressure", "hPa", [300, 1_200]),
  press: field("press", "hPa", [300, 1_200], { decimals: 0 }),
  solar: field("solar", "W/m²", [0, 3_000]),
  td: field("td", "°C", [-80, 60]),
  vpd: field("vpd", "kPa", [0, 20_000], { scale: 0.001 }),
  windD: field("windD", "°", [0, 360], { circular: true }),
  windS: field("windS", "m/s", [0, 120]),
  rain: field("rain", "mm", [0, 1_000]),
  illuminance: field("illuminance", "lx", [0, 250_000]),
  stress: field("stress", "", [0, 150]),
  flowmeter: field("flowmeter", "L", [0, 1e12]),
  speed: field("speed", "L/min", [0, 100_000]),
  pumpopencount: field("pumpopencount", "", [0, 1e9], { integer: true, decimals: 0 }),
  gdo: field("gdo", "mg/L", [0, 60]),
  waterlevel: field("waterlevel", "mm", [0, 100_000]),
  acceleration: field("acceleration", "g", [-100, 100]),
  gyroActivity: field("gyroActivity", "", [0, 1e9]),
  altitude: field("altitude", "m", [-500, 9_000], { decimals: 0 }),
  lux: field("lux", "lx", [0, 250_000], { decimals: 0 }),
  t15: field("t15", "°C", [-50, 120]),
  t30: field("t30", "°C", [-50, 120]),
  m15: field("m15", "%", [0, 100]),
  m30: field("m30", "%", [0, 100]),
  rh: field("rh", "%", [0, 100]),
  l: field("l", "cm", [-1_000, 100_000], { decimals: 0 }),
  valve: field("valve", "", [1, 2], { integer: true, decimals: 0 }),
} as const satisfies Record<string, FieldSpec>;

/** Name of a field in the catalogue. */
export type FieldName = keyof typeof FIELDS;

/** Names that older devices use for a field. */
export const FIELD_ALIASES: Readonly<Record<string, FieldName>> = {
  temp: "temperature",
  t: "temperature",
  mois: "moisture",
  gyro: "gyroActivity",
};

/** Return true for the name of a known field. */
export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name);
}
