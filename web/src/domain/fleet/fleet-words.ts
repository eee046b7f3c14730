import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { fieldAs } from "@mulkko/shared/catalogue/registry";
import { MISSING } from "@mulkko/shared/rules/format";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Labels, useLabels } from "../../i18n/labels.ts";
import type { FleetState } from "./device-state.ts";
import { useFleetAsking, useFleetLoading } from "./hooks.ts";

const { battery: PERCENT } = FIELDS;

/** Format a battery: 88 %, or 3.6 V. */
export function batteryWords(battery: number | null): string {
  const { unit, decimals } = fieldAs(PERCENT, battery);
  return battery === null ? MISSING : `${battery.toFixed(decimals)} ${unit}`;
}

/** Format a signal: −97 dBm, with a true minus sign. */
export const signalWords = (dbm: number | null): string =>
  dbm === null ? MISSING : `${Math.round(dbm)} dBm`.replace("-", "−");

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
        share === null
          ? t("heartbeat.unseen")
          : t("heartbeat.received", { percent: Math.round(share * 100) }),
    }),
    [t, labels],
  );
}

/** Say how much of the fleet is loaded; null once all of it is. */
export function useLoadingWords(): string | null {
  const { t } = useTranslation("common");
  const loading = useFleetLoading();
  if (loading === null) return null;
  const { loaded, total } = loading;
  return total === null || total < loaded
    ? t("partial.some", { count: loaded })
    : t("partial.of", { loaded, count: total });
}

/** Say how many devices were asked how they are; null unless they are asked one by one and some are left. */
export function useAskingWords(): string | null {
  const { t } = useTranslation("common");
  const asking = useFleetAsking();
  return asking === null ? null : t("partial.asked", { answered: asking.answered, count: asking.of });
}
