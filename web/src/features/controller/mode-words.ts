import type { Modes } from "@mulkko/shared/entities/modes";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Mode } from "../../api/modes.ts";
import { useLabels } from "../../i18n/labels.ts";

/**
 * Return a function that describes a mode's setting in one line, as the channel reports it; null without one.
 */
export function useModeWords(): (mode: Mode, modes: Modes | null) => string | null {
  const { t } = useTranslation("controller");
  const { duration } = useLabels();
  return useCallback(
    (mode, modes) => {
      const minutes = (count: number) => duration(count * 60_000);
      switch (mode) {
        case "automatic": {
          const set = modes?.automatic;
          if (!set) return null;
          return [`${set.lowerBound ?? ""}–${set.upperBound ?? ""} %`, minutes(set.wateringDuration)].join(
            " · ",
          );
        }
        case "reservation": {
          const set = modes?.reservation;
          if (!set) return null;
          return [set.onTime ?? "--", minutes(set.wateringDuration), t(set.repeat ? "daily" : "once")].join(
            " · ",
          );
        }
        case "period": {
          const set = modes?.period;
          if (!set) return null;
          const every = set.wateringInterval === null ? "--" : minutes(set.wateringInterval);
          const times = set.repeat ? [] : [t("once")];
          return [t("every", { time: every }), minutes(set.wateringDuration), ...times].join(" · ");
        }
      }
    },
    [t, duration],
  );
}
