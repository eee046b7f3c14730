import type { ChannelValue } from "@mulkko/shared/live/devices";
import { useTranslation } from "../i18n/use-translation.ts";
import { useServerTime } from "../live/hooks.ts";
import { clockText, secondsLeft } from "./countdown.ts";
import type { NextWatering } from "./next-watering.ts";
import { useTimeWords } from "./use-time-words.ts";

/** In words: how long a channel stays open, when it waters next, what it lacks to water, or which mode is in charge. */
export function useWhen(channel: ChannelValue | undefined, next: NextWatering | undefined): string {
  const { t } = useTranslation("common");
  const words = useTimeWords();
  const { onoff = null, runUntil = null, modes = null } = channel ?? {};
  const left = useServerTime((now) => (onoff === 1 ? secondsLeft(runUntil, now) : null));
  // What should have begun by now is not promised any longer.
  const start = useServerTime((now) => (next?.kind === "at" && next.start >= now ? next.start : null));
  if (left !== null) return t("duration.left", { time: clockText(left) });
  const mode = modes?.active ?? "none";
  if (onoff === 1 || mode === "none") return t(`mode.${mode}`);
  const lack = modes?.incomplete ?? (next?.kind === "lacks" ? next.lack : null);
  if (lack !== null) return t(`lacks.${lack}`);
  return start === null ? t(`mode.${mode}`) : t("valve.next", { time: words.time(start) });
}
