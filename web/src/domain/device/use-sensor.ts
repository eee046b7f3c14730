import { deviceTypeOf, fieldOf, widgetFields } from "@mulkko/shared/catalogue/registry";
import { countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { useAge, useDrawnQuality, useLive } from "../../live/hooks.ts";

/** One sensor as shown in a row, a card or a popup. */
export type ShownSensor = NonNullable<ReturnType<typeof useSensor>>;

/** Return one sensor, kept up to date; null after its deletion. */
export function useSensor(id: string) {
  const value = useLive("sensor", id);
  /** The worse of its main number's quality and the links'. */
  const quality = useDrawnQuality(value && { quality: countedQuality(value), link: value.link });
  const ageMs = useAge(value ? shownTime(value) : null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  return {
    id,
    value,
    name: deviceName(value.info),
    type,
    /** Primary measurement; null for a type without fields. */
    primary: type.primary === "" ? null : fieldOf(type, type.primary),
    /** Other measurements on cards. */
    others: widgetFields(type, value.reading).filter(({ name }) => name !== type.primary),
    quality,
    ageMs,
  };
}
