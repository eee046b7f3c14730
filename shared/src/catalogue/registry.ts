import { isVolts } from "../rules/device-health.ts";
import { type DeviceType, type FieldSpec, HIDDEN_KEYS } from "./device-type.ts";
import { FIELD_ALIASES, FIELDS, isFieldName } from "./fields.ts";
import { at } from "./types/at.ts";
import { ats02 } from "./types/ats02.ts";
import { ats03 } from "./types/ats03.ts";
import { co2 } from "./types/co2.ts";
import { compost } from "./types/compost.ts";
import { cot } from "./types/cot.ts";
import { drainage } from "./types/drainage.ts";
import { fms } from "./types/fms.ts";
import { fms02 } from "./types/fms02.ts";
import { lat } from "./types/lat.ts";
import { nutrient } from "./types/nutrient.ts";
import { sms } from "./types/sms.ts";
import { soil } from "./types/soil.ts";
import { ssh } from "./types/ssh.ts";
import { waterflow } from "./types/waterflow.ts";
import { waterlevel } from "./types/waterlevel.ts";

/** Device types that a device can be registered as, in the order of the specification. */
export const DEVICE_TYPES: readonly DeviceType[] = [
  sms,
  ssh,
  at,
  waterflow,
  nutrient,
  drainage,
  fms,
  fms02,
  compost,
  soil,
  co2,
  ats02,
  lat,
  waterlevel,
  cot,
];

/**
 * Types that may occur in data although no device is registered as one. ATS03 has its own entry; SES is only
 * a label.
 */
const MET_TYPES: readonly DeviceType[] = [...DEVICE_TYPES, ats03];

const BY_TYPE = new Map(MET_TYPES.map((entry) => [entry.type, entry]));

/** Return true for a type that a device can be registered as. */
export function isDeviceTypeName(type: string): boolean {
  return DEVICE_TYPES.some((entry) => entry.type === type);
}

const genericField = (name: string): FieldSpec => ({
  name,
  unit: "",
  decimals: 1,
  labelKey: `field.${name}`,
  range: [-1e15, 1e15],
});

/** Return the field's entry as this type shows it; an unknown field gets a plain entry of its own. */
export function fieldOf(type: DeviceType, name: string): FieldSpec {
  const own = type.fields.find((field) => field.name === name);
  if (own) return own;
  return isFieldName(name) ? FIELDS[name] : genericField(name);
}

/** Return the field in the unit of this value: a battery may be in volts. */
export function fieldAs(field: FieldSpec, value: unknown): FieldSpec {
  if (field.name !== "battery" || typeof value !== "number") return field;
  const { unit, decimals } = isVolts(value) ? { unit: "V" as const, decimals: 1 } : FIELDS.battery;
  return unit === field.unit ? field : { ...field, unit, decimals };
}

/** Types whose battery is in volts; the same object each time. */
const inVolts = new Map<DeviceType, DeviceType>();

function typeInVolts(type: DeviceType, battery: unknown): DeviceType {
  const known = inVolts.get(type);
  if (known) return known;
  const made = { ...type, fields: type.fields.map((field) => fieldAs(field, battery)) };
  inVolts.set(type, made);
  return made;
}

/**
 * Return the catalogue entry of a type, with its battery in volts where the sample's is. An unknown type gets
 * an entry made of the numeric fields of `sample` (its newest reading), so that its values are still shown.
 */
export function deviceTypeOf(type: string, sample: Readonly<Record<string, unknown>> = {}): DeviceType {
  const known = BY_TYPE.get(type);
  const { battery } = sample;
  if (known) return typeof battery === "number" && isVolts(battery) ? typeInVolts(known, battery) : known;
  const names = Object.keys(sample).filter(
    (key) => !HIDDEN_KEYS.includes(key) && typeof sample[key] === "number",
  );
  return {
    type,
    labelKey: `deviceType.${type}`,
    fields: names.map((name) => fieldAs(isFieldName(name) ? FIELDS[name] : genericField(name), sample[name])),
    badges: names,
    columns: names,
    cards: names.map((name) => ({ title: "measurement", fields: [name] })),
    hidden: ["ec"],
    chartHeight: 350,
    primary: names[0] ?? "",
  };
}

/** Return the catalogue's name for a field that a device or an API may name differently. */
export function canonicalFieldName(name: string): string {
  return Object.hasOwn(FIELD_ALIASES, name) ? (FIELD_ALIASES[name] ?? name) : name;
}

/** Return the names of received numbers that are not fields of the type (ROW-1). */
const otherNames = (type: DeviceType, reading: Readonly<Record<string, unknown>> | null): string[] =>
  Object.entries(reading ?? {}).flatMap(([name, value]) =>
    typeof value !== "number" ||
    HIDDEN_KEYS.includes(name) ||
    type.hidden.includes(name) ||
    type.fields.some((field) => field.name === name)
      ? []
      : [name],
  );

/**
 * Return the fields that a widget card shows: all of the type, then the other received numbers, without the
 * hidden ones.
 */
export function widgetFields(
  type: DeviceType,
  reading: Readonly<Record<string, unknown>> | null = null,
): readonly FieldSpec[] {
  const own = type.fields.filter(({ name }) => !type.hidden.includes(name));
  return [...own, ...otherNames(type, reading).map((name) => fieldOf(type, name))];
}

/** Return the fields of the latest-value badges: those of the type, then the other received numbers. */
export const badgeNames = (
  type: DeviceType,
  reading: Readonly<Record<string, unknown>> | null,
): readonly string[] => [...new Set([...type.badges, ...otherNames(type, reading)])];
