import { runLength } from "../../farm/watering-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { DaySum } from "./day-sum.ts";

/** Show today's waterings of a farm: count, duration and litres. */
export function DaySumLine({ sum }: { sum: DaySum }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const { unit, count } = runLength(sum.seconds * 1_000);
  const parts = [
    t("today.times", { count: sum.count }),
    t(`common:duration.${unit}`, { count }),
    ...(sum.litres === null ? [] : [labels.litres(sum.litres)]),
  ];
  return <>{t("today.sum", { parts: parts.join(" · ") })}</>;
}
