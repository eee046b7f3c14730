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

/** The device types that a device can be registered as, in the order of the specification. */
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

/** Types that may be met in data though no device is registered as one: ATS03; SES is a label alone. */
const MET_TYPES: readonly DeviceType[] = [...DEVICE_TYPES, ats03];

const BY_TYPE = new Map(MET_TYPES.map((entry) => [entry.type, entry]));

/** True for a type that a device can be registered as. */
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

/** The field's entry as this type shows it; a field nobody knows gets a plain entry of its own. */
export function fieldOf(type: DeviceType, name: string): FieldSpec {
  const own = type.fields.find((field) => field.name === name);
  if (own) return own;
  return isFieldName(name) ? FIELDS[name] : genericField(name);
}

/**
 * The catalogue entry of a type. A type that nobody knows gets an entry made of the numeric fields of `sample`
 * (its newest reading), so that its values are shown all the same.
 */
export function deviceTypeOf(type: string, sample: Readonly<Record<string, unknown>> = {}): DeviceType {
  const known = BY_TYPE.get(type);
  if (known) return known;
  const names = Object.keys(sample).filter(
    (key) => !HIDDEN_KEYS.includes(key) && typeof sample[key] === "number",
  );
  return {
    type,
    labelKey: `deviceType.${type}`,
    fields: names.map((name) => (isFieldName(name) ? FIELDS[name] : genericField(name))),
    badges: names,
    columns: names,
    cards: names.map((name) => ({ title: "measurement", fields: [name] })),
    hidden: ["ec"],
    chartHeight: 350,
    primary: names[0] ?? "",
  };
}

/** The catalogue's name for a field that a device or an API may call otherwise. */
export function canonicalFieldName(name: string): string {
  return Object.hasOwn(FIELD_ALIASES, name) ? (FIELD_ALIASES[name] ?? name) : name;
}

/** The fields that a widget card shows: all that the type has but the hidden ones. */
export function widgetFields(type: DeviceType): readonly FieldSpec[] {
  return type.fields.filter(({ name }) => !type.hidden.includes(name));
}
