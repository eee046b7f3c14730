import type { ChannelValue } from "@mulkko/shared/live/devices";
import { useTranslation } from "../i18n/use-translation.ts";
import { useServerTime } from "../live/hooks.ts";
import type { ValveView } from "../ui/valve/valve-view.ts";
import { clockText, secondsLeft } from "./countdown.ts";
import { useLastReport } from "./last-report.ts";
import type { NextWatering } from "./next-watering.ts";
import { useTimeWords } from "./use-time-words.ts";

/** Seconds until an open valve closes, followed; null while it is closing, and where nothing vouches for its report. */
export function useTimeLeft(runUntil: string | null, view: ValveView): number | null {
  const counts = view.kind === "open" || (view.kind === "opening" && view.live && view.actual === "open");
  return useServerTime((now) => (counts ? secondsLeft(runUntil, now) : null));
}

/**
 * In words: how long a channel stays open, when it waters next, what it lacks to water, or which mode is in charge.
 * Of a valve that is not drawn as live: what was reported last.
 */
export function useWhen(
  channel: ChannelValue | undefined,
  next: NextWatering | undefined,
  view: ValveView,
): string {
  const { t } = useTranslation("common");
  const words = useTimeWords();
  const { onoff = null, runUntil = null, modes = null } = channel ?? {};
  const left = useTimeLeft(runUntil, view);
  const { sentence, plannedEnd } = useLastReport(channel);
  // What should have begun by now is not promised any longer.
  const start = useServerTime((now) => (next?.kind === "at" && next.start >= now ? next.start : null));
  if (!view.live && view.kind !== "mismatch" && sentence !== null)
    return [sentence, plannedEnd].filter((words) => words !== null).join(" · ");
  if (left !== null) return t("duration.left", { time: clockText(left) });
  const mode = modes?.active ?? "none";
  if (onoff === 1 || mode === "none") return t(`mode.${mode}`);
  const lack = modes?.incomplete ?? (next?.kind === "lacks" ? next.lack : null);
  if (lack !== null) return t(`lacks.${lack}`);
  return start === null ? t(`mode.${mode}`) : t("valve.next", { time: words.time(start) });
}
