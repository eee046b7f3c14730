import { useMemo } from "react";
import { type Labels, useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { FleetState } from "./device-state.ts";

/** Words of a device on the board. */
export interface FleetWords extends Pick<Labels, "deviceType" | "shortAge"> {
  readonly state: (state: FleetState) => string;
  /** @param share of the half-hours in which it was heard, 0 to 1; null where nobody looked */
  readonly beats: (share: number | null) => string;
}

/** One set of words for hundreds of rows: to follow the language in each of them takes as long as to draw it. */
export function useFleetWords(): FleetWords {
  const { t } = useTranslation("fleet");
  const labels = useLabels();
  return useMemo(
    () => ({
      deviceType: labels.deviceType,
      shortAge: labels.shortAge,
      state: (state) => t(`state.${state}`),
      beats: (share) =>
        share === null ? t("beats.unseen") : t("beats.heard", { percent: Math.round(share * 100) }),
    }),
    [t, labels],
  );
}
