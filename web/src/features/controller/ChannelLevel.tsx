import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { fieldQuality } from "@mulkko/shared/rules/quality";
import { Card } from "../../components/card.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useLive, useShownQuality } from "../../live/hooks.ts";

const LEVEL = { ...FIELDS.l, name: "l" };

/** Show the water level that controls a paddy's gate, from the first of the channel's level sensors. */
export function ChannelLevel({ sensorId }: { sensorId: string | number | undefined }) {
  const labels = useLabels();
  const sensor = useLive("sensor", sensorId ?? "");
  const quality = useShownQuality(sensor?.quality ?? null);
  return (
    <Card title={labels.field(LEVEL.name)}>
      <ReadingValue
        value={readingNumber(sensor?.reading, LEVEL.name)}
        field={LEVEL}
        quality={sensor ? fieldQuality(quality, sensor, LEVEL.name) : quality}
      />
    </Card>
  );
}
