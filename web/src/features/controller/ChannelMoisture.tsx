import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Modes } from "@mulkko/shared/entities/modes";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { Card } from "../../components/card.tsx";
import { RangeBand } from "../../domain/reading/range-band.tsx";
import { ReadingValue } from "../../domain/reading/reading-value.tsx";
import { ValueScale } from "../../domain/reading/value-scale.tsx";

export interface ChannelMoistureProps {
  /** %, or null without a sensor. */
  moisture: number | null;
  modes: Modes | null;
  quality: DrawnQuality | null;
}

/** Show the channel's moisture against the bounds of its automatic mode, or on a scale without them. */
export function ChannelMoisture({ moisture, modes, quality }: ChannelMoistureProps) {
  const { t } = useTranslation("controller");
  const low = modes?.automatic?.lowerBound ?? null;
  const high = modes?.automatic?.upperBound ?? null;
  return (
    <Card title={t("moisture")}>
      <div className="panel__moisture">
        <ReadingValue value={moisture} field={FIELDS.moisture} quality={quality} />
        {low !== null && high !== null && low < high ? (
          <RangeBand value={moisture} low={low} high={high} unit="%" />
        ) : (
          <ValueScale value={moisture} field={FIELDS.moisture} />
        )}
      </div>
    </Card>
  );
}
