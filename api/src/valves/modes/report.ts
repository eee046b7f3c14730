import type { ModeReport } from "../../decode/channel-state.ts";
import type { ChannelSettings } from "./repository.ts";

type Values = Readonly<Record<string, string | number | null>>;

const present = (values: Values): ModeReport =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/**
 * Return a channel's modes for a report: the device's values, otherwise the stored ones.
 *
 * @param stored undefined where nothing was ever set
 */
export function modesShown(reported: ModeReport, stored: ChannelSettings | undefined): ModeReport {
  if (!stored) return reported;
  const { mode, automatic, reservation, period } = stored;
  const flag = (name: string): number => (mode === name ? 1 : 0);
  const own: ModeReport = {
    ...(reported.automatic === undefined
      ? present({
          automatic: flag("automatic"),
          automaticLowMoisture: automatic?.lowerBound ?? null,
          automaticHighMoisture: automatic?.upperBound ?? null,
          automaticWatering: automatic?.wateringDuration ?? null,
        })
      : {}),
    ...(reported.reservation === undefined
      ? present({
          reservation: flag("reservation"),
          reservationTime: reservation?.onTime ?? null,
          reservationWatering: reservation?.wateringDuration ?? null,
          reservationRepeat: reservation?.repeat ? 1 : 2,
        })
      : {}),
    ...(reported.period === undefined
      ? present({
          period: flag("period"),
          periodTime: period?.wateringInterval ?? null,
          periodWatering: period?.wateringDuration ?? null,
          periodRepeat: period?.repeat ? 1 : 2,
        })
      : {}),
  };
  return { ...own, ...reported };
}
