import type { ChartCard, DeviceType } from "./device-type.ts";
import { FIELDS, type FieldName } from "./fields.ts";

interface Definition {
  type: string;
  fields: readonly FieldName[];
  badges?: readonly FieldName[];
  columns?: readonly FieldName[];
  cards: readonly ChartCard[];
  showsEc?: boolean;
  tall?: boolean;
  outdoors?: true;
  decimals?: Partial<Record<FieldName, number>>;
  primary: FieldName;
}

/** Return one card per measurement, in order. */
export function measurementCards(fields: readonly FieldName[]): ChartCard[] {
  return fields.map((name) => ({ title: "measurement", fields: [name] }));
}

/** Return one card with the device's name that holds several fields. */
export function deviceCard(fields: readonly FieldName[]): ChartCard {
  return { title: "device", fields };
}

/**
 * Build a catalogue entry. Without badges all fields are badges; without columns the data list shows the
 * badges. `ec` is hidden on widget cards unless the type overrides it.
 */
export function defineDeviceType(definition: Definition): DeviceType {
  const badges = definition.badges ?? definition.fields;
  return {
    type: definition.type,
    labelKey: `deviceType.${definition.type}`,
    fields: definition.fields.map((name) => {
      const decimals = definition.decimals?.[name];
      return decimals === undefined ? FIELDS[name] : { ...FIELDS[name], decimals };
    }),
    badges,
    columns: definition.columns ?? badges,
    cards: definition.cards,
    hidden: definition.showsEc ? [] : ["ec"],
    ...(definition.outdoors && { outdoors: true }),
    chartHeight: definition.tall ? 400 : 350,
    primary: definition.primary,
  };
}
