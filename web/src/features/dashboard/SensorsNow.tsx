import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useClaim } from "../../api/knowledge.ts";
import { isMeasuring, sameTally, tallyDevices } from "../../domain/farm/device-tally.ts";
import {
  type LiveFarm,
  useIsStale,
  useKnowledge,
  useLinkQuality,
  useLiveSelection,
} from "../../live/hooks.ts";

const SENSORS = ["sensor.listing"] as const;

/** Count the live, late and offline sensors. */
export function SensorsNow() {
  const { t } = useTranslation(["dashboard", "common"]);
  const stale = useIsStale();
  const { known } = useKnowledge();
  const claim = useClaim();
  const links = useLinkQuality();
  const tally = useLiveSelection(
    SENSORS,
    useCallback(
      (farm: LiveFarm) => tallyDevices([...farm.sensors.values()].filter(isMeasuring), links),
      [links],
    ),
    sameTally,
  );
  if (stale) return <strong>{t("common:link.notLive")}</strong>;
  if (tally.total === 0) {
    return (
      <>
        <strong>{claim(t("sensors.none"))}</strong>
        {known && <span>{t("sensors.addFirst")}</span>}
      </>
    );
  }
  if (tally.unknown === tally.total) return <strong>{t("sensors.unknown", { count: tally.unknown })}</strong>;
  const troubled = [
    ["late", tally.late],
    ["offline", tally.offline],
    ["unknown", tally.unknown],
    ["never", tally.never],
  ] as const;
  const texts = troubled.flatMap(([quality, count]) =>
    count === 0 ? [] : [`${t(`common:quality.${quality}`)} ${count}`],
  );
  return (
    <>
      <strong>{t("sensors.live", { count: tally.fresh, total: tally.total })}</strong>
      <span>{texts.length === 0 ? t("sensors.allWell") : texts.join(" · ")}</span>
    </>
  );
}
