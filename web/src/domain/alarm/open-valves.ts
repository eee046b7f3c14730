import type { Alarm, OpenValve } from "@mulkko/shared/live/alarm";
import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type Names, namesIn, thingTitle } from "../farm/use-names.ts";
import type { TimeTexts } from "../time/time-texts.ts";
import { useNearTime } from "../valve/last-report.ts";

const KINDS = ["sensor.listing", "controller.listing", "channel"] as const;
const NONE: readonly OpenValve[] = [];

/** Number of valves named in full in a single line. */
export const IN_ONE_LINE = 1;

/**
 * Say which valves are open, and until when: "Tomatoes 1CH open until 13:21"; null for none.
 *
 * @param texts translations, and a formatter of an instant (ISO UTC)
 * @param most number of valves named in full; the others are counted
 */
export function openValveTexts(
  valves: readonly OpenValve[],
  names: Pick<Names, "ofWatering">,
  { t, time }: { t: TFunction<"common">; time(instant: string): string },
  most: number,
): string | null {
  if (valves.length === 0) return null;
  const channelWord = (number: number): string => t("valve.channel", { number });
  const named = valves.slice(0, most).map((one) => {
    const thing = names.ofWatering(one);
    const valve = thing ? thingTitle(thing, channelWord) : channelWord(one.number);
    return one.until === null
      ? t("alarm.openNoEnd", { valve })
      : t("alarm.openUntil", { valve, time: time(one.until) });
  });
  const more = valves.length - named.length;
  return [...named, ...(more > 0 ? [t("alarm.openMore", { number: more })] : [])].join(", ");
}

/**
 * Return the translated list of the valves that an alarm reports as open; subscribes to their names. Null for
 * an alarm without such valves.
 */
export function useOpenValves(
  alarm: Pick<Alarm, "valves">,
  texts: TimeTexts,
  most = Number.POSITIVE_INFINITY,
): string | null {
  const { t } = useTranslation("common");
  const valves: readonly OpenValve[] = alarm.valves ?? NONE;
  const time = useNearTime(texts);
  return useLiveSelection(
    KINDS,
    useCallback(
      (farm: LiveFarm) => openValveTexts(valves, namesIn(farm), { t, time }, most),
      [valves, t, time, most],
    ),
  );
}
