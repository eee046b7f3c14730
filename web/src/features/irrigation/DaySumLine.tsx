import { useTranslation } from "react-i18next";
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
  const { t } = useTranslation("irrigation");
  const labels = useLabels();
  const litres = sum.litres === null ? null : labels.litres(sum.litres);
  const parts = [
    t("today.times", { count: sum.count }),
    labels.duration(sum.seconds * 1_000),
    ...(litres === null ? [] : [sum.unmeasured > 0 ? t("today.atLeast", { litres }) : litres]),
  ];
  const isFact = whole && sum.unconfirmed === 0;
  return <>{t(isFact ? "today.sum" : "today.known", { parts: parts.join(" · ") })}</>;
}
