import type { Alarm } from "@mulkko/shared/live/alarm";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type NamedAlarm, type Names, namesIn } from "../farm/use-names.ts";
import type { TimeTexts } from "../time/time-texts.ts";
import { useNearTime } from "../valve/last-report.ts";

const KINDS = ["sensor.listing", "controller.listing", "channel"] as const;

/** Number of valves named in full in a single line. */
export const IN_ONE_LINE = 1;

/**
 * Return a function that says which valves are open, and until when: "Tomatoes 1CH open until 13:21"; null for none. Of
 * many valves it names `most` in full and counts the others. A valve that has the name of the alarm's subject, which
 * stands beside it, is its number alone.
 */
export function useOpenValveTexts(texts: TimeTexts) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const time = useNearTime(texts);
  return useCallback(
    (
      { valves = [], ...alarm }: NamedAlarm & Pick<Alarm, "valves">,
      names: Pick<Names, "ofWatering" | "ofThing">,
      most: number,
    ): string | null => {
      if (valves.length === 0) return null;
      const subject = names.ofThing(alarm)?.name;
      const named = valves.slice(0, most).map((one) => {
        const thing = names.ofWatering(one);
        const valve = thing && thing.name !== subject ? labels.thing(thing) : labels.channel(one.number);
        return one.until === null
          ? t("alarm.openNoEnd", { valve })
          : t("alarm.openUntil", { valve, time: time(one.until) });
      });
      const more = valves.length - named.length;
      return [...named, ...(more > 0 ? [t("alarm.openMore", { number: more })] : [])].join(", ");
    },
    [t, labels, time],
  );
}

/**
 * Return the translated list of the valves that an alarm reports as open; subscribes to their names. Null for
 * an alarm without such valves.
 */
export function useOpenValves(
  alarm: NamedAlarm & Pick<Alarm, "valves">,
  texts: TimeTexts,
  most = Number.POSITIVE_INFINITY,
): string | null {
  const textOf = useOpenValveTexts(texts);
  return useLiveSelection(
    KINDS,
    useCallback((farm: LiveFarm) => textOf(alarm, namesIn(farm), most), [alarm, textOf, most]),
  );
}
