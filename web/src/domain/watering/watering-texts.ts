import type { Watering } from "@mulkko/shared/live/watering";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import type { TimeTexts } from "../time/time-texts.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";

/** Milliseconds after its planned end at which a watering without a closed report counts as unconfirmed. */
const UNCONFIRMED_MS = 60_000;

type Ending = Pick<Watering, "end" | "plannedEnd" | "endReason" | "confirmedAt" | "withdrawn">;
type Run = Pick<Watering, "start" | "end" | "plannedEnd">;

/**
 * Return the end of a watering, ms UTC. A running one ends at `now`, at the latest at the end that its device
 * enforces.
 */
export function runEnd({ end, plannedEnd }: Omit<Run, "start">, now: number): number {
  if (end !== null) return Date.parse(end);
  return plannedEnd ? Math.min(now, Date.parse(plannedEnd)) : now;
}

/** Return true for a watering that should have ended but has no closed report. */
export function isEndUnconfirmed({ end, plannedEnd }: Omit<Run, "start">, now: number): boolean {
  return end === null && !!plannedEnd && now > Date.parse(plannedEnd) + UNCONFIRMED_MS;
}

/** Format a time span (ms UTC) to the minute, or to the second if both ends would read the same. */
export function spanTexts(
  start: number,
  end: number,
  texts: Pick<TimeTexts, "time" | "exactTime" | "dayTime" | "exactDayTime">,
  withDay: boolean,
): { from: string; to: string } {
  const isShort = texts.time(start) === texts.time(end);
  const time = isShort ? texts.exactTime : texts.time;
  const dayTime = isShort ? texts.exactDayTime : texts.dayTime;
  return { from: (withDay ? dayTime : time)(start), to: time(end) };
}

/** Return sentences about a watering, the same on every page. */
export function useWateringTexts() {
  const { t } = useTranslation("common");
  const texts = useTimeTexts();
  const labels = useLabels();
  const time = (instant: string): string => texts.time(Date.parse(instant));
  return {
    /** 5 min, 20 s. */
    length(watering: Run, now: number): string {
      return labels.duration(runEnd(watering, now) - Date.parse(watering.start));
    },
    /** 12 L, marked as a share where the meter measured other valves too; null if it was not measured. */
    litres({ litres, litresShared }: Pick<Watering, "litres" | "litresShared">): string | null {
      if (litres === null) return null;
      const text = labels.litres(litres);
      return litresShared ? t("watering.litresShared", { litres: text }) : text;
    },
    /**
     * Describe its end, when that was confirmed, or that it runs or should have ended.
     *
     * @param runs false if the link to its controller is lost and its state unknown
     */
    ending(watering: Ending, now: number, runs = true): string {
      const { end, endReason, plannedEnd, confirmedAt, withdrawn } = watering;
      if (end === null) {
        if (plannedEnd && isEndUnconfirmed(watering, now)) {
          return t("watering.endUnconfirmed", { time: time(plannedEnd) });
        }
        return t(runs ? "watering.running" : "quality.unknown");
      }
      const parts = [
        withdrawn ? t("watering.withdrawn") : endReason && t(`watering.endReason.${endReason}`),
        confirmedAt && t("watering.confirmedLate", { time: time(confirmedAt) }),
      ];
      return parts.filter(Boolean).join(" · ");
    },
  };
}
