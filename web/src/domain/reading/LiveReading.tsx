import type { FieldSpec } from "@mulkko/shared/catalogue/device-type";
import { countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { fieldQuality } from "@mulkko/shared/rules/quality";
import { memo } from "react";
import { useAge, useLive, useLivePart, useShownQuality } from "../../live/hooks.ts";
import { QualityMark, type QualityMarkProps } from "./quality-mark.tsx";
import { readingNumber } from "./reading.ts";
import { ReadingValue, type ReadingValueProps } from "./reading-value.tsx";
import { SensorBand } from "./sensor-band.tsx";

export interface LiveReadingProps {
  id: string;
  field: FieldSpec;
  /** Cards show temperatures as whole numbers. */
  where: "card" | "log";
  size?: ReadingValueProps["size"];
  /** Show a soil moisture against its valve's band after it: `small` in rows. Default: no band. */
  band?: "full" | "small";
}

/** One live measurement of a sensor. A new reading renders only this number. */
export const LiveReading = memo(function LiveReading({
  id,
  field,
  where,
  size = "reading",
  band,
}: LiveReadingProps) {
  const sensor = useLive("sensor", id);
  const quality = useShownQuality(sensor ? fieldQuality(sensor.quality, sensor, field.name) : null);
  const value = readingNumber(sensor?.reading, field.name);
  return (
    <>
      <ReadingValue value={value} field={field} where={where} quality={quality} size={size} />
      {band && field.name === "moisture" && (
        <SensorBand {...{ id, value, quality }} small={band === "small"} />
      )}
    </>
  );
});

type LiveMarkProps = { id: string } & Pick<QualityMarkProps, "texts" | "brief">;

/** Live quality mark of a sensor, with the age of its main number (AGE-1). */
export const LiveMark = memo(function LiveMark({ id, ...how }: LiveMarkProps) {
  const quality = useSensorQuality(id);
  const ageMs = useAge(useLivePart("sensor", id, (sensor) => (sensor ? shownTime(sensor) : null)));
  return <QualityMark quality={quality} ageMs={ageMs} {...how} />;
});

/** Return the displayed quality of a sensor's main number, kept up to date. */
export function useSensorQuality(id: string) {
  return useShownQuality(useLivePart("sensor", id, (sensor) => (sensor ? countedQuality(sensor) : null)));
}
