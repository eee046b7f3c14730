import { useTranslation } from "../../i18n/use-translation.ts";
import type { DaySum } from "./day-sum.ts";

/** Litres are told to the litre; less than this many to the tenth. */
const TO_THE_TENTH_BELOW = 10;

/** An amount of water in words of the reader's language. */
export function useLitres(): (litres: number) => string {
  const { t, i18n } = useTranslation("irrigation");
  return (litres) => {
    const maximumFractionDigits = litres < TO_THE_TENTH_BELOW ? 1 : 0;
    return t("litres", { amount: litres.toLocaleString(i18n.language, { maximumFractionDigits }) });
  };
}

/** What a farm got today: how often, how long, how much. */
export function DaySumLine({ sum }: { sum: DaySum }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const litres = useLitres();
  const parts = [
    t("today.times", { count: sum.count }),
    t("common:duration.minutes", { count: sum.minutes }),
    ...(sum.litres === null ? [] : [litres(sum.litres)]),
  ];
  return <>{t("today.sum", { parts: parts.join(" · ") })}</>;
}
