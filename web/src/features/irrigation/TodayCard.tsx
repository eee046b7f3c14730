import { useTranslation } from "../../i18n/use-translation.ts";
import { DaySumLine } from "./DaySumLine.tsx";
import type { DaySum } from "./day-sum.ts";
import "./day.css";

export interface TodayCardProps {
  /** null while nobody knows. */
  sum: DaySum | null;
  /** Leads to where a flow meter is linked; left out where none can be. */
  onLink?: (() => void) | undefined;
}

/** What a farm got today, in one line, and what that line does not know. */
export function TodayCard({ sum, onLink }: TodayCardProps) {
  const { t } = useTranslation("irrigation");
  if (sum === null) return null;
  return (
    <div className="today" data-running={sum.running > 0 || undefined}>
      <p className="today__sum">{sum.count === 0 ? t("today.none") : <DaySumLine sum={sum} />}</p>
      {sum.count > 0 && sum.unmeasured > 0 && (
        <p className="today__note">
          {sum.litres === null ? t("today.noMeter") : t("today.unmeasured", { count: sum.unmeasured })}
          {onLink && (
            <button type="button" className="today__link" onClick={onLink}>
              {t("today.link")}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
