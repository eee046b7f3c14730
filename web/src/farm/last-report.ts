import type { ChannelValue } from "@mulkko/shared/live/devices";
import { drawnQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "../i18n/use-translation.ts";
import { useServerTime } from "../live/hooks.ts";
import type { TimeWords } from "./time-words.ts";
import { useTimeWords } from "./use-time-words.ts";

/** A report younger than this is named by its time alone, an older one by its day too, ms. */
const TIME_ALONE_MS = 12 * 3_600_000;

/** The last report of a channel, in words. */
export interface LastReport {
  /** When, with its day where that is not clear; null where it is not known. */
  readonly time: string | null;
  /** "last report 13:15 closed"; null where no position was ever reported. */
  readonly sentence: string | null;
  /** "planned end 13:20" of a valve that was open; null without one. */
  readonly plannedEnd: string | null;
}

/** The last report of a channel, for a valve that is not drawn as live; in the signed-in account's time zone. */
export function useLastReport(channel: ChannelValue | undefined): LastReport {
  return useLastReportIn(useTimeWords(), channel);
}

/** The same on a screen without a signed-in account: a wall brings its own time zone. */
export function useLastReportIn(words: TimeWords, channel: ChannelValue | undefined): LastReport {
  const { t } = useTranslation("common");
  const { onoff = 0, heardAt = null, at = null, runUntil = null } = channel ?? {};
  const reportedAt = heardAt ?? at;
  const young = useServerTime((now) => reportedAt !== null && now - Date.parse(reportedAt) < TIME_ALONE_MS);
  const said = (instant: string) => (young ? words.time : words.dayTime)(Date.parse(instant));
  const time = reportedAt === null ? null : said(reportedAt);
  const state = t(onoff === 1 ? "valve.open" : "valve.closed");
  return {
    time,
    sentence:
      onoff === 0
        ? null
        : time === null
          ? t("valve.lastReportAnyTime", { state })
          : t("valve.lastReport", { time, state }),
    plannedEnd: onoff === 1 && runUntil !== null ? t("valve.plannedEnd", { time: said(runUntil) }) : null,
  };
}

/** `runs`: water runs through the channel now; `ran`: it did by the last report, and nothing vouches for that now. */
export type WaterNow = "runs" | "ran" | "none";

/** Tells what is known of the water of a channel; only a live report says that it runs. */
export function waterNow(channel: Pick<ChannelValue, "onoff" | "quality" | "link">): WaterNow {
  if (channel.onoff !== 1) return "none";
  return drawnQuality(channel) === "fresh" ? "runs" : "ran";
}
