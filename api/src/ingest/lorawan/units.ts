import { FIELDS, type FieldName } from "@mulkko/shared/catalogue/fields";

interface UnitSpec {
  readonly of: string;
  /** Multiplier to the quantity's first unit. */
  readonly factor: number;
  /** Added after the factor; temperatures only. */
  readonly zero?: number;
}

/** Units of devices, by quantity. */
const UNITS = {
  "°C": { of: "temperature", factor: 1 },
  "°F": { of: "temperature", factor: 5 / 9, zero: -160 / 9 },
  K: { of: "temperature", factor: 1, zero: -273.15 },
  Pa: { of: "pressure", factor: 1 },
  hPa: { of: "pressure", factor: 100 },
  mbar: { of: "pressure", factor: 100 },
  kPa: { of: "pressure", factor: 1_000 },
  bar: { of: "pressure", factor: 100_000 },
  inHg: { of: "pressure", factor: 3_386.389 },
  mm: { of: "length", factor: 1 },
  cm: { of: "length", factor: 10 },
  m: { of: "length", factor: 1_000 },
  in: { of: "length", factor: 25.4 },
  ft: { of: "length", factor: 304.8 },
  "µS/cm": { of: "conductivity", factor: 1 },
  "mS/m": { of: "conductivity", factor: 10 },
  "mS/cm": { of: "conductivity", factor: 1_000 },
  "dS/m": { of: "conductivity", factor: 1_000 },
  "m/s": { of: "speed", factor: 1 },
  "km/h": { of: "speed", factor: 1 / 3.6 },
  mph: { of: "speed", factor: 0.44704 },
  kn: { of: "speed", factor: 1_852 / 3_600 },
  L: { of: "volume", factor: 1 },
  "m³": { of: "volume", factor: 1_000 },
  "L/min": { of: "flow", factor: 1 },
  "L/s": { of: "flow", factor: 60 },
  "L/h": { of: "flow", factor: 1 / 60 },
  "m³/h": { of: "flow", factor: 1_000 / 60 },
  "%": { of: "share", factor: 1 },
  "m³/m³": { of: "share", factor: 100 },
  lx: { of: "illuminance", factor: 1 },
  klx: { of: "illuminance", factor: 1_000 },
} as const satisfies Record<string, UnitSpec>;

export type SourceUnit = keyof typeof UNITS;

const isSourceUnit = (name: string): name is SourceUnit => Object.hasOwn(UNITS, name);

export const SOURCE_UNITS = Object.keys(UNITS).filter(isSourceUnit);

/** Return a field's factor from wire to display; readings have the wire's unit. */
function screenScale(field: FieldName): number {
  const spec = FIELDS[field];
  return "scale" in spec ? spec.scale : 1;
}

/** True where a value in this unit can be a value of this field. */
export function fitsField(unit: SourceUnit, field: FieldName): boolean {
  const own: string = FIELDS[field].unit;
  return isSourceUnit(own) && UNITS[own].of === UNITS[unit].of;
}

/**
 * Convert a device's value to the unit of the field in readings.
 *
 * @throws RangeError where the unit is of another quantity; profiles are checked for that when they are
 * loaded
 */
export function toWire(value: number, unit: SourceUnit, field: FieldName): number {
  const own: string = FIELDS[field].unit;
  if (!isSourceUnit(own) || !fitsField(unit, field))
    throw new RangeError(`${unit} is not a unit of ${field}`);
  const from: UnitSpec = UNITS[unit];
  const to: UnitSpec = UNITS[own];
  return (value * from.factor + (from.zero ?? 0) - (to.zero ?? 0)) / to.factor / screenScale(field);
}
