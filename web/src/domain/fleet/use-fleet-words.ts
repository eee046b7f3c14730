import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Labels, useLabels } from "../../i18n/labels.ts";
import type { FleetState } from "./device-state.ts";

/** Translations for a device on the board. */
export interface FleetWords extends Pick<Labels, "deviceType" | "shortAge"> {
  readonly state: (state: FleetState) => string;
  /** @param share of the half-hours with reports, 0 to 1; null if unobserved */
  readonly beats: (share: number | null) => string;
}

/**
 * Return one set of translations for hundreds of rows: a translation hook in each row takes as long as
 * rendering it.
 */
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
