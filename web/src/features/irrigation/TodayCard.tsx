import { useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { DaySumLine } from "./DaySumLine.tsx";
import type { DaySum } from "./day-sum.ts";
import "./day.css";

export interface TodayCardProps {
  /** null while unknown. */
  sum: DaySum | null;
  /** Since when the waterings of today are known, ms UTC; null where the whole day is (WAT-4). */
  seenSince: number | null;
  /** Leads to where a flow meter is linked; left out where none can be. */
  onLink?: (() => void) | undefined;
}

/** Show today's waterings of a farm in one line, and what that line cannot know. */
export function TodayCard({ sum, seenSince, onLink }: TodayCardProps) {
  const { t } = useTranslation("irrigation");
  const words = useTimeWords();
  if (sum === null) return null;
  const none = seenSince === null ? t("today.none") : t("today.noneSince", { time: words.time(seenSince) });
  return (
    <div className="today" data-running={sum.running > 0 || undefined}>
      <p className="today__sum" data-testid="sum-of-day">
        {sum.count === 0 ? none : <DaySumLine sum={sum} whole={seenSince === null} />}
      </p>
      {sum.count > 0 && seenSince !== null && (
        <p className="today__note">{t("today.missing", { time: words.time(seenSince) })}</p>
      )}
      {sum.unconfirmed > 0 && (
        <p className="today__note">{t("today.unconfirmed", { count: sum.unconfirmed })}</p>
      )}
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
