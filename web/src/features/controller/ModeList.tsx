import type { Modes } from "@mulkko/shared/live/devices";
import { useTranslation } from "react-i18next";
import { Card } from "../../ui/layout/card.tsx";

type Mode = "automatic" | "reservation" | "period";
const MODES: readonly Mode[] = ["automatic", "reservation", "period"];

/** The three watering modes as they are set, and which one is in charge. To be read, not changed. */
export function ModeList({ modes }: { modes: Modes | null }) {
  const { t } = useTranslation(["controller", "common"]);
  const minutes = (count: number) => t("common:duration.minutes", { count });

  const setting = (mode: Mode): string | null => {
    switch (mode) {
      case "automatic": {
        const set = modes?.automatic;
        if (!set) return null;
        const low = set.lowerBound === null ? "" : set.lowerBound;
        const high = set.upperBound === null ? "" : set.upperBound;
        return [`${low}–${high} %`, minutes(set.wateringDuration)].join(" · ");
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
        return [t("every", { time: every }), minutes(set.wateringDuration)].join(" · ");
      }
    }
  };
  return (
    <Card title={t("modes")} flush>
      <ul className="panel__modes">
        {MODES.map((mode) => {
          const active = modes?.active === mode;
          const lack = active ? (modes.incomplete ?? null) : null;
          return (
            <li key={mode} data-active={active || undefined}>
              <span className="panel__mode-mark" aria-hidden />
              <span className="panel__mode-name">
                {t(`common:mode.${mode}`)}
                {active && (
                  <span className="panel__mode-on" data-incomplete={lack !== null || undefined}>
                    {lack === null ? t("inCharge") : t(`lacks.${lack}`)}
                  </span>
                )}
              </span>
              <span className="panel__mode-setting">{setting(mode) ?? t("notSet")}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
