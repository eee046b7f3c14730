import type { DeviceType, FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { deviceTypeOf, fieldOf, widgetFields } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import type { Quality } from "@mulkko/shared/rules/quality";
import { useAge, useLive, useShownQuality } from "../../live/hooks.ts";

/** Sensor as shown in its row or card. */
export interface ShownSensor {
  readonly value: SensorValue;
  readonly name: string;
  readonly type: DeviceType;
  /** Primary measurement; null for a type without fields. */
  readonly primary: FieldSpec | null;
  /** Other measurements on cards. */
  readonly others: readonly FieldSpec[];
  /** The worse of the sensor's own quality and the links'. */
  readonly quality: Quality | null;
  readonly ageMs: number | null;
}

/** Return one sensor, kept up to date; null after its deletion. */
export function useSensor(id: string): ShownSensor | null {
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  const ageMs = useAge(value?.heardAt ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  return {
    value,
    name: deviceName(value.info),
    type,
    primary: type.primary === "" ? null : fieldOf(type, type.primary),
    others: widgetFields(type, value.reading).filter(({ name }) => name !== type.primary),
    quality,
    ageMs,
  };
}
