import { periodFrom } from "./decide.ts";
import { type EngineSettings, missingOf } from "./engine-settings.ts";
import type { EngineState, Moment } from "./engine-state.ts";

const flag = (isOn: boolean): 1 | 0 => (isOn ? 1 : 0);
const repeat = (isOn: boolean | undefined): 1 | 2 => (isOn ? 1 : 2);

/**
 * Return the modes of a channel as in `mulkko/{serial}/ch/{n}/state`. Times are minutes, bounds percent.
 *
 * @param moment now
 */
export function modesReport(
  settings: EngineSettings,
  engine: EngineState,
  moment: Moment,
): Record<string, string | number | null> {
  const from = periodFrom(settings, engine, moment);
  const { active, automatic, reservation, period } = settings;
  return {
    automatic: flag(active === "automatic"),
    automaticHighMoisture: automatic?.upperBound ?? null,
    automaticLowMoisture: automatic?.lowerBound ?? null,
    automaticWatering: automatic?.wateringDuration ?? null,
    period: flag(active === "period"),
    periodRepeat: repeat(period?.repeat),
    periodFrom: from === null ? null : new Date(from).toISOString(),
    periodTime: period?.wateringInterval ?? null,
    periodWatering: period?.wateringDuration ?? null,
    reservation: flag(active === "reservation"),
    reservationRepeat: repeat(reservation?.repeat),
    reservationTime: reservation?.onTime ?? null,
    reservationWatering: reservation?.wateringDuration ?? null,
    modeRevision: settings.revision,
    incomplete: missingOf(settings),
  };
}
