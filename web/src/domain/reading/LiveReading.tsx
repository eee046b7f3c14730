import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { fieldQuality } from "@mulkko/shared/rules/quality";
import { memo } from "react";
import { useAge, useLivePart, useShownQuality } from "../../live/hooks.ts";
import { QualityMark } from "./quality-mark.tsx";
import { readingNumber } from "./reading.ts";
import { ReadingValue, type ReadingValueProps } from "./reading-value.tsx";
import { ValueScale } from "./value-scale.tsx";

export interface LiveReadingProps {
  id: string;
  field: FieldSpec;
  /** Cards show temperatures as whole numbers. */
  where: "card" | "log";
  size?: ReadingValueProps["size"];
}

/** Return one live measurement of a sensor in API units; null if it is missing. */
const useLiveNumber = (id: string, field: FieldSpec) =>
  useLivePart("sensor", id, (sensor) => readingNumber(sensor?.reading, field.name));

/** {@link ValueScale} of a live measurement. */
export const LiveScale = memo(function LiveScale({ id, field }: { id: string; field: FieldSpec }) {
  return <ValueScale value={useLiveNumber(id, field)} field={field} />;
});

/** One live measurement of a sensor. A new reading renders only this number. */
export const LiveReading = memo(function LiveReading({
  id,
  field,
  where,
  size = "reading",
}: LiveReadingProps) {
  const value = useLiveNumber(id, field);
  const own = useLivePart("sensor", id, (sensor) =>
    sensor ? fieldQuality(sensor.quality, sensor, field.name) : null,
  );
  const quality = useShownQuality(own);
  return <ReadingValue value={value} field={field} where={where} quality={quality} size={size} />;
});

/** Live quality mark of a sensor, with the start of its silence. */
export const LiveMark = memo(function LiveMark({ id, texts = false }: { id: string; texts?: boolean }) {
  const quality = useSensorQuality(id);
  const ageMs = useAge(useLivePart("sensor", id, (sensor) => sensor?.heardAt ?? null));
  return <QualityMark quality={quality} ageMs={ageMs} texts={texts} />;
});

/** Return the displayed quality of a sensor, kept up to date. */
export function useSensorQuality(id: string) {
  return useShownQuality(useLivePart("sensor", id, (sensor) => sensor?.quality ?? null));
}
