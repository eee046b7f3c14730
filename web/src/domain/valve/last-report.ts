import type { ChannelValue } from "@mulkko/shared/live/devices";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useServerTime } from "../../live/hooks.ts";
import type { TimeTexts } from "../time/time-texts.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";

/** Instants nearer than this, ms, are shown without their day. */
const TIME_ALONE_MS = 12 * 3_600_000;

const HOUR_MS = 3_600_000;

/**
 * Return a formatter that shows an instant (ISO UTC) without its day within about half a day, else with it.
 */
export function useNearTime(texts: TimeTexts): (instant: string) => string {
  const hour = useServerTime((now) => Math.floor(now / HOUR_MS));
  return useCallback(
    (instant) => {
      const at = Date.parse(instant);
      return Math.abs(at - hour * HOUR_MS) < TIME_ALONE_MS ? texts.time(at) : texts.dayTime(at);
    },
    [hour, texts],
  );
}

/**
 * Return the last report of a channel whose valve is not shown as live, in the signed-in account's time zone.
 */
export function useLastReport(channel: ChannelValue | undefined) {
  return useLastReportIn(useTimeTexts(), channel);
}

/** The same for a screen without a signed-in account: a wall passes its own time zone. */
export function useLastReportIn(texts: TimeTexts, channel: ChannelValue | undefined) {
  const { t } = useTranslation("common");
  const { onoff = 0, heardAt = null, at = null, runUntil = null } = channel ?? {};
  const reportedAt = heardAt ?? at;
  const nearTime = useNearTime(texts);
  const time = reportedAt === null ? null : nearTime(reportedAt);
  const state = t(onoff === 1 ? "valve.open" : "valve.closed");
  return {
    /** Reported position, translated; null if none was ever reported. */
    state: onoff === 0 ? null : state,
    /** Time of the report, with its day if needed; null if unknown. */
    time,
    /** "last report 13:15 closed"; null if no position was ever reported. */
    sentence:
      onoff === 0
        ? null
        : time === null
          ? t("valve.lastReportAnyTime", { state })
          : t("valve.lastReport", { time, state }),
    /** "planned end 13:20" of a valve that was open; null without one. */
    plannedEnd: onoff === 1 && runUntil !== null ? t("valve.plannedEnd", { time: nearTime(runUntil) }) : null,
  };
}
