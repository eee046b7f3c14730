import type { Watering } from "@mulkko/shared/live/watering";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../../i18n/labels.ts";
import { useTimeWords } from "../../time/use-time-words.ts";
import { spanWords, useWateringWords } from "../../watering/watering-words.ts";
import { wateringAt } from "../waterings/shown-waterings.ts";
import type { CardWaterings } from "./use-card-waterings.ts";
import "../../chart/legend-button.css";
import "./watering-legend.css";

export interface WateringLegendProps {
  water: CardWaterings;
  /** Time under the crosshair, unix seconds; null without a crosshair. */
  instant: number | null;
  /** Seconds between buckets. */
  step: number;
}

/** Legend of bars and dashed lines, with a switch for each, and the watering under the crosshair. */
export function WateringLegend({ water, instant, step }: WateringLegendProps) {
  const { t } = useTranslation("log");
  const { waterings, bounds, now } = water;
  if (waterings.length === 0 && bounds === null) return null;
  const pointed = instant === null ? undefined : wateringAt(waterings, instant, step, now);
  return (
    <div className="watering-legend">
      {waterings.length > 0 && (
        <button
          type="button"
          className="legend-button"
          aria-pressed={water.showsBars}
          onClick={water.toggleBars}
        >
          <span className="watering-legend__bar" />
          {t("water.bars", { count: waterings.length })}
        </button>
      )}
      {bounds !== null && (
        <button
          type="button"
          className="legend-button"
          aria-pressed={water.showsBounds}
          onClick={water.toggleBounds}
        >
          <span className="watering-legend__bounds" />
          {t("water.bounds", { lower: bounds.lower ?? "–", upper: bounds.upper ?? "–" })}
        </button>
      )}
      {pointed && <WateringWords watering={pointed} now={now} />}
    </div>
  );
}

function WateringWords({ watering, now }: { watering: Watering; now: number }) {
  const { t } = useTranslation("common");
  const words = useTimeWords();
  const labels = useLabels();
  const said = useWateringWords();
  const start = Date.parse(watering.start);
  const span = watering.end === null ? null : spanWords(start, Date.parse(watering.end), words, false);
  const parts = [
    span === null ? `${words.time(start)}–` : `${span.from}–${span.to}`,
    t(`watering.cause.${watering.cause}`),
    watering.by?.nickname,
    said.length(watering, now),
    watering.litres === null ? null : labels.litres(watering.litres),
    said.ending(watering, now),
  ];
  return <p className="watering-legend__words">{parts.filter(Boolean).join(" · ")}</p>;
}
