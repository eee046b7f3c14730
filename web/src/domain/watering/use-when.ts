import { modesOn } from "@mulkko/shared/entities/modes";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import { useTranslation } from "react-i18next";
import { useServerTime } from "../../live/hooks.ts";
import { clockText, secondsLeft } from "../time/time-texts.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { useLastReport } from "../valve/last-report.ts";
import { modeNames } from "../valve/valve-texts.ts";
import type { ValveView } from "../valve/valve-view.ts";
import type { NextWatering } from "./next-watering.ts";

/**
 * Return the seconds until an open valve closes, kept up to date. Null while it is closing or its report is
 * not trustworthy.
 */
export function useTimeLeft(runUntil: string | null, view: ValveView): number | null {
  const counts = view.kind === "open" || (view.kind === "opening" && view.live && view.actual === "open");
  return useServerTime((now) => (counts ? secondsLeft(runUntil, now) : null));
}

/**
 * Describe how long a channel stays open, its next watering, what it lacks, or its active mode. A valve that
 * is not shown as live has its last report instead.
 */
export function useWhen(
  channel: ChannelValue | undefined,
  next: NextWatering | undefined,
  view: ValveView,
): string {
  const { t } = useTranslation("common");
  const texts = useTimeTexts();
  const { onoff = null, runUntil = null, modes = null } = channel ?? {};
  const left = useTimeLeft(runUntil, view);
  const { sentence, plannedEnd } = useLastReport(channel);
  // An overdue start is no longer shown.
  const start = useServerTime((now) => (next?.kind === "at" && next.start >= now ? next.start : null));
  if (!view.live && view.kind !== "mismatch" && sentence !== null)
    return [sentence, plannedEnd].filter((texts) => texts !== null).join(" · ");
  if (left !== null) return t("duration.left", { time: clockText(left) });
  // With several active modes the one that waters, or lacks something, is unknown.
  const several = (modesOn(modes)?.length ?? 0) > 1;
  if (onoff === 1 || modes === null || modes.active === "none" || several) return modeNames(t, modes);
  const lack = modes.incomplete ?? (next?.kind === "lacks" ? next.lack : null);
  if (lack !== null) return t(`lacks.${lack}`);
  return start === null ? modeNames(t, modes) : t("valve.next", { time: texts.time(start) });
}
