import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import type { FieldName } from "@mulkko/shared/catalogue/fields";

const DEGREES = 5;
const WATER_SHARE = 5;
const NUTRIENT = 20;

/**
 * Least span of a field's automatic axis, in its displayed unit: what is less than this is no event, and must
 * not fill the height of a chart (AXIS-1). Fields without an entry have a span by their decimals.
 */
const LEAST_SPANS: Readonly<Partial<Record<FieldName, number>>> = {
  soilTemperature: DEGREES,
  temperature: DEGREES,
  td: DEGREES,
  t15: DEGREES,
  t30: DEGREES,
  moisture: WATER_SHARE,
  m15: WATER_SHARE,
  m30: WATER_SHARE,
  humidity: 10,
  rh: 10,
  pressure: 10,
  press: 10,
  co2: 100,
  battery: 10,
  ph: 1,
  ec: 0.5,
  n: NUTRIENT,
  p: NUTRIENT,
  k: NUTRIENT,
  gdo: 2,
  vpd: 0.5,
  windS: 5,
  solar: 100,
  illuminance: 1_000,
  lux: 1_000,
  waterlevel: 50,
  l: 10,
  altitude: 20,
};

const spans: Readonly<Partial<Record<string, number>>> = LEAST_SPANS;

/** Return the least span of a field's axis, displayed unit; 0 where its decimals decide. */
export const leastSpanOf = ({ name }: Pick<FieldSpec, "name">): number => spans[name] ?? 0;
