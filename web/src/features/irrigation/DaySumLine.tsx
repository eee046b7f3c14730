import { useTranslation } from "react-i18next";
import { runLength } from "../../domain/watering/watering-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import type { DaySum } from "./day-sum.ts";

interface DaySumLineProps {
  sum: DaySum;
  /** False if waterings of today may be missing (WAT-4). */
  whole: boolean;
}

/**
 * Show today's waterings of a farm: count, duration and litres. Mark a sum that does not cover the whole day
 * or includes an unconfirmed watering, and litres that do not cover all waterings.
 */
export function DaySumLine({ sum, whole }: DaySumLineProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const { unit, count } = runLength(sum.seconds * 1_000);
  const litres = sum.litres === null ? null : labels.litres(sum.litres);
  const parts = [
    t("today.times", { count: sum.count }),
    t(`common:duration.${unit}`, { count }),
    ...(litres === null ? [] : [sum.unmeasured > 0 ? t("today.atLeast", { litres }) : litres]),
  ];
  const isFact = whole && sum.unconfirmed === 0;
  return <>{t(isFact ? "today.sum" : "today.known", { parts: parts.join(" · ") })}</>;
}
